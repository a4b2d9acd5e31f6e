"""The rounds of research: what each asks, takes in and tells, and why the last one is the last."""

import logging
from collections.abc import Callable

import pytest

from clew.errors import GraphUnavailableError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.retrieval.agents.deep_research_agent import DeepResearchAgent
from clew.retrieval.evidence import EntityRef, Reference
from clew.retrieval.research.planner import Assessment, Findings, FollowUp, Planner
from clew.retrieval.research.rounds import MAX_FOLLOW_UPS, MAX_ROUNDS, MAX_SECONDS, SHOWN, Research, research
from clew.retrieval.research.rule_planner import RulePlanner
from clew.retrieval.search import searching
from tests.unit.retrieval.small_reader import Relation, SmallReader, Text, WordEmbedder, films

QUESTION = "Where was the composer of Inception born?"


class ScriptedPlanner:
    """Gives one assessment after another, the last one from then on, and notes the findings it was shown."""

    def __init__(self, *assessments: Assessment | Exception) -> None:
        self.shown: list[Findings] = []
        self._assessments = assessments

    def assess(self, findings: Findings) -> Assessment:
        assessment = self._assessments[min(len(self.shown), len(self._assessments) - 1)]
        self.shown.append(findings)
        if isinstance(assessment, Exception):
            raise assessment
        return assessment


def line(length: int) -> SmallReader:
    """Stations in a row, each related to the next, and a passage about each."""
    stations = [EntityRef(id=f"s{number}", name=f"Station{number}") for number in range(length)]
    texts = [Text(f"p{number}", f"s{number}", f"Here is place {number}.") for number in range(length)]
    relations = [Relation(f"s{number}", f"s{number + 1}", "…", f"p{number}") for number in range(length - 1)]
    return SmallReader(stations, texts, relations)


def to(*places: int) -> Assessment:
    """Something is missing, and these stations are to be asked."""
    return Assessment(("it",), tuple(FollowUp(f"Station{place} it", f"Station{place}") for place in places))


def researched(
    planner: Planner,
    query: str = "Station0",
    reader: SmallReader | None = None,
    clock: Callable[[], float] = lambda: 0.0,
    embedder: WordEmbedder | None = None,
) -> Research:
    with searching(reader or line(40), embedder or WordEmbedder(), query) as search:  # type: ignore[arg-type]
        return research(search, planner, clock)


def stopped(found: Research) -> str:
    assert [each.stopped for each in found.rounds[:-1]] == [""] * (len(found.rounds) - 1)
    return found.rounds[-1].stopped


def test_it_is_enough_when_nothing_is_missing() -> None:
    found = researched(ScriptedPlanner(Assessment()))
    assert (len(found.rounds), stopped(found)) == (1, "enough")
    assert found.rounds[0].queries == ("Station0",)
    assert found.rounds[0].found == len(found.passages) > 0


def test_it_ends_when_nothing_leads_on() -> None:
    found = researched(ScriptedPlanner(Assessment(("it",))))
    assert (len(found.rounds), stopped(found)) == (1, "nothing to follow")
    assert found.rounds[0].missing == ("it",)


def test_a_question_that_was_asked_leads_nowhere() -> None:
    asked_again = Assessment(("it",), (FollowUp("Station0"), FollowUp("  "), FollowUp("Station9 it", "Station9")))
    planner = ScriptedPlanner(asked_again)
    found = researched(planner)
    assert [each.queries for each in found.rounds] == [("Station0",), ("Station9 it",)]
    assert stopped(found) == "nothing to follow"
    assert planner.shown[-1].asked == {"Station0", "Station9 it"}


def test_it_ends_when_a_round_finds_nothing_new() -> None:
    found = researched(ScriptedPlanner(to(1), to(2)), "Station0", line(3))
    assert (len(found.rounds), stopped(found)) == (2, "nothing new")
    assert found.rounds[-1].found == 0


def test_it_ends_after_as_many_rounds_as_there_may_be() -> None:
    planner = ScriptedPlanner(to(10), to(20), to(30), to(35))
    found = researched(planner)
    assert (len(found.rounds), stopped(found)) == (MAX_ROUNDS, "rounds")
    assert [each.queries for each in found.rounds] == [("Station0",), ("Station10 it",), ("Station20 it",)]
    assert [each.followed for each in found.rounds] == [(), ("Station10",), ("Station20",)]
    assert all(each.found > 0 for each in found.rounds)
    assert [each.last for each in planner.shown] == [False, False, True]


@pytest.mark.parametrize(("step", "rounds"), [(0.0, MAX_ROUNDS), (MAX_SECONDS / 1.5, 2), (MAX_SECONDS + 1, 1)])
def test_no_round_begins_when_the_time_is_up(step: float, rounds: int) -> None:
    """Each round takes a step of the clock."""
    reader = line(40)
    planner = ScriptedPlanner(to(10), to(20), to(30))
    found = researched(planner, reader=reader, clock=lambda: step * reader.calls.count("mentioning"))
    assert [each.last for each in planner.shown] == [False] * (rounds - 1) + [True]
    assert len(found.rounds) == rounds
    assert stopped(found) == ("rounds" if rounds == MAX_ROUNDS else "time")


def test_a_planner_that_takes_all_the_time_has_no_round_after_it() -> None:
    planner = ScriptedPlanner(to(10))
    found = researched(planner, clock=lambda: (MAX_SECONDS + 1) * len(planner.shown))
    assert (len(found.rounds), stopped(found)) == (1, "time")
    assert found.rounds[0].missing == ("it",)


