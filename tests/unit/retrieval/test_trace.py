"""An agent's result: marked with its finder and bounded, so that a plan fits the workflow's state."""

import json
from typing import Any

from clew.retrieval.evidence import CommunityRef, EntityRef, Fact, Hop, Passage, Reference, Round
from clew.retrieval.trace import MAX_WORKER_BYTES, trace

STATE_BYTES = 256 * 1024
MOST_WORKERS = 4


def passage(number: int, text: str, entities: int = 0) -> Passage:
    return Passage(
        id=f"p{number}",
        document_id=f"d{number // 2}",
        title=f"Title {number}",
        text=text,
        start=10,
        end=10 + len(text),
        score=1 / (number + 1),
        entities=tuple(
            EntityRef(id=f"e{each}", name=f"名字 {each}", aliases=("Alias",) * 8) for each in range(entities)
        ),
        path=(Hop(source="a", relation="CO_MENTION", target="b"),),
    )


def fact(said: str, *passages: str) -> Fact:
    return Fact(source="Inception", relation="CO_MENTION", target=said, said=said, passage_ids=passages)


def bytes_of(result: dict[str, Any]) -> int:
    """What the workflow's state holds of a result, in the widest way a runtime may write it."""
    return len(json.dumps({"passages": result["retrieval_results"], "reference": result["reference"]}))


def test_it_has_the_three_parts_of_the_contract() -> None:
    linked = [EntityRef(id="e1", name="Inception")]
    result = trace("graph_agent", [passage(0, "One."), passage(1, "Two."), passage(2, "Three.")], linked=linked)
    assert set(result) == {"context", "retrieval_results", "reference"}
    assert result["context"].index("One.") < result["context"].index("Two.")
    assert [Passage.model_validate(each).id for each in result["retrieval_results"]] == ["p0", "p1", "p2"]
    assert all(each["found_by"] == ["graph_agent"] for each in result["retrieval_results"])
    reference = Reference.model_validate(result["reference"])
    assert reference.documents == ("d0", "d1")
    assert reference.linked == tuple(linked)


def test_entities_are_facts_with_the_passages_that_mention_them() -> None:
    result = trace("graph_agent", [passage(0, "One.", entities=1), passage(1, "Two.", entities=2)])
    found = {each.id: each.passage_ids for each in Reference.model_validate(result["reference"]).entities}
    assert found == {"e0": ("p0", "p1"), "e1": ("p1",)}


def test_a_relation_is_a_fact_only_where_a_passage_of_the_result_states_it() -> None:
    facts = [fact("here", "p0", "gone"), fact("elsewhere", "gone"), fact("nowhere")]
    result = trace("graph_agent", [passage(0, "One.")], facts=facts)
    assert Reference.model_validate(result["reference"]).facts == (fact("here", "p0"),)


def test_a_fact_goes_with_the_passage_that_has_its_sentence() -> None:
    """The first of its passages has it; another states the relation in a sentence of its own."""
    facts = [fact("gone", "elsewhere", "p0"), fact("here", "p1", "p0", "elsewhere")]
    result = trace("graph_agent", [passage(0, "One."), passage(1, "Two.")], facts=facts)
    assert Reference.model_validate(result["reference"]).facts == (fact("here", "p1", "p0"),)


def test_who_found_a_passage_inside_a_worker_stays_known() -> None:
    found = passage(0, "One.").model_copy(update={"found_by": ("fusion_agent", "graph_agent")})
    assert trace("fusion_agent", [found])["retrieval_results"][0]["found_by"] == ["fusion_agent", "graph_agent"]


def test_nothing_found_is_a_result_too() -> None:
    result = trace("graph_agent", [])
    assert (result["context"], result["retrieval_results"]) == ("", [])
    assert Reference.model_validate(result["reference"]) == Reference()


def test_evidence_stays_below_a_workers_share_and_keeps_the_best() -> None:
    for text in ("word " * 800, "字" * 1_200, '𝄞"\\\n' * 500):
        passages = [passage(number, text, entities=24) for number in range(40)]
        result = trace(
            "graph_agent",
            passages,
            linked=[EntityRef(id=f"e{n}", name=text[:80]) for n in range(500)],
            facts=[fact(text[:240], "p0") for _ in range(500)],
            communities=[CommunityRef(id=f"c{n}", title="t", summary=text[:600]) for n in range(50)],
            rounds=[Round(queries=(text[:200],), missing=("x",) * 20) for _ in range(3)],
        )
        kept = result["retrieval_results"]
        assert 0 < len(kept) < 40
        assert [each["id"] for each in kept] == [each.id for each in passages[: len(kept)]]
        assert bytes_of(result) <= MAX_WORKER_BYTES + 1_000
        assert result["reference"]["rounds"]
    assert MOST_WORKERS * (MAX_WORKER_BYTES + 1_000) < STATE_BYTES


def test_it_can_be_sent_as_json() -> None:
    result = trace("graph_agent", [passage(0, '一 \x00 \u2028 "')])
    assert json.loads(json.dumps(result)) == result
