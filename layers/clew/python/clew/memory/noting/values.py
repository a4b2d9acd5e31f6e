"""Days, times of day and amounts, in English and Chinese: what is most often changed of a decision."""

import re
from typing import Final

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_NUMBER: Final = r"(?:\d[\d,.]*\d|\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_HAN_NUMBER: Final = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_PART_OF_DAY: Final = r"(?:上午|下午|晚上|早上|中午|凌晨)"

DAY: Final = re.compile(
    r"\b(?:on )?(?:next |this )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    rf"|\b(?:on )?{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b(?:on )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?: \d{{4}})?\b"
    r"|\b(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)\b|\b(?:on )?\d{4}-\d\d-\d\d\b|\btomorrow\b"
    r"|\b(?:next|this) (?:week(?:end)?|month|semester|term|year)\b"
    r"|(?:下下?个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天末]"
    rf"|{_HAN_NUMBER}月(?:{_HAN_NUMBER}[日号]?|[初中底])|{_HAN_NUMBER}号(?![楼线院馆厅])"
    r"|明天|后天|下个?(?:周|月|学期|星期)|本(?:周|月|学期)",
    re.I,
)
CLOCK: Final = re.compile(
    r"\b(?:at )?\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)(?!\w)|\b(?:at )?\d{1,2}:\d\d\b"
    r"|\b(?:at )?(?:noon|midnight)\b"
    rf"|{_PART_OF_DAY}?{_HAN_NUMBER}(?:点半?|[:：]\d\d|时)(?:\d{{1,2}}分|[一三]刻)?|{_PART_OF_DAY}",
    re.I,
)
AMOUNT: Final = re.compile(
    rf"(?:[$€£¥]\s?\d[\d,.]*|\b{_NUMBER}(?:%|\b))"
    r"(?:\s?(?:percent|euros?|dollars?|yuan|RMB|USD|EUR|people|persons|credits?|pages?|hours?|minutes?|days?"
    r"|weeks?)\b)?"
    r"|[\d一二两三四五六七八九十百千万]{1,8}(?:元|块|美元|欧元|人|个人|学分|页|小时|分钟|天|周|个月|万|个|本|部|门)",
    re.I,
)
KINDS_OF_VALUE: Final = (DAY, CLOCK, AMOUNT)
_PREPOSITION = re.compile(r"^(?:on|at) ", re.I)


def values_of(text: str) -> list[tuple[re.Pattern[str], str]]:
    """The first value of each kind that ``text`` has, as its kind and its words."""
    found = []
    for kind in KINDS_OF_VALUE:
        if match := kind.search(text):
            found.append((kind, match.group()))
            text = f"{text[: match.start()]} {text[match.end() :]}"
    return found


def without_values(text: str) -> str:
    for kind in KINDS_OF_VALUE:
        text = kind.sub(" ", text)
    return text


def put_in_place(text: str, old: re.Match[str], new: str) -> tuple[str, int]:
    """``text`` with ``new`` for ``old`` («on Thursday» becomes «on Friday»), and where that ends."""
    preposition = _PREPOSITION.match(old.group())
    put = (preposition.group() if preposition else "") + _PREPOSITION.sub("", new)
    return text[: old.start()] + put + text[old.end() :], old.start() + len(put)
