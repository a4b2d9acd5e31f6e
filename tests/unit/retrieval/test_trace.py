"""An agent's result: marked with its finder and bounded, so that a plan fits the workflow's state."""

import json

from clew.retrieval.agent import MAX_EVIDENCE_BYTES, trace
from clew.retrieval.evidence import EntityRef, Hop, Passage

LIMIT = 40 * 1024


def passage(number: int, text: str, entities: int = 0) -> Passage:
    return Passage(
        id=f"p{number}",
        document_id=f"d{number // 2}",
        title=f"Title {number}",
        text=text,
        score=1 / (number + 1),
        entities=tuple(
            EntityRef(id=f"e{each}", name=f"名字 {each}", aliases=("Alias",) * 8) for each in range(entities)
        ),
        path=(Hop(source="a", relation="CO_MENTION", target="b"),),
    )


def test_it_has_the_three_parts_of_the_contract() -> None:
    linked = [EntityRef(id="e1", name="Inception")]
    result = trace("graph_agent", [passage(0, "One."), passage(1, "Two."), passage(2, "Three.")], linked)
    assert set(result) == {"context", "retrieval_results", "reference"}
    assert result["context"].index("One.") < result["context"].index("Two.")
    assert [Passage.model_validate(each).id for each in result["retrieval_results"]] == ["p0", "p1", "p2"]
    assert all(each["found_by"] == ["graph_agent"] for each in result["retrieval_results"])
    assert result["reference"]["documents"] == ["d0", "d1"]
    assert result["reference"]["linked"] == [linked[0].model_dump(mode="json")]


def test_nothing_found_is_a_result_too() -> None:
    result = trace("graph_agent", [], [])
    assert (result["context"], result["retrieval_results"]) == ("", [])


def test_evidence_stays_below_a_workers_share_and_keeps_the_best() -> None:
    for text in ("word " * 800, "字" * 1_200, '𝄞"\\\n' * 500):
        passages = [passage(number, text, entities=24) for number in range(40)]
        result = trace("graph_agent", passages, [])
        kept = result["retrieval_results"]
        assert 0 < len(kept) < 40
        assert [each["id"] for each in kept] == [each.id for each in passages[: len(kept)]]
        assert len(json.dumps(kept, ensure_ascii=False).encode()) < LIMIT
    assert MAX_EVIDENCE_BYTES < LIMIT


def test_it_can_be_sent_as_json() -> None:
    result = trace("graph_agent", [passage(0, '一 \x00 \u2028 "')], [])
    assert json.loads(json.dumps(result)) == result
