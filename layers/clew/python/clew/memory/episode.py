"""A finished turn as memory keeps it: the question, its answer, and when they were said."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Episode:
    """One question and its answer; ``seq`` is the answer's number in the conversation.

    ``question`` stands alone (as it was looked up, not as it was typed), so that it can be found by what it
    means; ``said`` holds the user's own words. ``answer`` is without citation marks. ``created_at`` is the
    answer's time, ISO 8601 in UTC. ``names`` are the entities of question and answer, as spelt there.
    """

    conversation_id: str
    seq: int
    question: str
    answer: str
    created_at: str
    said: str = ""
    names: tuple[str, ...] = ()
