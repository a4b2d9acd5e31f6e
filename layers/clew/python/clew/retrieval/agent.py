"""The agent: one public method, from a question to evidence."""

from typing import Protocol

from clew.retrieval.evidence import Trace


class Agent(Protocol):
    """A retrieve-only worker: stateless, resident and shared by all sessions.

    It never writes an answer, never streams, and remembers nothing between calls.
    """

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        """Evidence for ``query``; ``thread_id`` is the session id and serves correlation alone.

        Returns ``context`` (the passages as text), ``retrieval_results`` (the passages as dictionaries,
        best first) and ``reference`` (what they stand on). Raises GraphUnavailableError, which the
        workflow tries again.
        """
        ...
