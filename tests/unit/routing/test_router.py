"""The steps of routing: detect, ask a model where that is in doubt, apply the override policy, plan."""

import logging
from dataclasses import dataclass, field

import pytest

from clew.errors import (
    CallerError,
    ClewError,
    ConfigurationError,
    ModelError,
    ModelThrottledError,
    ModelUnavailableError,
    UnknownAgentTypeError,
    UnknownKnowledgeBaseError,
)
from clew.routing.chooser import Choice, KnowledgeBaseChooser
from clew.routing.decision import RouteDecision
from clew.routing.detection import DOUBT, MARGIN
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.router import CHOICE_CONFIDENCE, MAX_CHOICE_REASON, route
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


@dataclass
class Chooser:
    """A language model that always says the same, and keeps what it was asked."""

    said: Choice | Exception
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    def choose(self, message: str, knowledge_bases: list[KnowledgeBaseProfile]) -> Choice:
        self.asked.append((message, [profile.prefix for profile in knowledge_bases]))
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@dataclass(frozen=True)
class Near:
    """An embedder to which the doubtful message is nearer to films than to general talk, by ``margin``."""

    margin: float
    dimensions: int = 2

    def embed_query(self, text: str) -> Vector:
        return [0.0, 1.0] if text != DOUBTFUL else [0.8 + self.margin, 0.8]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(f"embedded {texts!r}")


DOUBTFUL = "Is it shown there again?"
PLAIN = [KnowledgeBaseProfile(prefix="films", title="-", topic_vectors=((1.0, 0.0),), entity_names=("Inception",))]


