"""A message that is an ordinal alone: «And the second one?», 那第二部呢？"""

import re
from typing import Final

from clew.answering.rewriting import chinese, english
from clew.answering.rewriting.kinds import ANYTHING, NO_KINDS, Kinds
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.ordinals import ENGLISH, MEASURES, nth, work_asked_about
from clew.answering.rewriting.patterns import listed
from clew.answering.rewriting.window import Window
from clew.text.language import Language

_COUNTED_ZH: Final = f"{MEASURES}次季集章届步"
_EN: Final = re.compile(
    rf"\s*(?:(?:and|but|or|so|then|ok|okay|what about|how about|tell me about)[ ,]+)*(?:the )?(?P<ordinal>{ENGLISH})"
    r"(?: (?P<noun>[a-z]+))?(?: of (?:these|them|those))?\s*[?.!]*\s*",
    re.I,
)
_ZH: Final = re.compile(
    rf"\s*(?:那么?|还有|然后|至于|介绍一下)?[，,]?(?P<ordinal>{chinese.ORDINAL})(?P<measure>[{_COUNTED_ZH}])"
    r"(?P<noun>[㐀-鿿]{1,3})??[呢吗啊]?\s*[？?。.!！]*\s*"
)
_IN_QUESTION: Final = re.compile(
    rf"\b(?P<en>{ENGLISH})\b|(?P<zh>{chinese.ORDINAL}|首)(?P<measure>[{_COUNTED_ZH}])", re.I
)
_TITLE: Final = re.compile(r"《[^》]*》|\"[^\"]*\"")
_PARTS: Final = listed("part one film movie book season volume instalment installment")


def continued(message: str, window: Window, language: Language) -> str | None:
    """The question that a bare ordinal asks for; None if the message is none, or no turn gives it a meaning.

    That is, whichever there is first: the previous question about the n-th, about another; the previous
    question about one of a list, about another of that list; what the n-th of the answer is; the previous
    question about a work, about its n-th part.
    """
    match = (_ZH if language == "zh" else _EN).fullmatch(message)
    wanted = _wanted(match, language) if match else NO_KINDS
    if match is None or window.previous is None or not wanted:
        return None
    number = _number(match["ordinal"], language)
    return (
        _counted_on(window.previous.question, number, match["ordinal"], language)
        or _of_list_in_question(window, number, wanted)
        or _of_list(window, number, wanted, language)
        or _of_work(window, match, language)
    )


def _wanted(match: re.Match[str], language: Language) -> Kinds:
    noun = match["noun"] or ""
    if language == "zh":
        return chinese.noun_at(noun, 0)[1] if noun else chinese.MEASURES.get(match["measure"], ANYTHING)
    return english.noun_kinds(noun) if noun and noun not in _PARTS else ANYTHING


def _number(ordinal: str, language: Language) -> int:
    return chinese.ordinal_number(ordinal) if language == "zh" else english.ORDINALS[ordinal.lower()]


def _counted_on(question: str, number: int, ordinal: str, language: Language) -> str | None:
    titles = [match.span() for match in _TITLE.finditer(question)]
    for match in _IN_QUESTION.finditer(question):
        if any(start <= match.start() < end for start, end in titles):
            continue
        if match["en"]:
            word = next((word for word, value in english.ORDINALS.items() if value == number), match["en"])
            return question[: match.start()] + word + question[match.end() :]
        if language == "zh":
            return question[: match.start()] + ordinal + match["measure"] + question[match.end() :]
    return None


def _of_list_in_question(window: Window, number: int, wanted: Kinds) -> str | None:
    newest = window.turns[0]
    for age in range(1, len(window.turns)):
        members = window.listed(age, wanted)
        member = nth(members, number)
        names = {each.name for each in members}
        for mention in newest.asked:
            if member and mention.name in names and mention.name in newest.question:
                return _exchanged(newest.question, mention, member)
    return None


def _exchanged(question: str, mention: Mention, member: Mention) -> str:
    in_chinese = "《" in question or not question.isascii()
    return question.replace(_as_asked(mention, question), member.put("zh" if in_chinese else "en"), 1)


def _as_asked(mention: Mention, question: str) -> str:
    return f"《{mention.name}》" if f"《{mention.name}》" in question else mention.name


def _of_list(window: Window, number: int, wanted: Kinds, language: Language) -> str | None:
    member = nth(window.listed(0, wanted), number)
    return about(member.put(language), language) if member else None


def about(name: str, language: Language) -> str:
    """The question for what ``name`` is."""
    return f"介绍一下{name}。" if language == "zh" else f"Tell me about {name}."


def _of_work(window: Window, match: re.Match[str], language: Language) -> str | None:
    work = work_asked_about(window)
    question = window.turns[0].question
    if work is None or work.name not in question:
        return None
    written = _as_asked(work, question)
    if language == "zh":
        return question.replace(written, f"{written}{match['ordinal']}{match['measure']}", 1)
    noun = match["noun"] if match["noun"] in _PARTS - {"one"} else "part"
    return question.replace(written, f"the {match['ordinal'].lower()} {noun} of {written}", 1)
