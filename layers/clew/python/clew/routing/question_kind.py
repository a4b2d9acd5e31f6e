"""What kind of question a message asks, told by rule: it decides how the question is looked up."""

import re
from typing import Final, Literal, get_args

from clew.routing import chinese_questions, english_questions
from clew.text.language import detect_language
from clew.text.sentences import split_sentences

QuestionKind = Literal["fact", "multi_hop", "comparison", "open", "overview"]
QUESTION_KINDS: Final[tuple[QuestionKind, ...]] = get_args(QuestionKind)
# Whichever holds first. «Summarise how A and B differ» is a comparison, «why did the wife of …» a why.
_ORDER: Final[tuple[QuestionKind, ...]] = ("comparison", "overview", "open", "multi_hop")
LOOKED_AT: Final = 400  # characters at either end; the question in a long message stands first or last

_QUOTED = re.compile(r"《[^《》]{1,80}》|“[^“”]{1,80}”|「[^「」]{1,80}」|\"[^\"\n]{1,80}\"")
_MASK: Final = {"en": "Title", "zh": "《》"}


def question_kind(message: str) -> QuestionKind:
    """``fact`` unless a rule finds another kind in a sentence of the message.

    ``multi_hop`` asks about a thing that is only described («the director of Inception»), ``comparison``
    about two things or more, ``open`` why or how, ``overview`` about a whole. What stands in quotation
    marks or 《》 is a name, whatever its words are.
    """
    language = detect_language(message)
    text = _QUOTED.sub(_MASK[language], _ends(message).replace("’", "'"))
    rules = english_questions if language == "en" else chinese_questions
    found: set[str] = set()
    for sentence in split_sentences(text):
        found |= rules.kinds(sentence.text)
    return next((kind for kind in _ORDER if kind in found), "fact")


def _ends(message: str) -> str:
    return message if len(message) <= 2 * LOOKED_AT else f"{message[:LOOKED_AT]}\n{message[-LOOKED_AT:]}"
