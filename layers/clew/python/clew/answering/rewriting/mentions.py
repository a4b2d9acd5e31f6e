"""The names of an earlier turn, with what it tells of each: its kind, and how it is put into a sentence."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from clew.answering.rewriting import asking, chinese, english
from clew.answering.rewriting.kinds import PEOPLE, WORKS, Kind, fits, kind_by_spelling, looks_like_person
from clew.answering.rewriting.listing import lists_in, without_aliases
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.rewriter import PreviousTurn
from clew.answering.rewriting.telling import kind_told
from clew.text.language import Language, detect_language

Gender = Literal["", "f", "m"]
MAX_ANSWER: Final = 1_200  # characters of an answer that are looked at
MAX_NAMES: Final = 8  # of a question whose focus has none

_TITLE: Final = re.compile(r"^(?:Professor|Prof\.?|Dr\.?|Mr\.?|Mrs\.?|Ms\.?) (?=[A-Z])")
_ARTICLE: Final = re.compile(r"^[Tt]he (?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that a turn used. ``asked`` if its question did; ``age`` counts turns back, 0 for the newest."""

    name: str
    kind: Kind
    asked: bool
    age: int
    gender: Gender = ""
    marked: bool = False
    article: bool = False

    def put(self, language: Language) -> str:
        """The name as a sentence of ``language`` takes it: titles keep their 《》, English names their article."""
        if self.marked:
            return f"《{self.name}》"
        bare = _ARTICLE.sub("", self.name) if self.article else _TITLE.sub("", self.name)
        return f"the {bare}" if self.article and language == "en" else bare


class TurnNames:
    """An earlier turn and its names: those of its question, and those its answer brought in, each in order.

    They are those of its focus; where that has none for the question, what is written like a name there.
    """

    def __init__(self, turn: PreviousTurn, age: int) -> None:
        self.question = turn.question
        self.answer = without_aliases(turn.answer[:MAX_ANSWER])
        self.age = age
        asked = turn.focus.asked or [name.text.strip("《》") for name in names_in(turn.question)[:MAX_NAMES]]
        self.asked = [self._mention(name, asked=True) for name in dict.fromkeys(asked)]
        self.answered = [self._mention(name, asked=False) for name in turn.focus.answered if name not in asked]

    @property
    def mentions(self) -> list[Mention]:
        return [*self.asked, *self.answered]

    @property
    def asks_person(self) -> bool:
        return bool(asking.FOR_PERSON.search(self.question))

    @property
    def asks_place(self) -> bool:
        return bool(asking.FOR_PLACE.search(self.question))

    @cached_property
    def lists(self) -> list[list[Mention]]:
        """The lists of names in the answer, of names that are not in the focus as well."""
        known = {mention.name: mention for mention in self.mentions}
        return [
            [known.get(name) or self._mention(name, asked=False) for name in (text.strip("《》") for text in group)]
            for group in lists_in(self.answer, known)
        ]

    def _mention(self, name: str, *, asked: bool) -> Mention:
        text = f"{self.question}\n{self.answer}"
        marked = f"《{name}》" in text
        kind = self._kind(name, asked=asked, marked=marked)
        article = not marked and kind not in WORKS | PEOPLE and _has_article(name, kind, text)
        gender = "" if asked else _gender_asked_for(self.question)
        return Mention(name, kind, asked, self.age, gender, marked, article)

    def _kind(self, name: str, *, asked: bool, marked: bool) -> Kind:
        spelt = kind_by_spelling(f"《{name}》" if marked else name)
        if spelt not in (Kind.UNKNOWN, Kind.WORK):
            return spelt
        told = kind_told(name, self.question, self.answer)
        if told is not None and (spelt is Kind.UNKNOWN or told in WORKS):
            return told
        if spelt is Kind.WORK:
            asks_book = not asked and asking.FOR_BOOK.search(self.question)
            return Kind.BOOK if asks_book else Kind.FILM if asking.ABOUT_FILM.search(self.question) else Kind.WORK
        return self._kind_asked_about(name) if asked else self._kind_asked_for(name)

    def _kind_asked_about(self, name: str) -> Kind:
        if english.SAID_OF_PEOPLE.search(self.question) or looks_like_person(name):
            return Kind.PERSON
        in_english = detect_language(self.question) == "en"
        # «Which films did …» asks for films and is about somebody.
        about_film = in_english and asking.ABOUT_FILM.search(self.question) and " did " not in self.question
        return Kind.FILM if about_film else Kind.UNKNOWN

    def _kind_asked_for(self, name: str) -> Kind:
        if looks_like_person(name):
            return Kind.PERSON
        # Titles in Chinese stand in 《》.
        asked_for = (
            (asking.FOR_BOOK if name.isascii() else None, Kind.BOOK),
            (asking.FOR_FILM if name.isascii() else None, Kind.FILM),
            (asking.FOR_PERSON, Kind.PERSON),
            (asking.FOR_PLACE, Kind.PLACE),
        )
        return next((kind for pattern, kind in asked_for if pattern and pattern.search(self.question)), Kind.UNKNOWN)


def _has_article(name: str, kind: Kind, text: str) -> bool:
    """Whether the name of a thing is used with «the»; a «The» of something unknown may be a title's."""
    bare = _ARTICLE.sub("", name)
    if bare != name and name[0] == "T" and kind is Kind.UNKNOWN:
        return False
    return name.isascii() and (bare != name or f"the {bare}" in text or f"The {bare}" in text)


def _gender_asked_for(question: str) -> Gender:
    """What a role in the question says of who holds it: «Who is his wife?» brings a woman in."""
    words = set(re.findall(r"[a-z]+", question.lower()))
    female = not words.isdisjoint(english.FEMALE) or any(word in question for word in chinese.FEMALE)
    male = not words.isdisjoint(english.MALE) or any(word in question for word in chinese.MALE)
    return "" if female == male else "f" if female else "m"


def may_be(mention: Mention, wanted: frozenset[Kind]) -> bool:
    """Whether nothing speaks against ``mention`` being of a kind in ``wanted``."""
    return mention.kind is Kind.UNKNOWN or fits(mention.kind, wanted)
