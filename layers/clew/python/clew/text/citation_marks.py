"""The marks by which an answer refers to evidence: a number in brackets."""

import re
from typing import Final

MARK: Final = re.compile(r"\[(\d{1,3})\]")


def without_marks(answer: str) -> str:
    """``answer`` without its citation marks."""
    return MARK.sub("", answer)