@pytest.mark.parametrize("error", [ModelThrottledError("busy"), ModelUnavailableError("gone"), ModelError("refused")])
def test_a_planner_that_fails_ends_it_with_what_there_is(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        found = researched(ScriptedPlanner(to(10), error))
    assert (len(found.rounds), stopped(found)) == (2, "planner failed")
    assert found.rounds[-1].found > 0
    assert {"p0", "p10"} <= {passage.id for passage in found.best()}
    (record,) = caplog.records
    assert type(error).__name__ in record.getMessage()


def test_a_graph_that_fails_ends_it_with_its_error() -> None:
    reader = line(40)

    def cut(name: str) -> None:
        if reader.calls.count("link") == 2:
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.")

    reader.before = cut
    with pytest.raises(GraphUnavailableError):
        researched(ScriptedPlanner(to(10)), reader=reader)


def test_what_the_planner_asks_is_found_and_worth_less_round_by_round() -> None:
    planner = ScriptedPlanner(to(10), to(20, 30), Assessment())
    found = researched(planner)
    assert [each.queries for each in found.rounds] == [
        ("Station0",),
        ("Station10 it",),
        ("Station20 it", "Station30 it"),
    ]
    assert stopped(found) == "enough"
    scores = {passage.id: passage.score for passage in found.best()}
    assert scores["p0"] > scores["p10"] > scores["p20"] == scores["p30"] > 0
    assert [each.followed for each in planner.shown] == [
        frozenset(),
        {"Station10"},
        {"Station10", "Station20", "Station30"},
    ]


def test_a_passage_found_again_keeps_its_better_score() -> None:
    once = {passage.id: passage.score for passage in researched(ScriptedPlanner(Assessment())).best()}
    again = {passage.id: passage.score for passage in researched(ScriptedPlanner(to(2), Assessment())).best()}
    assert again["p0"] == once["p0"]
    assert again["p2"] > once["p2"]


def test_a_question_that_follows_no_entity_is_searched_for_by_words_and_meaning() -> None:
    embedder = WordEmbedder()
    researched(ScriptedPlanner(Assessment(("it",), (FollowUp("Which place is 33?"),)), Assessment()), embedder=embedder)
    assert embedder.queries == ["Station0", "Which place is 33?"]


def test_a_planner_cannot_ask_for_too_much() -> None:
    found = researched(ScriptedPlanner(to(*range(5, 35)), Assessment()))
    assert found.rounds[1].queries == tuple(f"Station{place} it" for place in range(5, 5 + MAX_FOLLOW_UPS))


def test_the_planner_is_shown_what_all_rounds_have_brought() -> None:
    planner = ScriptedPlanner(to(1, 10), Assessment())
    researched(planner)
    first, second = planner.shown
    assert first.question == second.question == "Station0"
    assert [entity.name for entity in second.linked] == ["Station0"]
    assert "p0" in {passage.id for passage in first.passages}
    assert {"p0", "p10"} <= {passage.id for passage in second.passages}
    assert {"Station0", "Station10"} <= {fact.source for fact in second.facts}
    assert {"Station0", "Station1"} <= {fact.source for fact in first.facts}  # told of again by the walk from Station1
    told = [(fact.source, fact.relation, fact.target) for fact in second.facts]
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("query", "parts", "both"),
    [
        (
            "Which came first, Inception or Crouching Tiger, Hidden Dragon?",
            ("Which came first, Inception or ?", "Which came first, or Crouching Tiger, Hidden Dragon?"),
            {"film", "film-zh"},
        ),
        (
            "《盗梦空间》和《卧虎藏龙》哪部先上映？",
            ("《盗梦空间》和《》哪部先上映？", "《》和《卧虎藏龙》哪部先上映？"),
            {"film", "film-zh"},
        ),
    ],
)
def test_the_parts_of_a_comparison_are_asked_in_the_first_round(
    query: str, parts: tuple[str, ...], both: set[str]
) -> None:
    reader = films()
    found = researched(ScriptedPlanner(Assessment()), query, reader)
    assert found.rounds[0].queries == (query, *parts)
    assert reader.calls.count("link") == 1 + len(parts)
    assert {passage.id for passage in found.best()[:2]} == both


def test_what_a_round_tells_is_short_and_can_be_sent() -> None:
    half = "\ud83c " + "Station0 " * 200
    follow = Assessment(("x" * 10_000, "\udc00"), (FollowUp("Station9" + " y" * 10_000, "z" * 10_000),))
    found = researched(ScriptedPlanner(follow, Assessment()), half)
    for each in found.rounds:
        assert max(map(len, (*each.queries, *each.followed, *each.missing))) <= SHOWN
        each.model_dump_json().encode()


@pytest.mark.parametrize(
    ("query", "passages"),
    [
        (QUESTION, {"film", "composer", "city"}),
        ("《卧虎藏龙》的作曲者出生在哪座城市？", {"film-zh", "composer-zh", "city-zh"}),
    ],
)
def test_by_rule_a_question_of_two_hops_is_answered_in_one_round(query: str, passages: set[str]) -> None:
    reader, embedder = films(), WordEmbedder()
    result = DeepResearchAgent(reader, embedder, RulePlanner()).retrieve_with_trace(query, "s1")  # type: ignore[arg-type]
    assert passages <= {each["id"] for each in result["retrieval_results"]}
    rounds = Reference.model_validate(result["reference"]).rounds
    assert rounds[0].queries[0] == query
    assert rounds[-1].stopped in ("enough", "nothing to follow", "nothing new")
