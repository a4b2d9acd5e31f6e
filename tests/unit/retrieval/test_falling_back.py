"""A planner with a fallback: research goes on where the first planner fails, and it is not asked in vain."""

import itertools
import logging
from typing import Any, cast

import pytest

from clew.errors import ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.retrieval.evidence import Passage
from clew.retrieval.research.falling_back import FallingBackPlanner
from clew.retrieval.research.planner import Assessment, Findings, FollowUp, Planner
from clew.retrieval.research.rounds import MAX_ROUNDS, MAX_SECONDS, Research, research
from clew.retrieval.search import Search
from clew.retrieval.spreading import Walk

QUESTION = "Where was the composer of Oppenheimer born?"


class ScriptedPlanner:
    """Answers in turn with assessments or errors, the last one again and again."""

    def __init__(self, *answers: Assessment | Exception) -> None:
        self._answers = answers
        self.asked: list[Findings] = []

    def assess(self, findings: Findings) -> Assessment:
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append(findings)
        if isinstance(answer, Exception):
            raise answer
        return answer


class CuriousPlanner:
    """Always has another question."""

    def __init__(self, name: str = "curious") -> None:
        self._name = name
        self.asked: list[Findings] = []

    def assess(self, findings: Findings) -> Assessment:
        self.asked.append(findings)
        return Assessment(("born",), (FollowUp(f"{self._name} {len(self.asked)}"),))


class ScriptedSearch:
    """Finds one passage for each query, of the query's own words; nothing for those that say "nothing"."""

    links: tuple[Any, ...] = ()

    def __init__(self, query: str) -> None:
        self.query = query
        self.walk = Walk([], {})
        self.direct = {} if "nothing" in query else {query: 1.0}

    def begin(self) -> None: ...

    def passages(self, scores: dict[str, float], kept: int) -> list[Passage]:
        return [Passage(id=key, document_id=key, title=key, text=key, score=score) for key, score in scores.items()]

    def follow(self, query: str) -> "ScriptedSearch":
        return ScriptedSearch(query)


def researched(planner: Planner, question: str = QUESTION, step: float = 0.0) -> Research:
    """Research in which each look at the clock comes ``step`` seconds after the one before."""
    clock = itertools.count(0.0, step)
    return research(cast(Search, ScriptedSearch(question)), planner, lambda: float(next(clock)))


FAILURES = [
    ModelUnavailableError("The model 'secret words' cannot be reached."),
    ModelThrottledError("The model 'secret words' is asked too much."),
    ModelError("The model 'secret words' answered with something that cannot be read."),
    ConfigurationError("There are no AWS credentials for 'secret words'."),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_where_the_first_planner_fails_the_fallback_plans_that_round(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    first = ScriptedPlanner(failure, Assessment())
    fallback = CuriousPlanner("Ludwig Göransson")
    with caplog.at_level(logging.WARNING):
        found = researched(FallingBackPlanner(first, fallback))
    assert [each.queries for each in found.rounds] == [(QUESTION,), ("Ludwig Göransson 1",)]
    assert found.rounds[-1].stopped == "enough"  # which only the first planner says
    assert [record.getMessage() for record in caplog.records] == [f"planned by the fallback: {type(failure).__name__}"]


def test_without_a_fallback_research_ends_with_what_there_is() -> None:
    found = researched(ScriptedPlanner(FAILURES[0]))
    assert [each.stopped for each in found.rounds] == ["planner failed"]
    assert [passage.id for passage in found.best()] == [QUESTION]


def test_what_is_no_failure_of_a_planner_is_not_hidden() -> None:
    with pytest.raises(KeyError):
        researched(FallingBackPlanner(ScriptedPlanner(KeyError("a bug")), CuriousPlanner()))


def test_after_the_last_round_the_first_planner_is_not_asked() -> None:
    first, fallback = CuriousPlanner("first"), CuriousPlanner("fallback")
    found = researched(FallingBackPlanner(first, fallback))
    assert [each.queries for each in found.rounds] == [(QUESTION,), ("first 1",), ("first 2",)]
    assert found.rounds[-1].stopped == "rounds"
    assert found.rounds[-1].missing == ("born",)
    assert (len(first.asked), len(fallback.asked)) == (MAX_ROUNDS - 1, 1)


@pytest.mark.parametrize(
    ("question", "step", "stopped"),
    [("nothing of that kind", 0.0, "nothing new"), (QUESTION, MAX_SECONDS + 1, "time")],
    ids=["nothing found", "time used up"],
)
def test_a_planner_is_told_where_no_round_can_follow(question: str, step: float, stopped: str) -> None:
    planner = CuriousPlanner()
    found = researched(planner, question, step)
    assert [each.stopped for each in found.rounds] == [stopped]
    assert [findings.last for findings in planner.asked] == [True]


def test_no_round_follows_an_assessment_that_took_too_long() -> None:
    planner = CuriousPlanner()
    found = researched(planner, step=MAX_SECONDS - 1)  # in time before the planner is asked, too late after it
    assert [each.stopped for each in found.rounds] == ["time"]
    assert [findings.last for findings in planner.asked] == [False]
