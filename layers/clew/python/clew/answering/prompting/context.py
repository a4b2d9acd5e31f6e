"""The context of a turn: all that its prompt shall hold, within a budget of tokens.

System text and question are never cut. Of all else, whole items go before sentences do: the window's
oldest turns, and the episodes, passages, themes and facts that bear least on the question. What is by
itself longer than its part can hold is cut at the ends of its sentences.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from clew.answering.prompting.budget import ContextBudget, shares
from clew.answering.prompting.fitting import fit
from clew.answering.prompting.parts import PartCosts
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.prompting.report import ContextReport, Part, PartReport
from clew.answering.prompting.token_counter import EstimatedCounter, TokenCounter
from clew.answering.prompting.window import SpokenTurn, turns_of
from clew.conversation.message import Message
from clew.memory.episode import Episode
from clew.retrieval.evidence import CommunityRef, Passage
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import Language

BUDGET: Final = ContextBudget()
ESTIMATE: Final = EstimatedCounter()
EPISODES: Final = 3  # of a prompt at most; what the budget reckons with

_Item = TypeVar("_Item")


def assemble(
    *,
    question: str,
    standalone_question: str,
    language: Language,
    evidence: Sequence[Passage] = (),
    themes: Sequence[CommunityRef] = (),
    messages: Sequence[Message] = (),
    summary: str = "",
    episodes: Sequence[Episode] = (),
    known_of_user: Sequence[str] = (),
    general: bool = False,
    knowledge_bases: Sequence[KnowledgeBaseSummary] = (),
    budget: ContextBudget = BUDGET,
    counter: TokenCounter = ESTIMATE,
) -> tuple[Prompt, ContextReport]:
    """The prompt of a turn within ``budget``, and what of the context it holds.

    ``messages`` are those before this question, in order, citation marks and all: of them the window is
    made. ``evidence``, ``themes``, ``episodes`` and ``known_of_user`` come best first. Of the episodes the
    first ``EPISODES`` that the window does not tell are taken, so more may be given, those of turns among
    the messages too: a turn that the window has no room for can still be told as an episode. Passages
    keep their order and so their numbers: what is missing is missing at the end. Citations are to be
    looked up in the prompt's ``evidence``.

    Where something had to go and nothing is known yet of the model's vocabulary, the model's own
    counter is asked once, if it has one, and the context is assembled anew: call this in a thread.
    """
    given = Prompt(
        question=question,
        standalone_question=standalone_question,
        language=language,
        evidence=() if general else tuple(evidence),
        themes=() if general else tuple(themes),
        summary=summary.strip(),
        episodes=tuple(episodes),
        known_of_user=tuple(fact for fact in known_of_user if fact.strip()),
        general=general,
        knowledge_bases=tuple(knowledge_bases),
    )
    turns = turns_of(messages)[::-1]
    prompt, report = _fitted(given, turns, budget, PartCosts(language, counter.count))
    if report.shortened and counter.measure(render(prompt)):
        prompt, report = _fitted(given, turns, budget, PartCosts(language, counter.count))
    return prompt, report


def _fitted(
    given: Prompt, turns: Sequence[SpokenTurn], budget: ContextBudget, costs: PartCosts
) -> tuple[Prompt, ContextReport]:
    """``given``, whose episodes are best first, with what fits of it and of ``turns``, newest first."""
    system, question = costs.system(given), costs.question(given)
    passages = list(enumerate(given.evidence, start=1))
    summary = [given.summary] if given.summary else []
    wanted = {
        "known_of_user": min(budget.known_of_user, _sum(given.known_of_user, costs.fact)),
        "history": min(
            budget.history,
            _sum(summary, costs.summary)
            + _sum(_untold(given.episodes, turns), costs.episode)
            + _sum(turns, costs.turn),
        ),
        "evidence": min(budget.evidence, _sum(passages, costs.passage)),
        "themes": min(budget.themes, _sum(given.themes, costs.theme)),
    }
    limits = shares(budget.total - system - question, wanted)

    facts = fit(given.known_of_user, limits["known_of_user"], costs.fact, costs.shorter_fact)
    evidence = fit(passages, limits["evidence"], costs.passage, costs.shorter_passage, fill=True)
    themes = fit(given.themes, limits["themes"], costs.theme, lambda *_: None)

    # Where the model has little room, all of history shrinks alike.
    within = budget.scaled(limits["history"] / max(1, wanted["history"]))
    room = limits["history"]
    kept_summary = fit(summary, min(room, within.summary), costs.summary, costs.shorter_summary)
    room -= _sum(kept_summary, costs.summary)
    untold, episodes, window = _told(given.episodes, turns, room, within, costs)

    prompt = replace(
        given,
        evidence=tuple(passage for _, passage in evidence),
        themes=themes,
        history=tuple(message for turn in reversed(window) for message in turn.messages),
        summary="".join(kept_summary),
        episodes=tuple(sorted(episodes, key=lambda episode: episode.seq)),
        known_of_user=facts,
    )
    parts: dict[Part, PartReport] = {
        "system": PartReport(1, 1, 0, system, system),
        "question": PartReport(1, 1, 0, question, question),
        "known_of_user": _report(given.known_of_user, facts, costs.fact),
        "summary": _report(summary, kept_summary, costs.summary),
        "episodes": _report(untold, episodes, costs.episode),
        "window": _report(turns, window, costs.turn),
        "evidence": _report(passages, evidence, costs.passage),
        "themes": _report(given.themes, themes, costs.theme),
    }
    return prompt, ContextReport(budget.total, parts)


def _told(
    episodes: Sequence[Episode], turns: Sequence[SpokenTurn], room: int, within: ContextBudget, costs: PartCosts
) -> tuple[Sequence[Episode], tuple[Episode, ...], tuple[SpokenTurn, ...]]:
    """Episodes to be told, those of them that fit, and the window beside them, in ``room`` tokens.

    A turn that falls out of the window may become an episode, which takes room from the window in turn,
    so the window only ever shrinks until both fit.
    """
    while True:
        untold = _untold(episodes, turns)
        kept = _fit_cutting_long_ones(
            untold, min(room, within.episodes), within.episode, costs.episode, costs.shorter_episode
        )
        left = room - _sum(kept, costs.episode)
        window = _fit_cutting_long_ones(turns, left, within.turn, costs.turn, costs.shorter_turn)
        if len(window) == len(turns):
            return untold, kept, window
        turns = turns[: len(window)]


def _untold(episodes: Iterable[Episode], turns: Iterable[SpokenTurn]) -> list[Episode]:
    """The best episodes that none of ``turns`` tells."""
    told = frozenset[int]().union(*(turn.answers for turn in turns))
    return [episode for episode in episodes if episode.seq not in told][:EPISODES]


def _fit_cutting_long_ones(
    items: Sequence[_Item],
    limit: int,
    long: int,
    cost: Callable[[_Item], int],
    shorten: Callable[[_Item, int], _Item | None],
) -> tuple[_Item, ...]:
    """``fit``, but where not all fit, those of more than ``long`` tokens are cut to that before any goes."""
    if _sum(items, cost) > limit:
        items = [(shorten(item, long) or item) if cost(item) > long else item for item in items]
    return fit(items, limit, cost, shorten)


def _sum(items: Iterable[_Item], cost: Callable[[_Item], int]) -> int:
    return sum(map(cost, items))


def _report(given: Sequence[_Item], kept: Sequence[_Item], cost: Callable[[_Item], int]) -> PartReport:
    """What was kept is what was given, best first, some of it cut."""
    cut = sum(one is not other for one, other in zip(given, kept, strict=False))
    return PartReport(len(given), len(kept), cut, _sum(given, cost), _sum(kept, cost))
