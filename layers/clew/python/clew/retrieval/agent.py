"""The agent: one public method, from a question to evidence."""

from typing import Any, Final, Protocol

from clew.retrieval.evidence import EntityRef, Passage, Trace

# A plan has at most a handful of workers and a workflow's state 256 KB: each worker keeps its share.
MAX_EVIDENCE_BYTES: Final = 40_000


class Agent(Protocol):
    """A retrieve-only worker: stateless, resident and shared by all sessions.

    It never writes an answer, never streams, and remembers nothing between calls.
    """

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        """Evidence for ``query``; ``thread_id`` is the session id and serves correlation alone.

        Returns ``context`` (the passages as text), ``retrieval_results`` (the passages as dictionaries,
        best first) and ``reference`` (``linked`` entities of the question, ``documents`` found).
        Raises GraphUnavailableError, which the workflow tries again.
        """
        ...


def trace(agent_type: str, passages: list[Passage], linked: list[EntityRef]) -> Trace:
    """An agent's result: passages marked with their finder and cut to the worker's share of the state."""
    kept: list[dict[str, Any]] = []
    size = 0
    for passage in passages:
        record = passage.model_copy(update={"found_by": (agent_type,)}).model_dump(mode="json")
        size += len(str(record).encode())
        if kept and size > MAX_EVIDENCE_BYTES:
            break
        kept.append(record)
    return {
        "context": "\n\n".join(f"{record['title']}\n{record['text']}" for record in kept),
        "retrieval_results": kept,
        "reference": {
            "linked": [entity.model_dump(mode="json") for entity in linked],
            "documents": list(dict.fromkeys(record["document_id"] for record in kept)),
        },
    }
