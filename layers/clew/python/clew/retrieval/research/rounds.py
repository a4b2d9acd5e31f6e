"""The rounds of research: retrieve, assess, follow; until enough is found, or rounds or time are used up."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from clew.errors import ModelError, TransientError
from clew.retrieval.agents.graph_agent import graph_scores
from clew.retrieval.evidence import EntityRef, Fact, Passage, Round
from clew.retrieval.research.planner import Assessment, Findings, FollowUp, Planner
from clew.retrieval.research.sub_questions import sub_questions
from clew.retrieval.scores import best
from clew.retrieval.search import Search
from clew.retrieval.variety import LOOKED_AT, varied

MAX_ROUNDS: Final = 3
MAX_SECONDS: Final = 8.0  # no round begins after this; a planner may take 5 more, the workflow gives a worker 15
PART_WEIGHT: Final = 0.9  # of what a part of the question finds, against the whole question
ROUND_DECAY: Final = 0.7  # what a round's findings are worth against those of the round before
KEPT: Final = 10
MAX_FOLLOW_UPS: Final = 3  # in a round: each is searched for, however many a planner asks for
SHOWN: Final = 300  # characters that a round tells of a question or of a word

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Research:
    """One question's research; ``rounds`` tells what each round did."""

    scores: dict[str, float] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    linked: list[EntityRef] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    def best(self) -> list[Passage]:
        """The passages found, best first."""
        ranked = best(self.scores, KEPT * LOOKED_AT)
        found = [self.passages[key].model_copy(update={"score": score}) for key, score in ranked.items()]
        return varied(found, KEPT)


def research(search: Search, planner: Planner, clock: Callable[[], float] = time.monotonic) -> Research:
    """Ask the question and its parts, then what each round leaves open."""
    began = clock()
    state = Research()
    parts = sub_questions(search.query, search.links)
    _retrieve(state, search, graph_scores(search), 1.0)
    for part in parts:
        _walk(state, search.follow(part), PART_WEIGHT)
    queries, followed = [search.query, *parts], list[str]()
    asked, known = set(queries), set[str]()
    weight, before = 1.0, 0
    while True:
        found, before = len(state.passages) - before, len(state.passages)
        last = bool(_over(state, found, clock() - began))
        assessment, stopped = _assess(state, search.query, planner, asked, known, last=last)
        follow_ups = _new(assessment, asked)
        stopped = stopped or _over(state, found, clock() - began)
        state.rounds.append(
            Round(
                queries=_shown(queries),
                followed=_shown(followed),
                found=found,
                missing=_shown(assessment.missing),
                stopped=stopped,
            )
        )
        if stopped:
            return state
        weight *= ROUND_DECAY
        queries = [follow.query for follow in follow_ups]
        followed = [follow.entity for follow in follow_ups if follow.entity]
        asked.update(queries)
        known.update(followed)
        for follow in follow_ups:
            next_search = search.follow(follow.query)
            if follow.entity:
                _walk(state, next_search, weight)
            else:
                _retrieve(state, next_search, graph_scores(next_search), weight)


def _over(state: Research, found: int, seconds: float) -> str:
    """Why no round can follow one with ``found`` new passages, whatever is missing; empty if one can."""
    if not found:
        return "nothing new"
    if len(state.rounds) + 1 == MAX_ROUNDS:
        return "rounds"
    return "time" if seconds > MAX_SECONDS else ""


def _assess(
    state: Research, question: str, planner: Planner, asked: set[str], followed: set[str], *, last: bool
) -> tuple[Assessment, str]:
    """The planner's assessment, and why the research ends with it, if it does."""
    findings = Findings(
        question=question,
        linked=tuple(state.linked),
        passages=tuple(state.best()),
        facts=tuple(state.facts),
        asked=frozenset(asked),
        followed=frozenset(followed),
        last=last,
    )
    try:
        assessment = planner.assess(findings)
    except (TransientError, ModelError) as error:
        logger.warning("research ends without its planner: %s", type(error).__name__)
        return Assessment(), "planner failed"
    if not assessment.missing:
        return assessment, "enough"
    if not _new(assessment, asked):
        return assessment, "nothing to follow"
    return assessment, ""


def _new(assessment: Assessment, asked: set[str]) -> list[FollowUp]:
    """What has not been asked yet, each once."""
    new = {follow.query: follow for follow in assessment.follow_ups if follow.query.strip()}
    return [follow for query, follow in new.items() if query not in asked][:MAX_FOLLOW_UPS]


def _shown(texts: Iterable[str]) -> tuple[str, ...]:
    """``texts`` for a round: cut, and fit to be sent, which half of a surrogate pair is not."""
    return tuple(text[:SHOWN].encode("utf-8", "replace").decode() for text in texts)


def _walk(state: Research, search: Search, weight: float) -> None:
    """Follow the graph alone from what a part of the question names: by words and meaning the whole has been asked."""
    _retrieve(state, search, search.walk.passages, weight)


def _retrieve(state: Research, search: Search, scores: dict[str, float], weight: float) -> None:
    """Take in what ``search`` has scored; a passage found twice keeps its better score."""
    for passage in search.passages(scores, KEPT):
        state.passages.setdefault(passage.id, passage)
        state.scores[passage.id] = max(state.scores.get(passage.id, 0.0), weight * passage.score)
    known = {(fact.source, fact.relation, fact.target) for fact in state.facts}
    state.facts += [fact for fact in search.walk.facts if (fact.source, fact.relation, fact.target) not in known]
    if not state.linked:
        state.linked = list(search.walk.linked)