def decide(
    message: str,
    profiles: list[KnowledgeBaseProfile],
    embedder: Embedder | None = None,
    *,
    requested: str = "",
    agent_type: str = "",
    auto_route: bool = True,
    chooser: KnowledgeBaseChooser | None = None,
) -> RouteDecision:
    return route(
        message,
        requested_kb_prefix=requested,
        agent_type=agent_type,
        knowledge_bases=profiles,
        embedder=embedder or UntouchedEmbedder(),
        auto_route=auto_route,
        chooser=chooser,
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


def test_the_kind_of_the_question_chooses_the_workers_and_the_decision_tells_why(
    profiles: list[KnowledgeBaseProfile],
) -> None:
    one, two = decide(NAMED, profiles), decide("Why was Inception shot on film?", profiles)
    assert [spec.agent_type for spec in one.plan] == ["graph_agent"]
    assert [spec.agent_type for spec in two.plan] == ["graph_agent", "hybrid_agent"]
    assert "fact" in one.plan_reason
    assert "why" in two.plan_reason
    assert one.reason == two.reason


def test_a_requested_knowledge_base_is_planned_for_by_the_kind_of_the_question(
    profiles: list[KnowledgeBaseProfile],
) -> None:
    decision = decide("Which is longer, Inception or Tenet?", profiles, requested="campus")
    assert [spec.worker_name for spec in decision.plan] == [
        "campus:graph_agent:retrieve_only",
        "campus:deep_research_agent:retrieve_only",
    ]


def test_what_is_about_two_knowledge_bases_is_looked_up_in_both(profiles: list[KnowledgeBaseProfile]) -> None:
    decision = decide("Who directed Inception, and who teaches CS301?", profiles)
    assert decision.kb_prefix == "films"
    assert [spec.worker_name for spec in decision.plan] == [
        "films:graph_agent:retrieve_only",
        "campus:graph_agent:retrieve_only",
    ]
    for said in (decision.reason, decision.plan_reason):
        assert "films" in said
        assert "campus" in said


def test_a_requested_knowledge_base_is_the_only_one_searched(profiles: list[KnowledgeBaseProfile]) -> None:
    decision = decide("Who directed Inception, and who teaches CS301?", profiles, requested="campus")
    assert_planned(decision, "campus")


@pytest.mark.parametrize("margin", [MARGIN["en"] - DOUBT / 2, MARGIN["en"] + DOUBT / 2], ids=["below", "above"])
@pytest.mark.parametrize("prefix", ["films", "general"])
def test_a_model_decides_what_is_in_doubt(margin: float, prefix: str) -> None:
    chooser = Chooser(Choice(prefix, "It says so."))
    decision = decide(DOUBTFUL, PLAIN, Near(margin), chooser=chooser)
    assert (decision.kb_prefix, decision.routed_kb_prefix) == (prefix, prefix)
    assert (decision.method, decision.confidence) == ("llm", CHOICE_CONFIDENCE)
    assert "It says so." in decision.reason
    assert bool(decision.plan) == (prefix != GENERAL)
    assert chooser.asked == [(DOUBTFUL, ["films"])]


def test_of_two_that_share_a_name_a_model_chooses_one(profiles: list[KnowledgeBaseProfile], e5: Embedder) -> None:
    chooser = Chooser(Choice("campus", ""))
    decision = decide("Where does Christopher Nolan work?", profiles, e5, chooser=chooser)
    assert_planned(decision, "campus")
    assert decision.method == "llm"
    assert len(chooser.asked) == 1


@pytest.mark.parametrize(
    ("message", "margin"),
    [
        (NAMED, 0.0),
        (DOUBTFUL, MARGIN["en"] - 2 * DOUBT),
        (DOUBTFUL, MARGIN["en"] + 2 * DOUBT),
    ],
    ids=["named", "far below", "far above"],
)
def test_no_model_is_asked_where_names_or_meaning_decide(message: str, margin: float) -> None:
    chooser = Chooser(Choice("general", ""))
    decision = decide(message, PLAIN, Near(margin), chooser=chooser)
    assert chooser.asked == []
    assert decision == decide(message, PLAIN, Near(margin))


@pytest.mark.parametrize("given", [{"requested": "films"}, {"requested": "general"}, {"auto_route": False}], ids=str)
def test_no_model_is_asked_where_the_answer_is_given(given: dict[str, object]) -> None:
    chooser = Chooser(Choice("films", ""))
    decide(DOUBTFUL, PLAIN, chooser=chooser, **given)  # type: ignore[arg-type]
    assert chooser.asked == []


def test_without_a_knowledge_base_no_model_is_asked() -> None:
    chooser = Chooser(Choice("general", ""))
    assert_general(decide(DOUBTFUL, [], chooser=chooser))
    assert chooser.asked == []


@pytest.mark.parametrize(
    "said",
    [
        ModelThrottledError("secret"),
        ModelUnavailableError("secret"),
        ModelError("secret"),
        ConfigurationError("secret"),
        Choice("recipes", "secret"),
        Choice("", "secret"),
        Choice("FILMS", "secret"),
    ],
    ids=repr,
)
def test_without_a_usable_choice_the_router_decides_itself_and_logs_it(
    said: Choice | ClewError, caplog: pytest.LogCaptureFixture
) -> None:
    near = Near(MARGIN["en"] + DOUBT / 2)
    chooser = Chooser(said)
    with caplog.at_level(logging.WARNING):
        decision = decide(DOUBTFUL, PLAIN, near, chooser=chooser)
    assert decision == decide(DOUBTFUL, PLAIN, near)
    assert len(chooser.asked) == 1
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert DOUBTFUL not in caplog.text
    assert "secret" not in caplog.text


def test_a_fault_that_is_not_the_models_is_not_hidden() -> None:
    with pytest.raises(CallerError):
        decide(DOUBTFUL, PLAIN, Near(MARGIN["en"]), chooser=Chooser(CallerError("x")))


def test_what_a_model_says_is_one_line_of_bounded_length() -> None:
    chooser = Chooser(Choice("films", "because\n" + "very " * 1_000))
    decision = decide(DOUBTFUL, PLAIN, Near(MARGIN["en"]), chooser=chooser)
    assert "\n" not in decision.reason
    assert len(decision.reason) < MAX_CHOICE_REASON + 100
