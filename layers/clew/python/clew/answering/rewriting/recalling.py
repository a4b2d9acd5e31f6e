"""What was talked of earlier: «the film we talked about at the beginning», 刚才说的那个导演."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from clew.answering.focus import Focus
from clew.answering.rewriting import chinese, english
from clew.answering.rewriting.antecedents import antecedent, called
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.holders import holder
from clew.answering.rewriting.kinds import NO_KINDS, PEOPLE, Kind, Kinds, fits
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.rewriter import PreviousTurn
from clew.answering.rewriting.window import Window, window_of
from clew.memory.episode import Episode
from clew.text.language import Language

_BEFORE: Final = (
    r"(?:(?:at|in|from) the (?:very )?(?:beginning|start|outset)|in the first place|at first|initially|originally|first"
    r"|earlier(?: on)?|before|previously|just now|a (?:while|moment) ago|last time|above"
    r"|a few (?:questions|messages|turns|minutes) ago)"
)
_TOLD: Final = (
    r"(?:talk(?:ed|ing)? about|sp(?:oke|eaking) (?:of|about)|mention(?:ed)?|discuss(?:ed|ing)?|named|said"
    r"|ask(?:ed|ing)? (?:you )?about|start(?:ed)? with|beg[au]n with)"
)
_WE: Final = r"(?:we|I|you)(?:'ve| have| had| were| was)? (?:(?:just|first|initially|originally|previously) )?"
_EN: Final = (
    re.compile(
        rf"\b(?:the|that) (?:first )?(?P<noun>[a-z]+),? (?:(?:that|which|who|whom) )?{_WE}{_TOLD}(?: {_BEFORE})?", re.I
    ),
    re.compile(
        rf"\b(?:the|that) (?P<noun>[a-z]+) (?:(?:mentioned|discussed|named) )?(?:from (?:before|earlier)|{_BEFORE})"
        r"(?= ?[?.,:!]|$| (?:was|is|did|does|has|released|composed)\b)",
        re.I,
    ),
    re.compile(r"\b(?:the|that) (?:earlier|aforementioned|first-mentioned|above-mentioned) (?P<noun>[a-z]+)\b", re.I),
    re.compile(
        r"(?<=\bback to )(?:the|that) (?P<noun>[a-z]+)(?=\s*(?:[,:;.?!–—]|$))|"
        r"(?<=\breturning to )(?:the|that) (?P<noun_too>[a-z]+)(?=\s*(?:[,:;.?!–—]|$))",
        re.I,
    ),
)
_START_EN: Final = re.compile(r"beginning|start|outset|at first|initially|originally|\bfirst\b|beg[au]n", re.I)
_BEFORE_ZH: Final = any_of(
    "刚才 刚刚 之前 先前 前面 以前 一开始 最开始 刚开始 开头 开始时 最初 最早 起初 早先 上次 早些时候"
)
_START_ZH: Final = re.compile(any_of("一开始 最开始 刚开始 开头 开始时 最初 最早 起初"))
_WE_ZH: Final = r"(?:我们|咱们|我|你|您)?"
_MEASURE: Final = "".join(chinese.MEASURES)
_THAT_ZH: Final = rf"[那这]?一?(?P<measure>[{_MEASURE}])?"
_ZH: Final = (
    re.compile(
        rf"{_WE_ZH}{_BEFORE_ZH}{_WE_ZH}(?:所|有|向你|跟你)?(?:说|提|聊|讲|问|谈论?|讨论|提问|介绍|看)"
        rf"(?:到|过|起|及)*(?:了|的)?(?:关于)?的?{_THAT_ZH}的?"
    ),
    re.compile(rf"回到{_WE_ZH}{_BEFORE_ZH}?的?{_THAT_ZH}"),
    re.compile(rf"{_BEFORE_ZH}的?[那这]一?(?P<measure>[{_MEASURE}])"),
)


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where a message recalls something, what it calls it, and whether it was at the beginning."""

    start: int
    end: int
    noun: str
    wanted: Kinds
    first: bool


def recalled(message: str, window: Window, language: Language) -> str:
    """``message`` with the name that it recalls in its place; the same where it recalls none, or none is found."""
    memory = next(_chinese(message) if language == "zh" else _english(message), None)
    found = _found(message, memory, window) if memory else None
    return apply(message, [Edit(memory.start, memory.end, found.put(language))]) if memory and found else message


def recalled_as(noun: str, wanted: Kinds, message: str, window: Window) -> Mention | None:
    """What an older turn has for a noun: for «that scholarship», when the window has none."""
    if noun in ("one", "thing", "person", "man", "woman", "人", "位"):
        return None
    older = [turn for episode in window.older(message) for turn in window_of([_turn_of(episode)]).turns]
    if found := holder(noun, older) if wanted == PEOPLE else None:
        return found
    mentions = (mention for turn in older for mention in turn.mentions)
    return next((each for each in mentions if each.kind is not Kind.UNKNOWN and fits(each.kind, wanted)), None)


def _english(message: str) -> Iterator[_Memory]:
    for pattern in _EN:
        for match in pattern.finditer(message):
            noun = next(filter(None, match.groups()), "").lower()
            if wanted := english.noun_kinds(noun):
                yield _Memory(*match.span(), noun, wanted, bool(_START_EN.search(match.group())))


def _chinese(message: str) -> Iterator[_Memory]:
    for pattern in _ZH:
        for match in pattern.finditer(message):
            noun, kinds = chinese.noun_at(message, match.end())
            counted = match["measure"] or ""
            measured = chinese.MEASURES.get(counted, NO_KINDS) if counted != "个" else NO_KINDS
            if kinds or measured:
                end = match.end() + len(noun)
                yield _Memory(match.start(), end, noun, kinds or measured, bool(_START_ZH.search(match.group())))


def _found(message: str, memory: _Memory, window: Window) -> Mention | None:
    """In the window, unless the beginning is meant: that, and what the window does not have, is recalled."""
    in_role = memory.noun in english.ROLES or memory.noun in chinese.ROLES
    newer = () if memory.first else (holder(memory.noun, window.turns),) if in_role else (_agreeing(memory, window),)
    if found := next(filter(None, newer), None):
        return found
    episodes = sorted(window.older(message), key=lambda episode: episode.seq if memory.first else 0)
    older = [window_of([_turn_of(episode)]) for episode in episodes]
    in_order = [holder(memory.noun, each.turns) for each in older] if in_role else []
    in_order += [_agreeing(memory, each) for each in older]
    if found := next(filter(None, in_order), None):
        return found
    if in_role and not memory.first and (found := _agreeing(memory, window)):
        return found
    # Where nothing is older than the window, its oldest turn is the beginning.
    oldest = reversed(window.turns) if memory.first else ()
    return next((each for turn in oldest for each in turn.mentions if each.kind in memory.wanted), None)


def _agreeing(memory: _Memory, window: Window) -> Mention | None:
    found = called(memory.noun, window) if memory.noun else None
    found = found or antecedent(window, memory.wanted, preferred=memory.wanted, strict=True)
    return found if found and (found.kind is not Kind.UNKNOWN or memory.wanted != PEOPLE) else None


def _turn_of(episode: Episode) -> PreviousTurn:
    asked = tuple(name for name in episode.names if name in episode.question)
    answered = tuple(name for name in episode.names if name not in episode.question)
    return PreviousTurn(episode.question, Focus(asked=asked, answered=answered), episode.answer)
