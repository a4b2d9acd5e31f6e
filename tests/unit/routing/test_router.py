"""The three steps of routing: detect, apply the override policy, select workers."""

import pytest

from clew.errors import UnknownAgentTypeError, UnknownKnowledgeBaseError
from clew.routing.decision import RouteDecision
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.router import route
from clew.routing.worker_name import AGENT_TYPES, GENERAL, parse_worker_name
from clew.text.embedding import Embedder, Vector

NAMED = "Who directed Inception?"


class UntouchedEmbedder:
    """An embedder that must not be needed."""

    dimensions = 384

    def embed_query(self, text: str) -> Vector:
        raise AssertionError(f"embedded {text!r}")

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(f"embedded {texts!r}")


def decide(
    message: str,
    profiles: list[KnowledgeBaseProfile],
    embedder: Embedder | None = None,
    *,
    requested: str = "",
    agent_type: str = "",
    auto_route: bool = True,
) -> RouteDecision:
    return route(
        message,
        requested_kb_prefix=requested,
        agent_type=agent_type,
        knowledge_bases=profiles,
        embedder=embedder or UntouchedEmbedder(),
        auto_route=auto_route,
    )


def assert_general(decision: RouteDecision) -> None:
    assert decision.is_general
    assert (decision.kb_prefix, decision.worker_name, decision.plan) == (GENERAL, "", ())


def assert_planned(decision: RouteDecision, kb_prefix: str) -> None:
    """The plan is of that knowledge base, in names of the contract, and the first is the decision's own."""
    assert decision.kb_prefix == kb_prefix
    assert decision.plan
    assert decision.worker_name == decision.plan[0].worker_name
    for spec in decision.plan:
        worker = parse_worker_name(spec.worker_name)
        assert (worker.kb_prefix, worker.agent_type, worker.agent_mode) == (kb_prefix, spec.agent_type, "retrieve_only")
        assert spec.agent_type in AGENT_TYPES
    assert len({spec.worker_name for spec in decision.plan}) == len(decision.plan)


def test_a_name_decides_without_a_look_at_the_meaning(profiles: list[KnowledgeBaseProfile]) -> None:
    decision = decide(NAMED, profiles)
    assert_planned(decision, "films")
    assert (decision.method, decision.routed_kb_prefix, decision.requested_kb_prefix) == ("heuristic", "films", "")
    assert "Inception" in decision.reason


def test_where_no_name_helps_the_meaning_decides(profiles: list[KnowledgeBaseProfile], e5: Embedder) -> None:
    decision = decide("Which composer wrote the score of that film?", profiles, e5)
    assert_planned(decision, "films")
    assert decision.method == "embedding"
    assert_planned(decide("奖学金什么时候截止申请？", profiles, e5), "campus")


@pytest.mark.parametrize("message", ["Hello!", "你好！", "Tell me a joke.", "What is 3 times 4?", "今天天气怎么样？"])
def test_what_fits_no_knowledge_base_is_general(
    profiles: list[KnowledgeBaseProfile], e5: Embedder, message: str
) -> None:
    assert_general(decide(message, profiles, e5))


def test_without_a_knowledge_base_everything_is_general(e5: Embedder) -> None:
    decision = decide(NAMED, [], e5)
    assert_general(decision)
    assert (decision.method, decision.confidence) == ("default", 1.0)


@pytest.mark.parametrize("auto_route", [True, False])
@pytest.mark.parametrize("message", [NAMED, "Hello!"])
def test_a_requested_knowledge_base_wins_over_what_was_detected(
    profiles: list[KnowledgeBaseProfile], message: str, auto_route: bool
) -> None:
    decision = decide(message, profiles, requested="campus", auto_route=auto_route)
    assert_planned(decision, "campus")
    assert (decision.method, decision.confidence, decision.requested_kb_prefix) == ("override", 1.0, "campus")


def test_what_was_detected_is_told_beside_the_override(profiles: list[KnowledgeBaseProfile]) -> None:
    assert decide(NAMED, profiles, requested="campus").routed_kb_prefix == "films"


@pytest.mark.parametrize("auto_route", [True, False])
def test_general_can_be_asked_for(profiles: list[KnowledgeBaseProfile], auto_route: bool) -> None:
    decision = decide(NAMED, profiles, requested="general", auto_route=auto_route)
    assert_general(decision)
    assert decision.method == "override"


def test_with_automatic_routing_off_and_nothing_requested_it_is_general(profiles: list[KnowledgeBaseProfile]) -> None:
    decision = decide(NAMED, profiles, auto_route=False)
    assert_general(decision)
    assert decision.method == "default"
    assert "off" in decision.reason


@pytest.mark.parametrize("requested", ["recipes", "FILMS", "films ", "../films", "`films`"])
@pytest.mark.parametrize("auto_route", [True, False])
def test_an_unknown_knowledge_base_is_refused_with_those_that_exist(
    profiles: list[KnowledgeBaseProfile], requested: str, auto_route: bool
) -> None:
    with pytest.raises(UnknownKnowledgeBaseError) as caught:
        decide(NAMED, profiles, requested=requested, auto_route=auto_route)
    assert caught.value.known == ["films", "campus"]
    assert repr(requested) in str(caught.value)


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_a_requested_agent_type_is_the_whole_plan(profiles: list[KnowledgeBaseProfile], agent_type: str) -> None:
    decision = decide(NAMED, profiles, agent_type=agent_type)
    assert [spec.worker_name for spec in decision.plan] == [f"films:{agent_type}:retrieve_only"]


def test_auto_leaves_the_workers_to_the_router(profiles: list[KnowledgeBaseProfile]) -> None:
    assert decide(NAMED, profiles, agent_type="auto") == decide(NAMED, profiles)


@pytest.mark.parametrize("message", [NAMED, "Hello!"])
@pytest.mark.parametrize("requested", ["", "films", "general"])
def test_an_unknown_agent_type_is_refused_also_where_no_worker_is_needed(
    profiles: list[KnowledgeBaseProfile], e5: Embedder, message: str, requested: str
) -> None:
    with pytest.raises(UnknownAgentTypeError):
        decide(message, profiles, e5, agent_type="oracle", requested=requested)
