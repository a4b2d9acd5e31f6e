"""What is said to the user when something is asked back, in both languages."""

from collections.abc import Sequence
from typing import Final

from clew.routing.intent import Slot
from clew.routing.intents import labels
from clew.text.language import Language

MAX_LISTED: Final = 8  # values: more are no help in a sentence

_CHOICES: Final = {"en": "It may be {}.", "zh": "可以是：{}。"}
_NEEDED: Final = {
    "en": "To answer that I need to know one thing: {}",
    "zh": "要回答这个问题，我还需要知道：{}",
}
_NAME_ONE: Final = {"en": "Please name one of these: {}.", "zh": "请从中选一个：{}。"}
_SAY_SO: Final = {
    "en": "Please answer in a few words, or say “never mind”.",
    "zh": "请简单回答，如果不想问了可以说“算了”。",
}
_WHICH: Final = {"en": "Which of these do you mean: {}?", "zh": "您指的是哪一个：{}？"}
_NOT_KNOWN: Final = {
    "en": "You have not said what I asked (“{}”), so this is what the documents say without it.",
    "zh": "您没有说明“{}”，以下是资料中能找到的各种情况。",
}
_CANCELLED: Final = {"en": "All right. Ask me anything else.", "zh": "好的，您可以继续问别的问题。"}


def asking(slot: Slot, language: Language) -> str:
    """The slot's question, with its values where they are few."""
    return _said(question(slot, language), _listed(_CHOICES, slot, language), language)


def asking_again(slot: Slot, language: Language, between: Sequence[str] = ()) -> str:
    """The same put otherwise; ``between`` are the values that the reply may have meant, if it may have meant some."""
    if between:
        return _WHICH[language].format(_either(between, language))
    how = _listed(_NAME_ONE, slot, language) or _SAY_SO[language]
    return _said(_NEEDED[language].format(question(slot, language)), how, language)


def not_known(slot: Slot, language: Language) -> str:
    """What goes before an answer that has to do without the slot."""
    return _NOT_KNOWN[language].format(question(slot, language))


def cancelled(language: Language) -> str:
    return _CANCELLED[language]


def question(slot: Slot, language: Language) -> str:
    return (slot.question_zh if language == "zh" else "") or slot.question


def _listed(wording: dict[str, str], slot: Slot, language: Language) -> str:
    values = labels(slot, language)
    return wording[language].format(_either(values, language)) if 0 < len(values) <= MAX_LISTED else ""


def _either(values: Sequence[str], language: Language) -> str:
    if language == "zh":
        return "、".join(values)
    return " or ".join((", ".join(values[:-1]), values[-1])) if len(values) > 1 else values[0]


def _said(first: str, then: str, language: Language) -> str:
    return f"{first}{'' if language == 'zh' else ' '}{then}".strip()
