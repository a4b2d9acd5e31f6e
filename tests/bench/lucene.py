"""Questions as Lucene queries."""

import re

_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/])')


def escaped(question: str) -> str:
    """``question`` as plain words: a ``?`` would else stand for any character, a ``:`` name a field.

    Words in capitals, AND, OR and NOT, are operators as well.
    """
    text = _SPECIAL.sub(r"\\\1", question)
    return re.sub(r"\b(AND|OR|NOT)\b", lambda operator: operator[0].lower(), text)
