"""Ordinals over what an answer lists: «the second one», 第三部."""

import re
from typing import Final

from clew.answering.rewriting import chinese, english
from clew.answering.rewriting.antecedents import group
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.kinds import ANYTHING, WORKS, Kinds
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.patterns import listed
from clew.answering.rewriting.window import Window
from clew.text.language import Language

ENGLISH: Final = "|".join(english.ORDINALS)
MEASURES: Final = "".join(chinese.MEASURES)

_EN: Final = re.compile(
    rf"\bthe (?P<ordinal>{ENGLISH})(?: (?!of )(?P<noun>[a-z]+))?"
    r"(?P<of> of (?:these|them|those|the (?:list|two|three|four|five)))?\b(?P<after> (?!of)[a-z]+)?",
    re.I,
)
_ZH: Final = re.compile(rf"(?P<ordinal>{chinese.ORDINAL})(?P<measure>[{MEASURES}])")
# «the first film of …», «the first to win»: the message says itself which.
_COMPLEMENT: Final = listed("of by to that which who with about from for not in since after before ever")
# «When was the first released?»
_VERBS: Final = listed("released directed shown made shot taught about called based like win won cost begin")
# 他的第一部电影 is counted by what stands before it.
_LEADS_ZH: Final = re.compile(r"(?:^|[，,。？?！!；;：:\s]|那么?|请问|还有|介绍一?下|[和对把在由给是为])$")
_NO_COUNT_ZH: Final = re.compile(r"问题|学期|学年|学分|星期|月|周|年级|季度|阶段")


def resolve(message: str, window: Window, language: Language) -> str:
    """``message`` with the listed names in the place of its ordinals; the same where nothing is listed."""
    pattern, edit = (_ZH, _chinese_edit) if language == "zh" else (_EN, _english_edit)
    return apply(message, [found for match in pattern.finditer(message) if (found := edit(match, window))])


def nth(members: list[Mention], number: int) -> Mention | None:
    """The member that an ordinal means, -1 for the last; None where there are not so many."""
    index = number - 1 if number > 0 else number
    return members[index] if members and -len(members) <= index < len(members) else None


def _english_edit(match: re.Match[str], window: Window) -> Edit | None:
    noun, of_these = match["noun"] or "", bool(match["of"])
    verb = noun in _VERBS
    kinds = ANYTHING if not noun or verb or noun == "one" else english.noun_kinds(noun)
    ends = not re.match(r"\s*\w", match.string[match.end() :])  # «Where is the second one from?»
    after = (match["after"] or "").strip().lower() if not ends else ""
    if not of_these and (not noun or not kinds or after in _COMPLEMENT):
        return None
    found = nth(group(window, kinds or ANYTHING), english.ORDINALS[match["ordinal"].lower()])
    end = match.end("of") if of_these else match.end("ordinal") if verb else match.end("noun")
    return Edit(match.start(), end, found.put("en")) if found else None


def _chinese_edit(match: re.Match[str], window: Window) -> Edit | None:
    message, start, end = match.string, match.start(), match.end()
    if not _LEADS_ZH.search(message[:start]) or _NO_COUNT_ZH.match(message, end):
        return None
    noun, kinds = chinese.noun_at(message, end)
    wanted: Kinds = kinds or chinese.MEASURES[match["measure"]]
    if found := nth(group(window, wanted), chinese.ordinal_number(match["ordinal"])):
        return Edit(start, end + len(noun), found.put("zh"))
    if match["measure"] == "部" and (work := work_asked_about(window)):
        return Edit(start, end + len(noun), f"{work.put('zh')}{match.group()}")
    return None


def work_asked_about(window: Window) -> Mention | None:
    """The film or book of the newest question, which may have parts."""
    return next((mention for mention in window.turns[0].asked if mention.kind in WORKS), None)
