"""Chinese pronouns and demonstratives: 他, 它的, 这部电影, 同一位导演, 后者."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from clew.answering.rewriting import chinese
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.kinds import ANYTHING, NO_KINDS, PEOPLE, THINGS, WORKS, Kind, fits
from clew.answering.rewriting.naming import Named, names_in
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.references import Reference, meant
from clew.answering.rewriting.residue import residue
from clew.answering.rewriting.window import Window

_MEASURE: Final = "".join(chinese.MEASURES)
_PRONOUN: Final = re.compile(
    r"(?P<plural>他们|她们|它们|两者|二者|[这那]两[部个位门]|[这那][些几][部个位门项所本]?|其中(?=有?[哪谁几])"
    r"|^两[部个位门人](?=[都哪有的是谁]))"
    r"|(?P<pair>前者|后者|另外?一[个位部门本项所家座](?!月|天|次|年|周|学期|问题))"
    r"|(?P<she>她)|(?P<he>(?<![其吉])他(?![人国乡杀])|此人|[这那]个?人)"
    r"|(?P<within>(?:^|(?<=[在，,。]))(?:里面|[片剧书][中里](?!心|国|文|学|级))(?!的?心))|(?P<it>它)|(?P<its>(?<![尤极])其(?![他它她余次中实间后一]))"
    rf"|(?P<this>(?:这|那|该|同样?一|同样的)[{_MEASURE}])"
    r"|(?P<the>[该此这那])"
)
# 这个问题, 那个月: what is said, and stretches of time.
_NO_THING: Final = re.compile(
    any_of(
        "问题 意思 字 词 句 星期 周 月 季度 学期 学年 年 时候 时间 时刻 回答 答案 说法 话 事 情况 世界 道理 原因",
        "样子 话题 名字 知识库 系统 机器人 助手 网站 链接 功能 想法 东西 方面",
    )
)
_LEADS_OBJECT: Final = re.compile(r"(?:[比和跟与同及、对把被由让给为在是]|关于|属于|认识|喜欢|包括|等于)$")
_LEFT: Final = {"其": "的", "里面": "中"}  # what of a pronoun stays beside the name
_CLAUSE_END: Final = re.compile(r"[，,；;。？?！!：:\n]")


def resolve(message: str, window: Window) -> str:
    """``message`` with the names that its pronouns stand for; those that refer inside it, or to nothing, stay."""
    names = names_in(message, window.known)
    said = chinese.kinds_said_of(message)
    edits: list[Edit] = []
    done: set[str] = set()
    for reference in _references(message, window):
        if any(name.start < reference.end and reference.start < name.end for name in names):
            continue
        if reference.group in done or _refers_inside(message, reference, names, window):
            done.add(reference.group)
            continue
        if text := meant(reference, said, message, window, "zh"):
            left = "" if reference.plural else _LEFT.get(message[reference.start : reference.end], "")
            edits.append(Edit(reference.start, reference.end, text + left))
            done.add(reference.group)
    return apply(message, edits)


def _references(message: str, window: Window) -> Iterator[Reference]:
    for match in _PRONOUN.finditer(message):
        start, end = match.span()
        if match["plural"]:
            yield _plural(message, match)
        elif match["pair"]:
            yield _of_pair(message, match)
        elif match["she"] or match["he"]:
            yield Reference(start, end, PEOPLE, gender="f" if match["she"] else "m" if match["he"] == "他" else "")
        elif match["within"]:
            yield Reference(start, end - (match["within"] != "里面"), WORKS)
        elif match["it"]:
            yield Reference(start, end, THINGS)
        elif match["its"]:
            if any(message.startswith(noun, end) for noun in chinese.OWNERS) or chinese.noun_at(message, end)[0]:
                yield Reference(start, end, THINGS)
        elif found := _demonstrative(message, match, window):
            yield found


def _of_pair(message: str, match: re.Match[str]) -> Reference:
    start, end = match.span()
    if match.group() in ("前者", "后者"):
        return Reference(start, end, ANYTHING, pair="former" if match.group() == "前者" else "latter")
    noun, kinds = chinese.noun_at(message, end)
    return Reference(start, end + len(noun), kinds or chinese.MEASURES[match.group()[-1]], pair="other")


def _plural(message: str, match: re.Match[str]) -> Reference:
    start, end = match.span()
    word = match.group()
    if word[0] in "他她":
        return Reference(start, end, PEOPLE, plural=True)
    if word == "其中":
        return Reference(start, end - 1, ANYTHING, plural=True, noun=word)
    if word == "它们":
        return Reference(start, end, THINGS, plural=True)
    noun, kinds = chinese.noun_at(message, end)
    measured = chinese.MEASURES.get(word[-1], ANYTHING)
    return Reference(start, end + len(noun), kinds or measured, plural=True, noun=noun)


def _demonstrative(message: str, match: re.Match[str], window: Window) -> Reference | None:
    """这部电影 and the like: the noun after it, or a part of a known name, or what follows says nothing of its own."""
    start, end = match.span()
    noun, kinds = chinese.noun_at(message, end)
    if _NO_THING.match(message, end):
        noun, kinds = "", NO_KINDS
    if match["the"]:
        # 那 at the beginning is a conjunction: 那编剧呢？
        long = len(noun) > 1 and (match["the"] == "这" or bool(message[:start].strip()))
        return (
            Reference(start, end + len(noun), kinds, noun=noun) if noun and (match["the"] in "该此" or long) else None
        )
    if noun:
        return Reference(start, end + len(noun), kinds, noun=noun)
    if _NO_THING.match(message, end):
        return None
    for size in (4, 3, 2):
        part = message[end : end + size]
        if len(part) == size and residue(part) and any(part in name for name in window.known):
            return Reference(start, end + size, THINGS, noun=part)
    measured = chinese.MEASURES[match.group()[-1]]
    if match.group()[0] in "这那" and not residue(message[end:]):
        return Reference(start, end, measured, noun="位" if measured == PEOPLE else "")
    return None


def _refers_inside(message: str, reference: Reference, names: Sequence[Named], window: Window) -> bool:
    """Whether the pronoun means something that the message itself names before it."""
    if reference.pair:
        return False
    before = message[: reference.start]
    if reference.noun:
        # 交到哪个办公室，这个办公室在哪里？ And 同一位老师 of two that are named says that they share one.
        return reference.noun in before or (message[reference.start] == "同" and len(names) > 1)
    if reference.wanted == PEOPLE and re.search(r"谁|哪一?位", before):
        return True
    own = [name for name in names if name.end <= reference.start]
    # Without a name before it, a subject is what no question has by itself.
    named = any(_agrees(window.kind_of(name.text), reference) for name in own)
    if not named and (own or len(residue(_PRONOUN.sub("", before))) < 2):
        return False
    # 《沙丘》比它早 means another; 奉俊昊和他的演员 means 奉俊昊, but 诺兰是他的哥哥 does not.
    leads = _LEADS_OBJECT.search(before)
    owns = message.startswith("的", reference.end)
    return bool(_CLAUSE_END.search(before.strip("，, "))) or not leads or (owns and leads.group() not in "是为")


def _agrees(kind: Kind, reference: Reference) -> bool:
    return kind is Kind.UNKNOWN or fits(kind, reference.wanted) or (reference.plural and kind is not Kind.TIME)
