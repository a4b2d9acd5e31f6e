"""The times that a question names: "in May 2023", "on 8 May", "last month", 去年, 三月八号."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from clew.memory.turn_time import MONTHS, moment, month_number

DAYS_AFTER: Final = 7
"""What happened on a day is told on that day or within so many after it."""

_MONTH: Final = "|".join((*MONTHS, "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept?", "oct", "nov", "dec"))
# English months are words and names too (may, march, April, June): only beside one of these do they count.
_ENGLISH = re.compile(
    r"\b(?:(?P<before>in|during|throughout|around|early|late|mid|last|this)[ -])?"
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? )?"
    rf"(?P<month>{_MONTH})\b\.?"
    r"(?: (?P<day_after>\d{1,2})(?:st|nd|rd|th)?\b)?"
    r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d)\b)?",
    re.I,
)
_CHINESE = re.compile(
    r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月(?:份)?"
    r"(?:\s*(?P<day>\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s*[日号號])?"
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?\b")
_YEAR = re.compile(r"(?<![\d.,])(?P<year>(?:19|20)\d\d)(?:\s*年|(?![\d.,]*\d)\b)")
_RELATIVE: Final = (
    ("day", 0, re.compile(r"\b(?:today|this morning)\b|今天|今早", re.I)),
    ("day", 1, re.compile(r"(?<!before )\byesterday\b|昨天|昨晚", re.I)),
    ("day", 2, re.compile(r"\bthe day before yesterday\b|前天", re.I)),
    ("week", 1, re.compile(r"\blast week\b|上个?(?:星期|礼拜)|上周", re.I)),
    ("month", 1, re.compile(r"\blast month\b|上个?月", re.I)),
    ("year", 1, re.compile(r"\blast year\b|去年", re.I)),
)
_CHINESE_DIGITS: Final = {digit: number for number, digit in enumerate("一二三四五六七八九", start=1)}


@dataclass(frozen=True, slots=True)
class Period:
    """From one day to another, both included; ``yearly`` where no year was named, so that it is of every year."""

    first: date
    last: date
    yearly: bool = False

    def covers(self, day: date) -> bool:
        if not self.yearly:
            return self.first <= day <= self.last
        return (self.first.month, self.first.day) <= (day.month, day.day) <= (self.last.month, self.last.day)


def asked_periods(question: str, asked_at: str = "") -> list[Period]:
    """The periods that ``question`` names; "last month" and its like only where ``asked_at`` (ISO 8601) is known."""
    found: list[Period] = []
    rest = question
    for pattern in (_ISO, _CHINESE, _ENGLISH, _YEAR):
        kept: list[str] = []
        end = 0
        for match in pattern.finditer(rest):
            period = _period(match)
            if period:
                found.append(period)
                kept.append(rest[end : match.start()])
                end = match.end()
        rest = " ".join([*kept, rest[end:]])
    now = moment(asked_at) if asked_at else None
    if now:
        found += _relative(rest, now.date())
    return found


def _period(match: re.Match[str]) -> Period | None:
    named = match.groupdict()
    month = _month(named)
    if "month" in named and not month:
        return None
    day = _number(named.get("day") or named.get("day_after") or "")
    # Every year has the days of a leap year here, so that 29 February has its place.
    year = int(named["year"]) if named.get("year") else 2000
    try:
        if not month:
            return Period(date(year, 1, 1), date(year, 12, 31))
        if not day:
            return Period(*_whole_month(year, month), yearly=not named["year"])
        first = date(year, month, day)
    except ValueError:  # 31 April
        return None
    last = first + timedelta(DAYS_AFTER)
    if not named["year"]:
        return Period(first, min(last, date(year, 12, 31)), yearly=True)
    return Period(first, last)


def _month(named: dict[str, str | None]) -> int | None:
    name = named.get("month") or ""
    if "before" in named and not any(named[part] for part in ("before", "day", "day_after", "year")):
        return None
    number = _number(name) or month_number(name.rstrip("."))
    return number if number and number <= 12 else None


def _number(text: str) -> int | None:
    """What is written in digits of either kind, up to 39; None for anything else."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    tens, ten, ones = text.rpartition("十")
    return (10 * _CHINESE_DIGITS.get(tens, 1) if ten else 0) + _CHINESE_DIGITS.get(ones, 0)


def _whole_month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _relative(question: str, today: date) -> Iterator[Period]:
    for unit, back, pattern in _RELATIVE:
        if not pattern.search(question):
            continue
        if unit == "day":
            yield Period(today - timedelta(back), today - timedelta(back))
        elif unit == "week":
            monday = today - timedelta(today.weekday() + 7 * back)
            yield Period(monday, monday + timedelta(6))
        elif unit == "month":
            yield Period(*_whole_month(*((today.year, today.month - 1) if today.month > 1 else (today.year - 1, 12))))
        else:
            yield Period(date(today.year - back, 1, 1), date(today.year - back, 12, 31))
