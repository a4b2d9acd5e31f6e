"""The resident agents of one tenant."""

import threading
from collections.abc import Callable

from clew.retrieval.agent import Agent
from clew.retrieval.agents.deep_research_agent import DeepResearchAgent
from clew.retrieval.agents.fusion_agent import FusionAgent
from clew.retrieval.agents.graph_agent import GraphAgent
from clew.retrieval.agents.hybrid_agent import HybridAgent
from clew.retrieval.agents.naive_rag_agent import NaiveRagAgent
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.reranker import Reranker
from clew.retrieval.research.planner import Planner
from clew.retrieval.research.rule_planner import RulePlanner
from clew.routing.worker_name import AgentType, WorkerName, check_agent_type
from clew.text.embedding import Embedder


class AgentPool:
    """Agents by instance key ``{kb_prefix}:{agent_type}:{agent_mode}``.

    It holds as many as there are knowledge bases times agent types, however many sessions ask.
    ``reranker`` serves the fusion agent and ``planner`` the deep research agent, which plans by rule
    where there is none.
    """

    def __init__(
        self,
        reader_of: Callable[[str], GraphReader],
        embedder: Embedder,
        *,
        reranker: Reranker | None = None,
        planner: Planner | None = None,
    ) -> None:
        self._reader_of = reader_of
        self._embedder = embedder
        self._reranker = reranker
        self._planner = planner or RulePlanner()
        self._agents: dict[str, Agent] = {}
        self._lock = threading.Lock()

    def agent(self, worker: WorkerName) -> Agent:
        """The worker's agent, made on first use; UnknownAgentTypeError for a type outside the contract."""
        agent_type = check_agent_type(worker.agent_type)
        with self._lock:
            key = str(worker)
            if key not in self._agents:
                self._agents[key] = self._made(agent_type, self._reader_of(worker.kb_prefix))
            return self._agents[key]

    def __len__(self) -> int:
        return len(self._agents)

    def _made(self, agent_type: AgentType, reader: GraphReader) -> Agent:
        match agent_type:
            case "naive_rag_agent":
                return NaiveRagAgent(reader, self._embedder)
            case "graph_agent":
                return GraphAgent(reader, self._embedder)
            case "hybrid_agent":
                return HybridAgent(reader, self._embedder)
            case "fusion_agent":
                return FusionAgent(reader, self._embedder, self._reranker)
            case "deep_research_agent":
                return DeepResearchAgent(reader, self._embedder, self._planner)
