"""Continuations: «And the deadline?», «What about Dunkirk?», 那截止日期呢？ as a whole question."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from clew.answering.rewriting import chinese, english
from clew.answering.rewriting.alternatives import exchanged, is_alternative
from clew.answering.rewriting.kinds import NO_KINDS, Kind, fits, kind_by_spelling, looks_like_person
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.owners import owner_of
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.residue import residue
from clew.answering.rewriting.series import about
from clew.answering.rewriting.window import Window
from clew.text.language import Language
from clew.text.names import name_key

MAX_LENGTH: Final = 48  # characters; a longer message says itself what it wants
MAX_NOUN: Final = 4  # words of a thing that belongs to another
MAX_NOUN_ZH: Final = 6  # characters of one that is not known

_EN: Final = re.compile(
    r"\s*(?P<lead>(?:(?:and|but|or|so|then|also|ok|okay|well)[ ,]+)*(?:(?:what|how) about\s+|what of\s+)?)"
    r"(?P<asked>\S.*?)\s*(?P<end>[?.!]*)\s*",
    re.I,
)
_ZH: Final = re.compile(
    r"\s*(?P<lead>那么|那|还有|另外|至于|以及)?[，,]?\s*(?P<asked>\S+?(?: \S+?)*?)\s*(?P<ne>呢)?"
    r"\s*(?P<end>[？?。.!！]*)\s*"
)
# What begins like this is a sentence of its own.
_SENTENCE: Final = re.compile(
    any_of(
        "who whom whose what which when where why how is are was were do does did has have had can could may might",
        "must should shall will would tell give show list name explain describe compare find say please i i'm i'd we",
        "you let thank thanks go back if because not translate summarise summarize repeat it's that's any anything",
        "anyone more else",
    )
    + r"\b",
    re.I,
)
_ASKING_ZH: Final = re.compile(
    r"[谁哪]|什么|怎么|怎样|如何|多少|几(?!乎)|吗|多[久大长高远]|何时|为何|有没有|是不是|是否"
)
_PREPOSITION: Final = re.compile(
    rf"(?P<word>{any_of('of for about in on at during after before from by with under until since')})\s+", re.I
)
_ARTICLE: Final = re.compile(r"(?:the|its|an?)\s+")
_POINTS: Final = re.compile(r"\b(?:this|that|it|then|there)\b", re.I)
# A title with small words in it: «The Boy and the Heron».
_SMALL_WORD: Final = any_of("of the and in for on a de del von van to")
_TITLE: Final = re.compile(rf"[A-Z0-9][\w'’.&:-]*(?: {_SMALL_WORD}(?= )|: |[ -](?=[A-Z0-9])|[\w'’.&:-])*")
_MANY: Final = any_of(
    "credits prerequisites requirements fees actors actresses writers lectures exams examinations chapters",
    "office_hours opening_hours core_courses applicants",
)
# 其他电影呢, 绩点不够呢: neither a thing that belongs to another nor a name.
_NO_NOUN_ZH: Final = re.compile(r"其他|其它|别的|另|[上下前后]一|[不没能会要有了]|后来|然后|以后|以前|你|我")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a message asks besides the words that lead to it.

    ``bare`` is without its preposition and ``plain`` without its article too; ``leads`` if words such as
    «and» or 呢 say that something is continued, ``queries`` if there is a question mark.
    """

    text: str
    preposition: str
    bare: str
    plain: str
    leads: bool
    queries: bool


_Rule = Callable[[_Asked, Window], str | None]


def continued(message: str, window: Window, language: Language) -> str | None:
    """The whole question that ``message`` continues; None if it is no continuation or has nothing to continue."""
    if window.previous is None or len(message) > MAX_LENGTH or "\n" in message.strip():
        return None
    asked = _asked_zh(message) if language == "zh" else _asked_en(message)
    rules = _RULES_ZH if language == "zh" else _RULES_EN
    return next(filter(None, (rule(asked, window) for rule in rules)), None) if asked else None


def as_topic(message: str, window: Window, language: Language) -> str | None:
    """«Tell me about Isao Takahata.» for a message that has come to a name alone; None for any other."""
    match = (_ZH if language == "zh" else _EN).fullmatch(message)
    name = match["asked"] if match else ""
    known = any(name in (mention.put(language), mention.name) for turn in window.turns for mention in turn.mentions)
    return about(name, language) if known else None


