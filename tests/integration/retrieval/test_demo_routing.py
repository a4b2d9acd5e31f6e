"""Routing on the demo's own profiles: labelled messages that stand in none of the router's examples."""

from collections.abc import Callable, Iterable

import pytest

from clew.evaluation.routing import LabelledMessage, RoutedMessage, read_messages, route_messages, routing_scores
from clew.routing.decision import RouteDecision
from clew.routing.router import route
from clew.routing.worker_name import GENERAL, parse_worker_name
from tests.integration.retrieval.demo import ROOT, Demo, demo_questions

Route = Callable[..., RouteDecision]

LABELLED = read_messages(ROOT / "tests/data/routing.jsonl")
UNFORCED = [label for label in LABELLED if not label.requested_kb]
FORCED = [label for label in LABELLED if label.requested_kb]


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


def told(wrong: Iterable[RoutedMessage]) -> str:
    return "\n".join(
        f"{each.label.message!r} should go to {each.label.expected_kb} {each.label.expected_agent}, went to"
        f" {each.decision.kb_prefix} {', '.join(each.agents)}: {each.decision.reason} {each.decision.plan_reason}"
        for each in wrong
    )


@pytest.fixture
def routed(decide: Route) -> list[RoutedMessage]:
    return route_messages(UNFORCED, lambda label: decide(label.message), lambda *_: None)


def test_labelled_messages_find_their_knowledge_base_and_worker(
    routed: list[RoutedMessage], tell: Callable[[str], None]
) -> None:
    found = routing_scores(routed)
    tell(f"routing: {found.accuracy:.3f} of {found.messages} labelled messages right")
    tell(f"general messages pulled into a knowledge base: {found.general_to_kb} of {found.general}")
    tell(
        f"worker planned: {found.agent_accuracy} of {found.with_agent}; runs a plan: {found.runs}\n{told(found.wrong)}"
    )
    assert found.accuracy >= 0.93, told(found.wrong)
    assert found.general_to_kb is not None
    assert found.general_to_kb <= 0.03, told(found.wrong)
    assert found.with_agent >= 60
    assert found.agent_accuracy is not None
    assert found.agent_accuracy >= 0.9, told(found.wrong)


def test_where_one_worker_is_enough_hardly_a_second_is_planned(routed: list[RoutedMessage]) -> None:
    facts = [each for each in routed if each.label.expected_agent == "graph_agent" and each.found_kb]
    more = [each for each in facts if each.agents != ("graph_agent",)]
    assert len(more) / len(facts) <= 0.1, told(more)


@pytest.mark.parametrize(
    "message",
    [
        "Who directed Inception, and who teaches CS301?",
        "哪些奖学金颁给学电影的学生？",
        "Which school did the actress graduate from?",
    ],
)
def test_what_may_be_about_either_is_looked_up_in_both(decide: Route, message: str) -> None:
    decision = decide(message)
    assert {parse_worker_name(run.worker_name).kb_prefix for run in decision.plan} == {"edu", "movie"}


def test_few_messages_are_looked_up_in_two_knowledge_bases(routed: list[RoutedMessage]) -> None:
    both = [each for each in routed if len(each.decision.plan) > len(each.agents)]
    assert len(both) / len(routed) <= 0.05, told(both)


def test_the_demo_questions_find_their_knowledge_base(decide: Route) -> None:
    decisions = [(question, decide(question.text)) for question in demo_questions()]
    wrong = [(question.text, got.kb_prefix, got.reason) for question, got in decisions if got.kb_prefix != question.kb]
    assert 1 - len(wrong) / len(decisions) >= 0.95, wrong


def test_demo_questions_of_two_documents_are_researched(decide: Route) -> None:
    researched = {True: 0, False: 0}
    asked = {True: 0, False: 0}
    for question in demo_questions():
        two = len(question.documents) > 1
        asked[two] += 1
        researched[two] += any(run.agent_type == "deep_research_agent" for run in decide(question.text).plan)
    assert researched[True] / asked[True] >= 0.9
    assert researched[False] / asked[False] <= 0.1


@pytest.mark.parametrize("label", FORCED, ids=lambda label: label.requested_kb)
def test_a_requested_knowledge_base_wins(decide: Route, label: LabelledMessage) -> None:
    decision = decide(label.message, label.requested_kb)
    assert (decision.kb_prefix, decision.method) == (label.expected_kb, "override")


def test_every_decision_can_be_read_by_a_person(decide: Route) -> None:
    for label in UNFORCED[::7]:
        decision = decide(label.message)
        assert 0 <= decision.confidence <= 1
        assert decision.reason.endswith(".")
        assert decision.plan_reason.endswith(".")
        assert bool(decision.plan) == (decision.kb_prefix != GENERAL)
