"""deep_research_agent: several rounds, each asking for what the last one left open."""

from typing import Final

from clew.retrieval.evidence import Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.research.planner import Planner
from clew.retrieval.research.rounds import research
from clew.retrieval.search import searching
from clew.retrieval.trace import trace
from clew.text.embedding import Embedder


class DeepResearchAgent:
    """Breaks a question up, follows what leads on, and stops when the passages say all that is asked.

    ``reference`` tells of each round what was asked, what it brought and what was missing.
    """

    agent_type: Final = "deep_research_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder, planner: Planner) -> None:
        self._reader = reader
        self._embedder = embedder
        self._planner = planner

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        with searching(self._reader, self._embedder, query) as search:
            found = research(search, self._planner)
        return trace(self.agent_type, found.best(), linked=found.linked, facts=found.facts, rounds=found.rounds)
