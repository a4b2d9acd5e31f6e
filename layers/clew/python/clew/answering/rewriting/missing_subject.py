"""Chinese questions whose subject is left out: 出生在哪里？, 导演是谁？"""

import re
from typing import Final

from clew.answering.rewriting import chinese
from clew.answering.rewriting.antecedents import antecedent
from clew.answering.rewriting.holders import holder
from clew.answering.rewriting.kinds import PEOPLE, Kind, fits
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.residue import residue, without_audience
from clew.answering.rewriting.window import Window

MAX_LENGTH: Final = 20  # characters; a longer question has its subject

_LEAD: Final = re.compile(r"\s*(?:那么|那|还有|另外|然后|对了|请问|我想知道|想知道|顺便问一下)?[，,]?\s*")
_SAID: Final = re.compile(any_of(*chinese.OWNERS, *chinese.VERBS))
_ASKING: Final = re.compile(
    r"[谁哪吗几]|" + any_of("什么 怎么 怎样 如何 多少 多久 多长 多大 何时 有没有 是不是 是否 能不能 可不可以")
)
_ASKER: Final = re.compile(r"[我你您]")
_WHO_DID: Final = re.compile(r"谁[^谁哪的]{1,6}的[？?。]?\s*$")
# 谁演的派: the part is not what the question is about.
_WHO_PLAYS: Final = re.compile(r"是?谁(?:饰演|扮演|演)(?:了|的)?[㐀-鿿]{1,6}[？?。]?\s*")
# 哪些影片获得过…, 谁获得过…: what is asked for is the subject.
_SUBJECT_ASKED: Final = re.compile(
    r"(?:\d{4}年)?还?(?:有?哪(?:一|几|些)?[部位个本门项所家名]?|什么)(?P<noun>[㐀-鿿]{1,3}?)"
    r"(?=获|得|拿|是|由|讲|上映|改编|在|有|被|可以|要|开|可|执|拍)|谁(?:获得|得过|拿过|获过)"
)
_COMPARED: Final = re.compile(
    r"[和跟与](?P<name>《[^》]+》|.{2,16}?)(?:比|相比|哪|谁|能不?能?同时|可以同时|有什么(?:区别|不同|关系)|冲突)"
)


def completed(message: str, window: Window) -> str | None:
    """``message`` with the subject or owner that it leaves out; None if it leaves out none."""
    lead = _LEAD.match(message)
    text = message[lead.end() :] if lead else message
    if len(text) > MAX_LENGTH or not window.turns or not _ASKING.search(text):
        return None
    if names_in(text, window.known):
        return _compared(text, window)
    said = _SAID.search(text)
    if said is None or not _lacks_subject(text, said.group()):
        return None
    word, kinds = said.group(), chinese.owner_kinds(said.group())
    if _ASKER.search(text) or without_audience(text) != text:
        kinds -= PEOPLE
    subject = holder(word, window.turns[:1]) if word in chinese.ROLES and window.turns[0].asks_person else None
    subject = subject or antecedent(window, kinds, preferred=chinese.RATHER.get(word, kinds), strict=True)
    return _with_subject(text, said, subject) if subject else None


def _lacks_subject(text: str, said: str) -> bool:
    asked = _SUBJECT_ASKED.match(text)
    if asked and (asked["noun"] is None or _may_do(asked["noun"], said)):
        return False
    return not residue(without_audience(text)) or bool(_WHO_PLAYS.fullmatch(text))


def _may_do(noun: str, said: str) -> bool:
    """Whether ``said`` may be said of what ``noun`` stands for: 影片 may win a prize, 学院 has no 截止日期."""
    _, kinds = chinese.noun_at(noun, 0)
    return any(fits(kind, chinese.owner_kinds(said)) for kind in kinds)


def _with_subject(text: str, said: re.Match[str], subject: Mention) -> str:
    name, word = subject.put("zh"), said.group()
    is_verb = word in chinese.VERBS and not re.match(r"是|为|叫|由|有|的[^？?。]", text[said.end() :])
    if text.startswith(word) and word in chinese.OWNERS and not is_verb:
        # 导演毕业于哪所大学: the person who was named for it, if one was.
        named = word in chinese.ROLES and subject.kind is Kind.PERSON and not fits(Kind.PERSON, chinese.OWNERS[word])
        return name + text[said.end() :] if named else f"{name}的{text}"
    return f"{name}是{text}" if _WHO_DID.match(text) else f"{name}{text}"


def _compared(text: str, window: Window) -> str | None:
    """和《英雄》比哪个早？ of the thing that the talk is about."""
    match = _COMPARED.match(text)
    asked = window.turns[0].asked
    if match is None or len(asked) != 1 or asked[0].name in text:
        return None
    return asked[0].put("zh") + text if fits(asked[0].kind, {window.kind_of(match["name"])}) else None