def _asked_en(message: str) -> _Asked | None:
    match = _EN.fullmatch(message)
    if match is None or _SENTENCE.match(match["asked"]) or _POINTS.search(match["asked"]):
        return None
    text = match["asked"]
    preposition = _PREPOSITION.match(text)
    bare = text[preposition.end() :] if preposition else text
    word = preposition["word"].lower() if preposition else ""
    plain = _ARTICLE.sub("", bare, count=1)
    return _Asked(text, word, bare, plain, bool(match["lead"].strip()), "?" in match["end"])


def _alternative_en(asked: _Asked, window: Window) -> str | None:
    """«And graduate students?»"""
    if not is_alternative(asked.plain):
        return None
    question = window.turns[0].question
    text = asked.text if asked.preposition else f"for {asked.text}"
    return exchanged(question, asked.plain, window.known) or _appended(question, text)


def _name_en(asked: _Asked, window: Window) -> str | None:
    """«What about Interstellar?», «Dunkirk?»"""
    if not _is_name(asked.plain, window):
        return None
    if asked.leads or asked.queries or asked.plain in window.known:
        return _with_other_name(asked.plain, window, article="the " if asked.bare != asked.plain else "")
    return None


def _circumstance_en(asked: _Asked, window: Window) -> str | None:
    """«And in 2024?», «And for Sicario?»"""
    if not asked.leads or asked.preposition in ("", "of", "about"):
        return None
    return _appended(window.turns[0].question, asked.text)


def _owned_en(asked: _Asked, window: Window) -> str | None:
    """«And the deadline?» as «What is the deadline of the Haiming Grant?», «His wife?» once it says whose."""
    if asked.preposition:
        return None
    plain, noun = asked.plain, asked.plain.lower()
    asks = "Who" if noun.rsplit(maxsplit=1)[-1] in english.ROLES else "What"
    if re.fullmatch(r".+['’]s [a-z][a-z -]*", plain):
        return f"{asks} {'are' if noun.endswith('s') else 'is'} {asked.bare}?"
    known = noun in english.OWNERS or noun in english.ROLES
    if not (asked.leads or known) or len(plain.split()) > MAX_NOUN or names_in(plain, window.known):
        return None
    kinds = english.OWNERS.get(noun) or english.OWNERS.get(noun.removesuffix("s"), NO_KINDS)
    owner = owner_of(window, kinds, sure=asked.leads and asked.bare != plain)
    if owner is None:
        return None
    many = re.fullmatch(_MANY, noun) or (noun.endswith("s") and noun not in english.OWNERS)
    return f"{asks} {'are' if many else 'is'} the {plain} of {owner.put('en')}?"


def _is_name(text: str, window: Window) -> bool:
    if re.search(r"[㐀-鿿]", text):
        return _is_name_zh(text, window)
    if any(name_key(text) == name_key(name) for name in window.known):
        return True
    names = names_in(text)
    if len(names) == 1 and names[0].text == text:
        return True
    return bool(_TITLE.fullmatch(text)) and text[text.rfind(" ") + 1].isupper()


def _with_other_name(name: str, window: Window, *, article: str = "") -> str | None:
    """The previous question with ``name`` in the place of the name that it agrees with, or of two with it."""
    kind = window.kind_of(name)
    question = window.turns[0].question
    if any(name_key(mention.name) == name_key(name) for mention in window.turns[0].asked):
        return _of_one(name, window)
    for mention in reversed(window.turns[0].asked):
        if mention.name not in question:
            continue
        if Kind.UNKNOWN in (kind, mention.kind) or fits(mention.kind, {kind}):
            marked = f"《{mention.name}》" in question
            old = f"《{mention.name}》" if marked else mention.name
            new = f"《{name}》" if marked and not name.startswith("《") and not name.isascii() else name
            if old.startswith("the "):
                new = article + new
            elif new.startswith(("the ", "The ")) and f"the {old}" in question:
                old = f"the {old}"
            return question.replace(old, new, 1)
    return None


def _of_one(name: str, window: Window) -> str | None:
    """The previous question about two, about one of them."""
    question = window.turns[0].question
    names = [re.escape(mention.name) for mention in window.turns[0].asked]
    if len(names) != 2:
        return None
    pair = re.compile(rf"《?{names[0]}》?\s*(?:和|与|、|及|,|and|or|&)\s*《?{names[1]}》?")
    return pair.sub(lambda _: name, question, count=1) if pair.search(question) else None


