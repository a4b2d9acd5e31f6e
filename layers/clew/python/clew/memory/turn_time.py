"""When a turn was said, and where a sitting ends and the next begins."""

import functools
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

PAUSE: Final = timedelta(hours=6)
"""Of silence, after which a new sitting begins."""

MONTHS: Final = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_DAY_MONTH_YEAR = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([A-Za-z]{3,9})\.?,? (\d{4})\b")
_MONTH_DAY_YEAR = re.compile(r"\b([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b")
_YEAR_MONTH_DAY = re.compile(r"(\d{4})\s*[年/.-]\s*(\d{1,2})\s*[月/.-]\s*(\d{1,2})")
_SHORTEST_MONTH: Final = 3  # letters


@functools.lru_cache(maxsize=4_096)
def moment(text: str) -> datetime | None:
    """The moment that ``text`` names, in UTC without saying so; None where it names none.

    ISO 8601 is read whole. Of other forms, such as ``8 May, 2023`` or ``2023年5月8日``, the day is read.
    """
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        day = _day(text)
        return datetime.combine(day, time()) if day else None
    return read.astimezone(UTC).replace(tzinfo=None) if read.tzinfo else read


def sittings(times: Sequence[str]) -> list[int]:
    """The number of the sitting that each turn belongs to; a time that is missing or cannot be read begins none."""
    numbers: list[int] = []
    number = 0
    for place, text in enumerate(times):
        if place and _apart(times[place - 1], text):
            number += 1
        numbers.append(number)
    return numbers


def month_number(name: str) -> int | None:
    """1 to 12 for an English month, also a shortened one; None for another word."""
    name = name.lower()
    if len(name) < _SHORTEST_MONTH:
        return None
    return next((number for number, month in enumerate(MONTHS, start=1) if month.startswith(name)), None)


def _apart(one: str, other: str) -> bool:
    before, after = moment(one), moment(other)
    return before is not None and after is not None and abs(after - before) >= PAUSE


def _day(text: str) -> date | None:
    for pattern, order in ((_YEAR_MONTH_DAY, (1, 2, 3)), (_DAY_MONTH_YEAR, (3, 2, 1)), (_MONTH_DAY_YEAR, (3, 1, 2))):
        if found := pattern.search(text):
            year, month, day = (found[group] for group in order)
            number = int(month) if month.isdigit() else month_number(month)
            try:
                return date(int(year), number or 0, int(day))
            except ValueError:
                return None
    return None
