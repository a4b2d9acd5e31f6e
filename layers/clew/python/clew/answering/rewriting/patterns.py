"""Writing patterns as lists of words."""

import re


def any_of(*words: str) -> str:
    """A pattern for any of the blank-separated ``words``, longer ones first; «_» stands for a blank in one."""
    listed = {word.replace("_", " ") for text in words for word in text.split()}
    return f"(?:{'|'.join(re.escape(word) for word in sorted(listed, key=lambda word: (-len(word), word)))})"


def listed(*words: str) -> frozenset[str]:
    """The blank-separated ``words``; «_» stands for a blank in one."""
    return frozenset(word.replace("_", " ") for text in words for word in text.split())