def _appended(question: str, asked: str) -> str:
    """«… for graduate students?»: in the place of the same preposition's words at the end, else after them."""
    stem = question.rstrip(" ?？.。")
    last = re.search(rf"\b{re.escape(asked.split(maxsplit=1)[0])} (?:the )?(?P<what>[a-z0-9][\w' -]*)$", stem, re.I)
    same = (
        last and last["what"].rsplit(maxsplit=1)[-1] == asked.rsplit(maxsplit=1)[-1]
    )  # «in an undergraduate thesis», «in a master's thesis»
    if last and (same or is_alternative(last["what"])):
        stem = stem[: last.start()].rstrip()
    return f"{stem} {asked}?"


def _asked_zh(message: str) -> _Asked | None:
    match = _ZH.fullmatch(message)
    if match is None or _ASKING_ZH.search(match["asked"]):
        return None
    text, queries = match["asked"].strip(), bool(re.search(r"[?？]", match["end"]))
    if not (match["ne"] or queries or text.startswith("《") or (match["lead"] and text in chinese.OWNERS)):
        return None
    plain = re.sub(r"^(?:对于?|关于|在|如果是|换成|要是)", "", text).removesuffix("的话").strip()
    return _Asked(text, "", text, plain, bool(match["ne"]), queries)


def _alternative_zh(asked: _Asked, window: Window) -> str | None:
    """那研究生呢？"""
    if not is_alternative(asked.plain):
        return None
    question = window.turns[0].question
    audience = chinese.ALTERNATIVES[0].fullmatch(asked.plain)
    whole = f"对{asked.plain}来说，{question}" if audience else f"{asked.plain}，{question}"
    return exchanged(question, asked.plain, window.known) or whole


def _owned_zh(asked: _Asked, window: Window) -> str | None:
    """那截止日期呢？, 李安的妻子呢？"""
    if owned := re.fullmatch(r"(?P<owner>.+)的(?P<noun>[^的]{1,6})", asked.plain):
        known = owned["owner"].strip("《》") in window.known
        return _what_is(owned["noun"], owned["owner"]) if known and _belongs(owned["noun"]) else None
    if not _belongs(asked.plain):
        return None
    owner = owner_of(window, chinese.OWNERS.get(asked.plain, NO_KINDS), sure=True)
    return _what_is(asked.plain, owner.put("zh")) if owner else None


def _name_zh(asked: _Asked, window: Window) -> str | None:
    """那《英雄》呢？"""
    return _with_other_name(asked.plain, window) if _is_name_zh(asked.plain, window) else None


def _unknown_zh(asked: _Asked, window: Window) -> str | None:
    """那保修期呢？ of something whose owner is not known by the word."""
    plain = asked.plain
    if not asked.leads or len(plain) > MAX_NOUN_ZH or _NO_NOUN_ZH.search(plain) or not residue(plain):
        return None
    if "的" in plain or _is_name_zh(plain, window) or names_in(plain, window.known):
        return None
    owner = owner_of(window, NO_KINDS, sure=True)
    return _what_is(plain, owner.put("zh")) if owner else None


def _belongs(noun: str) -> bool:
    return noun in chinese.OWNERS or noun in chinese.ROLES


def _is_name_zh(text: str, window: Window) -> bool:
    if any(name_key(text) == name_key(name) for name in window.known):
        return True
    if looks_like_person(text) or (kind_by_spelling(text) is not Kind.UNKNOWN and "的" not in text):
        return True
    names = names_in(text)
    return len(names) == 1 and names[0].text == text


def _what_is(noun: str, owner: str) -> str:
    """蓝海奖学金的截止日期是什么时候？"""
    asks = (
        ("是谁", chinese.ROLES),
        ("是什么时候", chinese.TIMES),
        ("在哪里", chinese.SPOTS),
        ("是多少", chinese.AMOUNTS),
    )
    return f"{owner}的{noun}{next((words for words, nouns in asks if noun in nouns), '是什么')}？"


_RULES_EN: Final[tuple[_Rule, ...]] = (_alternative_en, _name_en, _circumstance_en, _owned_en)
_RULES_ZH: Final[tuple[_Rule, ...]] = (_alternative_zh, _owned_zh, _name_zh, _unknown_zh)
