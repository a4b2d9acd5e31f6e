"""Places and times of earlier turns: «there», «that year», 那里, 当时."""

import re
from collections.abc import Iterator
from typing import Final

from clew.answering.rewriting import asking
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.kinds import PLACES, Kind
from clew.answering.rewriting.mentions import TurnNames
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.window import Window
from clew.text.language import Language

_MONTH: Final = any_of("January February March April May June July August September October November December")

_THERE: Final = re.compile(
    r"(?<!hey )(?<!hi )(?<!hello )\b(?P<prep>from |in |at |near |around )?(?P<there>there)\b", re.I
)
# «Is there an office?», «There are four schools.»
_EXISTS_BEFORE: Final = re.compile(
    rf"\b{any_of('is are was were will would has have had be been can could')}(?:n't)?\s*$", re.I
)
_EXISTS_AFTER: Final = re.compile(
    rf"\s*(?:{any_of('is are was were will has have had any be been a an exist exists no more')}\b|'s\b)", re.I
)
_GOING: Final = re.compile(r"\b(?:get|go|come|walk|travel|move|drive)\s*$", re.I)
_THERE_ZH: Final = re.compile(r"那里|那儿|那边|当地|该地(?!址)")
_CITY: Final = re.compile(r"\b(?:that|this|the same) (?:city|town|place)\b|[那这同]一?[座个](?:城市|城|地方)", re.I)

_FOUR_DIGITS: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DATED: Final = re.compile(rf"\b(?:\d{{1,2}} )?{_MONTH} (?:1[5-9]|20)\d\d\b|(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_CALENDAR_DAY: Final = re.compile(rf"\b\d{{1,2}} {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b|\d{{1,2}}月\d{{1,2}}日")
# What points at a time, and how the time is written that it means.
_TIMES_EN: Final = (
    (re.compile(r"(?:\b(?:in|during|from) )?\b(?:that|the same) year\b", re.I), _FOUR_DIGITS),
    (
        re.compile(r"\b(?:back then|at (?:that|the same) time|in those days)\b|(?<=\w )then(?=\s*[?.]?\s*$)", re.I),
        _DATED,
    ),
    (re.compile(r"\b(?:on )?(?:that|the same) (?:day|date)\b", re.I), _CALENDAR_DAY),
)
_TIMES_ZH: Final = (
    (re.compile(r"[那同这]一?年(?!级|代|度|来|里)|当年"), _FOUR_DIGITS),
    (re.compile(r"当时|那个?时候?|那会儿|那阵子"), _FOUR_DIGITS),
    (re.compile(r"那一?天|当天"), _CALENDAR_DAY),
)

_CAPITAL: Final = r"[A-Z][\w'’-]*"
_PLACE_EN: Final = re.compile(
    rf"\b(?P<prep>in|at) (?P<name>(?:the )?(?:University of |School of )?{_CAPITAL}"
    rf"(?:(?: of(?: the)?)? {_CAPITAL}|,? Room \d+| \d+\b|, (?!in |and ){_CAPITAL})*)"
    r"(?! (?:literature|language|semester|students?))"
)
_NO_PLACE: Final = re.compile(rf"(?:{_MONTH}|(?:the )?(?:English|Chinese|French|German|Japanese|Korean)|\w+day)\b")
_BODY_ZH: Final = (
    r"(?:大学|学院|研究生院|校区|市|省|县|城|岛|国|处|中心|厅|村|[楼馆](?:[一二三四五六七八九十]层)?)(?:\d{2,4}室)?"
)
_PLACE_ZH: Final = re.compile(
    r"(?:出生于|生于|位于|考入|就读于|毕业于|来自|[在到于])"
    rf"(?P<name>(?!\d{{4}}年)(?:[㐀-鿿A-Za-z·]{{2,14}}?{_BODY_ZH}|[㐀-鿿]{{2,8}}(?=[，。；、]|$)))"
)


def resolve(message: str, window: Window, language: Language) -> str:
    """``message`` with the place or time put in that it points at; the same where no turn gives one."""
    places = _chinese_places(message, window) if language == "zh" else _english_places(message, window)
    return apply(message, [*places, *_cities(message, window), *_times(message, window, language)])


def _english_places(message: str, window: Window) -> Iterator[Edit]:
    for match in _THERE.finditer(message):
        before, after = message[: match.start("there")], message[match.end("there") :]
        exists = _EXISTS_AFTER.match(after) or (_EXISTS_BEFORE.search(before) and re.match(r"\s+\w", after))
        if not exists and match["there"][0].islower() and (place := _place(window)):
            preposition = "to" if _GOING.search(before) else (match["prep"] or place[0]).strip()
            yield Edit(match.start(), match.end("there"), f"{preposition} {place[1]}")


def _chinese_places(message: str, window: Window) -> Iterator[Edit]:
    if (match := _THERE_ZH.search(message)) and (place := _place(window)):
        yield Edit(*match.span(), place[1])


def _cities(message: str, window: Window) -> Iterator[Edit]:
    if match := _CITY.search(message):
        told = (_place_told(turn) for turn in window.turns if turn.asks_place)
        if place := next(filter(None, told), None):
            yield Edit(*match.span(), place[1])


def _times(message: str, window: Window, language: Language) -> Iterator[Edit]:
    for pattern, time in _TIMES_ZH if language == "zh" else _TIMES_EN:
        match = pattern.search(message)
        if match and (found := _time(window, time, strict=match.group().lower() == "then")):
            if language == "zh":
                text = f"{found}年" if time is _FOUR_DIGITS else found
            else:
                text = f"{'on' if re.match(r'[0-9]{1,2} |.* [0-9]{1,2}$', found) else 'in'} {found}"
            yield Edit(*match.span(), text)


def _place(window: Window) -> tuple[str, str] | None:
    """The newest place that an answer tells, after its English preposition; else a place that a turn names."""
    for turn in window.turns:
        if place := _place_told(turn):
            return place
        for mention in (*turn.answered, *turn.asked):
            if mention.kind in PLACES:
                preposition = "in" if mention.kind is Kind.PLACE else "at"
                return preposition, mention.put("en" if mention.name.isascii() else "zh")
    return None


def _place_told(turn: TurnNames) -> tuple[str, str] | None:
    # A film is no place, though «in Inception» reads like one.
    others = {mention.name for mention in turn.mentions if mention.kind not in PLACES | {Kind.UNKNOWN}}
    for match in _PLACE_EN.finditer(turn.answer):
        name = match["name"].rstrip(", ")
        if not _NO_PLACE.match(name) and name not in others:
            return match["prep"], name
    found = _PLACE_ZH.search(turn.answer)
    return ("in", found["name"]) if found else None


def _time(window: Window, pattern: re.Pattern[str], *, strict: bool) -> str:
    """The newest time told; with ``strict`` only by a turn that asked when."""
    for turn in window.turns:
        if strict and not asking.FOR_TIME.search(turn.question):
            continue
        for text in (turn.answer, turn.question):
            if match := pattern.search(_without_names(text, turn)):
                return match.group()
    return ""


def _without_names(text: str, turn: TurnNames) -> str:
    """``text`` without names: Blade Runner 2049 tells no year."""
    for mention in turn.mentions:
        text = text.replace(mention.name, "")
    return text
