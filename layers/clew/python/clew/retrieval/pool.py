"""The resident agents of one tenant."""

import threading
from collections.abc import Callable
from typing import Final

from clew.errors import AgentNotAvailableError
from clew.retrieval.agent import Agent
from clew.retrieval.graph_agent import GraphAgent
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.naive_rag_agent import NaiveRagAgent
from clew.routing.worker_name import WorkerName, check_agent_type
from clew.text.embedding import Embedder

AVAILABLE: Final = {agent.agent_type: agent for agent in (NaiveRagAgent, GraphAgent)}


class AgentPool:
    """Agents by instance key ``{kb_prefix}:{agent_type}:{agent_mode}``.

    It holds as many as there are knowledge bases times agent types, however many sessions ask.
    """

    def __init__(self, reader_of: Callable[[str], GraphReader], embedder: Embedder) -> None:
        self._reader_of = reader_of
        self._embedder = embedder
        self._agents: dict[str, Agent] = {}
        self._lock = threading.Lock()

    def agent(self, worker: WorkerName) -> Agent:
        """The worker's agent, made on first use.

        UnknownAgentTypeError for a name outside the contract, AgentNotAvailableError for one of its names
        that does not run yet.
        """
        agent_type = check_agent_type(worker.agent_type)
        if agent_type not in AVAILABLE:
            raise AgentNotAvailableError(agent_type, tuple(AVAILABLE))
        with self._lock:
            key = str(worker)
            if key not in self._agents:
                self._agents[key] = AVAILABLE[agent_type](self._reader_of(worker.kb_prefix), self._embedder)
            return self._agents[key]

    def __len__(self) -> int:
        return len(self._agents)
