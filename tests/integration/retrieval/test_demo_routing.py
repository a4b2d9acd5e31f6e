"""Routing on the demo's own profiles: labelled messages that stand in none of the router's examples."""

from collections.abc import Callable

import pytest

from clew.routing.decision import RouteDecision
from clew.routing.router import route
from clew.routing.worker_name import GENERAL
from tests.integration.retrieval.demo import ROOT, Demo, demo_questions, read_lines

Route = Callable[..., RouteDecision]

LABELLED = read_lines(ROOT / "tests/data/routing.jsonl")
UNFORCED = [(row["message"], row["expected_kb"]) for row in LABELLED if "requested_kb" not in row]
FORCED = [row for row in LABELLED if "requested_kb" in row]


@pytest.fixture
def decide(demo: Demo) -> Route:
    def decide(message: str, requested: str = "") -> RouteDecision:
        return route(
            message,
            requested_kb_prefix=requested,
            agent_type="",
            knowledge_bases=demo.profiles,
            embedder=demo.embedder,
            auto_route=True,
        )

    return decide


def told(wrong: list[tuple[str, str, RouteDecision]]) -> str:
    return "\n".join(f"{message!r}: {got.kb_prefix}, not {wanted} ({got.reason})" for message, wanted, got in wrong)


def test_labelled_messages_find_their_knowledge_base(decide: Route, tell: Callable[[str], None]) -> None:
    decisions = [(message, expected, decide(message)) for message, expected in UNFORCED]
    wrong = [each for each in decisions if each[2].kb_prefix != each[1]]
    general = [each for each in decisions if each[1] == GENERAL]
    pulled_in = [each for each in general if each[2].kb_prefix != GENERAL]
    accuracy = 1 - len(wrong) / len(decisions)
    tell(f"routing: {accuracy:.3f} of {len(decisions)} labelled messages right")
    tell(f"general messages pulled into a knowledge base: {len(pulled_in)} of {len(general)}\n{told(wrong)}")
    assert accuracy >= 0.93, told(wrong)
    assert len(pulled_in) / len(general) <= 0.03, told(pulled_in)


def test_the_demo_questions_find_their_knowledge_base(decide: Route) -> None:
    decisions = [(question.text, question.kb, decide(question.text)) for question in demo_questions()]
    wrong = [each for each in decisions if each[2].kb_prefix != each[1]]
    assert 1 - len(wrong) / len(decisions) >= 0.95, told(wrong)


@pytest.mark.parametrize("row", FORCED, ids=lambda row: row["requested_kb"])
def test_a_requested_knowledge_base_wins(decide: Route, row: dict[str, str]) -> None:
    decision = decide(row["message"], row["requested_kb"])
    assert (decision.kb_prefix, decision.method) == (row["expected_kb"], "override")


def test_every_decision_can_be_read_by_a_person(decide: Route) -> None:
    for message, _ in UNFORCED[::7]:
        decision = decide(message)
        assert 0 <= decision.confidence <= 1
        assert decision.reason.endswith(".")
        assert bool(decision.plan) == (decision.kb_prefix != GENERAL)
