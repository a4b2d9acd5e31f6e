"""Words of which one takes the other's place in a question: undergraduates and graduate students, 2023 and 2024."""

from collections.abc import Collection

from clew.answering.rewriting import chinese, english
from clew.answering.rewriting.naming import names_in


def is_alternative(text: str) -> bool:
    """Whether ``text`` is one of several that a question may be asked for."""
    return any(pattern.fullmatch(text) for pattern in (*english.ALTERNATIVES, *chinese.ALTERNATIVES))


def exchanged(question: str, asked: str, known: Collection[str]) -> str | None:
    """``question`` with ``asked`` in the place of a word of its kind; None if there is none outside of names."""
    names = names_in(question, known)
    for pattern in (*english.ALTERNATIVES, *chinese.ALTERNATIVES):
        if not pattern.fullmatch(asked):
            continue
        for match in pattern.finditer(question):
            start, end = match.span()
            inside = any(name.start <= start and end <= name.end and name.text != match.group() for name in names)
            if not inside and match.group().lower() != asked.lower():
                return question[:start] + asked + question[end:]
    return None
