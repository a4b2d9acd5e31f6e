"""What one message of a user states and asks, by rule, in English and Chinese."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from clew.memory.noting.attributes import attributes
from clew.memory.noting.clauses import before_the_question, clauses
from clew.memory.noting.note import STATEMENTS, Note, capitalised, one_line, shortened
from clew.memory.noting.rules import Doing, grammar_of, overrides, rules_of
from clew.memory.noting.strength import strength
from clew.text.sentences import split_sentences
from clew.text.terms import content_terms

MAX_READ: Final = 4_000  # characters of a message: what is longer is a text that was pasted
MAX_STATEMENTS: Final = 12  # of one message

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"^\s*>.*$", re.MULTILINE)
_IM = re.compile(r"\b[Ii]m\b(?= [a-z])")
_MARKUP = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")


@dataclass(frozen=True, slots=True)
class Told:
    """``notes`` in the order in which they were said, and ``asked``, on one line, empty for no question.

    ``asks`` is false where ``asked`` is but a few words, which reply if a question went before them.
    """

    notes: tuple[Note, ...] = ()
    asked: str = ""
    asks: bool = False


def read_message(text: str) -> Told:
    """What ``text`` states of its writer's world, and what it asks.

    Text that would give the assistant orders about its orders is passed over, and so are code and quotations.
    """
    notes: list[Note] = []
    asked: list[str] = []
    fragments: list[str] = []
    for sentence in split_sentences(_plain(text[:MAX_READ])):
        for kind, clause in _told(sentence.text):
            match kind:
                case "topic":
                    asked.append(clause)
                case "fragment":
                    fragments.append(clause)
                case _:
                    notes.append(Note(kind, shortened(clause)))
    strongest = sorted(range(len(notes)), key=lambda place: (-strength(notes[place]), place))[:MAX_STATEMENTS]
    # «I don't get the rule. How often may I retake it?»: what is put as a question tells what is asked.
    put = [clause for clause in asked if clause.endswith(("?", "？"))] or asked
    return Told(
        tuple(notes[place] for place in sorted(strongest)), shortened("; ".join(put or fragments)), asks=bool(asked)
    )


def _plain(text: str) -> str:
    for pattern in (_CODE, _QUOTED, _MARKUP):
        text = pattern.sub(" ", text)
    return _IM.sub("I'm", text.replace("’", "'"))


def _told(sentence: str) -> Iterator[tuple[Doing, str]]:
    if overrides(sentence):
        return
    language, rules = grammar_of(sentence), rules_of(sentence)
    bare = rules.OPENING.sub("", sentence)
    found = [(rules.kind_of(clause), capitalised(one_line(clause))) for clause in clauses(bare, language)]
    if rules.is_question(bare) and not (len(found) == 1 and found[0][0] == "request"):
        # «I'm in my second year, so which courses can I take?»: the question is kept whole, and who asks besides.
        for clause in before_the_question(bare, language):
            kind = rules.kind_of(clause)
            if kind is not None and kind in STATEMENTS and attributes(clause):
                yield kind, capitalised(one_line(clause))
        if content_terms(bare):
            yield "topic", capitalised(bare.strip())
        return
    for kind, clause in found:
        if kind is not None and (kind in STATEMENTS or content_terms(clause)) and not clause.endswith((":", "：")):
            yield kind, clause
