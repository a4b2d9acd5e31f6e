"""Detecting what a message wants of its knowledge base, and what it says of what must be known for it."""

from collections.abc import Mapping, Sequence

from clew.routing.intent import Intent, IntentMatch, Slot, spellings_of
from clew.routing.spelling import find_values, says
from clew.text.language import Language, detect_language

SEPARATOR = ", "


def detect_intent(message: str, intents: Sequence[Intent]) -> IntentMatch | None:
    """The intent of which ``message`` has a word of every group; of several the one with the most groups.

    Between intents with as many groups, the one of which the message fills more slots, then the first.
    A slot without values and pattern stays open: which words of a question would be its value cannot be told.
    """
    found = [(intent, fill(intent.slots, message)) for intent in intents if has_intent(message, intent)]
    if not found:
        return None
    intent, known = max(found, key=lambda item: (len(item[0].words), len(item[1])))
    return match_of(intent, known)


def has_intent(message: str, intent: Intent) -> bool:
    return all(says(message, group) for group in intent.words)


def match_of(intent: Intent, known: Mapping[str, str]) -> IntentMatch:
    """``intent`` with the values that are known of its slots."""
    return IntentMatch(
        name=intent.name,
        known={slot.name: known[slot.name] for slot in intent.slots if slot.name in known},
        missing=tuple(slot for slot in intent.slots if slot.name not in known),
        given=tuple(slot for slot in intent.slots if slot.name in known),
        words=intent.words,
    )


def fill(slots: Sequence[Slot], text: str, language: Language | None = None) -> dict[str, str]:
    """The slots of which ``text`` names values, with those as ``language`` spells them, by default that of ``text``."""
    language = language or detect_language(text)
    named = {slot.name: [label(slot, value, language) for value in values_named(slot, text)] for slot in slots}
    return {name: SEPARATOR.join(values) for name, values in named.items() if values}


def values_named(slot: Slot, text: str) -> tuple[str, ...]:
    """The values of ``slot`` that ``text`` names and does not deny, each once, in its order."""
    return tuple(dict.fromkeys(found.value for found in find_values(slot, text) if not found.denied))


def label(slot: Slot, value: str, language: Language) -> str:
    """The value as ``language`` spells it: its first spelling in that, else its first at all."""
    spellings = next((each for each in map(spellings_of, slot.values) if each[0] == value), (value,))
    return next((each for each in spellings if detect_language(each) == language), spellings[0])


def labels(slot: Slot, language: Language) -> list[str]:
    """All values of ``slot``, as ``language`` spells them."""
    return [label(slot, spellings_of(value)[0], language) for value in slot.values]
