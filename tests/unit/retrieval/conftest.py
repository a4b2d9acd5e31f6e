"""Evidence in few words."""

from collections.abc import Callable

import pytest

from clew.retrieval.evidence import EntityRef, Fact, Hop, Passage, Reference, RetrievalRun


@pytest.fixture
def make_run() -> Callable[..., RetrievalRun]:
    """A worker's run: passages by id and score; ``paths`` are those reached over a relation."""

    def make(
        agent_type: str = "graph_agent",
        scores: dict[str, float] | None = None,
        *,
        text: str = "Some text.",
        paths: tuple[str, ...] = (),
        linked: tuple[EntityRef, ...] = (),
        facts: tuple[Fact, ...] = (),
    ) -> RetrievalRun:
        hop = Hop(source="a", relation="CO_MENTION", target="b")
        passages = tuple(
            Passage(
                id=name,
                document_id=f"doc-{name}",
                title=name,
                text=text,
                score=score,
                path=(hop,) if name in paths else (),
                found_by=(agent_type,),
            )
            for name, score in (scores or {}).items()
        )
        worker_name = f"kb:{agent_type}:retrieve_only"
        reference = Reference(linked=linked, facts=facts)
        return RetrievalRun(worker_name=worker_name, agent_type=agent_type, passages=passages, reference=reference)

    return make
