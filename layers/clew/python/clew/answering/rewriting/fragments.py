"""Questions of one question word: «When?», «In which year?», 为什么？ as the previous question asked so."""

import re
from typing import Final

from clew.answering.rewriting import english
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.window import Window
from clew.text.language import Language

_SPAN: Final = any_of(
    "year month day date time city town country place building room school university semester week festival"
)
_EN: Final = re.compile(
    r"\s*(?:and|but|so|ok|okay)?[ ,]*(?P<asked>why(?: not)?|how come|when(?: exactly)?|where(?: exactly)?"
    r"|since when|until when|from where|who|how|how (?:long|often|many|much)"
    r"|(?:when|where) (?:was|is) (?:that|this)(?: exactly)?|(?:when|where) did (?:that|this) happen"
    rf"|(?:(?:in|at|on|from|until|since|for|by) )?(?:which|what) {_SPAN}s?)(?: (?:then|though|exactly))?\s*[?.!]*\s*",
    re.I,
)
_THAT: Final = re.compile(r" (?:was|is|did) (?:that|this).*", re.I)
_PLACE: Final = r"(?:哪里|哪儿|什么地方|哪座城市|哪个城市|哪个国家)"
_TIME: Final = r"(?:什么时候|何时|哪一?年|哪一?天|几月|几点)"
_WORD_ZH: Final = any_of("为什么 为啥 为何 什么原因 怎么会 怎么样 怎么 如何 多少钱 多少 多久 几个 谁")
_ZH: Final = re.compile(
    rf"\s*(?:那么?|可是|但是)?[，,]?(?:是|在)?(?P<asked>{_WORD_ZH}|{_TIME}|(?:是?在)?{_PLACE})"
    r"(?:呢|啊|呀|的|来着)?\s*[？?。.!！]*\s*"
)
# The adverb that a question begins with, and what follows: «Where was …», «In which year did …».
_ADVERB: Final = re.compile(
    r"(?:where|when|why|how(?: long| often)?|(?:until|since) when|(?:in|at|on|from) (?:which|what) [a-z]+)"
    rf" (?P<rest>{any_of('is are was were do does did can could may must will has have should')}\b.*)",
    re.I | re.S,
)
_SUBJECT: Final = re.compile(
    r"who (?:also )?(?P<verb>[a-z]+(?:ed|s)|wrote|shot|made|sang|ran|led|gave) (?P<what>.+?)\s*\??\s*", re.I | re.S
)
_TIME_ZH: Final = re.compile(rf"(?P<be>是?)在?{_TIME}")
_PLACE_ZH: Final = re.compile(rf"在?{_PLACE}")
_VERB_ZH: Final = any_of("出生 毕业 去世 逝世 上映 首映 首演 举行 拍摄 取景 成立 上课 办公")
_DONE_AT_ZH: Final = re.compile(rf"(?P<verb>{_VERB_ZH})[在于](?:{_PLACE}|哪所大学)")


def completed(message: str, window: Window, language: Language) -> str | None:
    """The previous question asked with the message's question word; None if the message is more than that.

    Where the question does not take another word, the word follows it: «Who is his wife? Since when?»
    """
    match = (_ZH if language == "zh" else _EN).fullmatch(message)
    if match is None or window.previous is None:
        return None
    question = window.previous.question.strip()
    asked = _THAT.sub("", match["asked"])
    if language == "zh":
        return _chinese(question, asked) or f"{question}{asked}？"
    capital = asked[:1].upper() + asked[1:]
    return _english(question, capital) or f"{question} {capital}?"


def _english(question: str, asked: str) -> str | None:
    if re.match(r"(?:Why|How|Who)\b", asked) and asked not in ("How long", "How often"):
        return None
    if match := _ADVERB.fullmatch(question):
        return f"{asked} {match['rest']}"
    if match := _SUBJECT.fullmatch(question):
        verb = match["verb"].lower()
        participle = english.PARTICIPLES.get(verb, verb)
        if not participle.endswith("s"):
            return f"{asked} {'is' if verb.endswith('s') else 'was'} {match['what']} {participle}?"
    return None


def _chinese(question: str, asked: str) -> str | None:
    place = asked.removeprefix("是").removeprefix("在")
    time = _TIME_ZH.search(question)
    if _PLACE_ZH.fullmatch(place):
        return f"{question[: time.start()]}{time['be']}在{place}{question[time.end() :]}" if time else None
    if not _TIME_ZH.fullmatch(asked):
        return None
    if done := _DONE_AT_ZH.search(question):
        return f"{question[: done.start()]}{asked}{done['verb']}{question[done.end() :]}"
    if time:
        return f"{question[: time.start()]}{time['be']}{asked}{question[time.end() :]}"
    where = _PLACE_ZH.search(question)
    return question[: where.start()] + asked + question[where.end() :] if where else None
