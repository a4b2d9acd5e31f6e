"""When a conversation's summary is due, by the numbers of its messages."""

from typing import Final

from clew.conversation.summary import VERBATIM, Summary

FIRST: Final = 10
"""Messages from which on there is a summary."""

REFRESH: Final = 5
"""Messages between the summary and the last six, from which on it is extended."""


def may_be_due(newest_seq: int, summary_seq: int) -> bool:
    """Whether the summary can be due, by what the newest message says of it: 0 where it saw none.

    It may say too little, so ``is_due`` has the last word.
    """
    return newest_seq - summary_seq >= (VERBATIM + REFRESH if summary_seq else FIRST)


def is_due(newest_seq: int, summary: Summary) -> bool:
    """Whether it is time to extend ``summary``, an empty one being the first (again, after a clear)."""
    return newest_seq - summary.covered_seq >= (VERBATIM + REFRESH if summary.text else FIRST)
