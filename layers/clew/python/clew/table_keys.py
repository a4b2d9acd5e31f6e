"""Keys of the one table: every item's place, built and read back here and nowhere else.

Access patterns:

    the conversation of a user's session        GetItem    CONV#c                HEAD
    a user's conversations                      Query      TENANT#t#USER#u       begins with SESSION#
    the newest n messages, or n before one      Query      CONV#c                MSG# range, backwards
    one message                                 GetItem    CONV#c                MSG#<seq>
    what a turn recalls of its conversation     Query      CONV#c                MSG#<seq> to SUMMARY, backwards
    the summary of a conversation's beginning   GetItem    CONV#c                SUMMARY
    the open follow-up question                 GetItem    CONV#c                PENDING
    feedback on the messages of a page          Query      CONV#c                FEEDBACK# range
    feedback on an agent's answers of a day     Query, in the index FeedbackByDay:
                                                           TENANT#t#FEEDBACK#<agent type>#<day>   by time
    a tenant's knowledge bases, or one          Query/Get  TENANT#t              KB#<prefix>
    whether a tenant's knowledge bases changed  GetItem    TENANT#t              KB_STAMP
    the finished workers of an execution        Query      RUN#<execution>       begins with WORKER#
    what is wanted of a running answer          GetItem    ANSWER#<message id>   WANTED
    a running answer's events after one         Query      ANSWER#<message id>   EVENTS#<attempt>#<number> to WANTED

A conversation's id is a digest of tenant, user and session: the same three always give the same id,
so that "create once" needs no lookup that two requests could race through. Ids from outside cannot
hold ``#``, which keeps the parts of a key apart. Sequence numbers and message ids are padded to ten
digits: strings then sort as the numbers do. ``MSG#``, ``PENDING`` and ``SUMMARY`` sort in this order with
nothing behind them, so that reading backwards from the summary meets all that a turn needs.
"""

import re
from typing import Final, NamedTuple

from clew.identifiers import short_digest

HEAD: Final = "HEAD"
PENDING: Final = "PENDING"
SUMMARY: Final = "SUMMARY"
SESSION_PREFIX: Final = "SESSION#"
KB_PREFIX: Final = "KB#"
KB_STAMP: Final = "KB_STAMP"
RUN_PREFIX: Final = "RUN#"
WORKER_PREFIX: Final = "WORKER#"
WANTED: Final = "WANTED"
ANSWER_EVENTS_PREFIX: Final = "EVENTS#"
LAST_SEQ: Final = 9_999_999_999
"""The highest number that ten digits write."""

_MESSAGE_ID: Final = re.compile(r"(c[0-9a-f]{31})\.(\d{10})")
_CONVERSATION_PK: Final = re.compile(r"CONV#(c[0-9a-f]{31})")
_MESSAGE_SK: Final = re.compile(r"MSG#(\d{10})")


class Key(NamedTuple):
    """An item's primary key."""

    pk: str
    sk: str


class Index(NamedTuple):
    """A secondary index of the table; ``pk`` and ``sk`` are the attributes that are its keys."""

    name: str
    pk: str
    sk: str


FEEDBACK_BY_DAY: Final = Index("FeedbackByDay", "feedback_day", "feedback_at")
"""Sparse: feedback alone has these attributes."""


class MessagePlace(NamedTuple):
    """Where a message stands: its conversation and its number in it."""

    conversation_id: str
    seq: int


def conversation_id(tenant_id: str, user_id: str, session_id: str) -> str:
    """The one id that this user's session has; it can be told from the three parts, not the reverse."""
    return "c" + short_digest(tenant_id, user_id, session_id, length=31)


def message_id(conversation_id: str, seq: int) -> str:
    return f"{conversation_id}.{seq:010d}"


def parse_message_id(text: str) -> MessagePlace | None:
    """The place that a message id names, or None for text that is no message id."""
    match = _MESSAGE_ID.fullmatch(text)
    return MessagePlace(match[1], int(match[2])) if match else None


def user_pk(tenant_id: str, user_id: str) -> str:
    return f"TENANT#{tenant_id}#USER#{user_id}"


def session_key(tenant_id: str, user_id: str, session_id: str) -> Key:
    return Key(user_pk(tenant_id, user_id), SESSION_PREFIX + session_id)


def conversation_pk(conversation_id: str) -> str:
    return f"CONV#{conversation_id}"


def parse_conversation_pk(pk: str) -> str:
    """The conversation whose partition it is; empty for another item's."""
    match = _CONVERSATION_PK.fullmatch(pk)
    return match[1] if match else ""


def head_key(conversation_id: str) -> Key:
    return Key(conversation_pk(conversation_id), HEAD)


def pending_key(conversation_id: str) -> Key:
    return Key(conversation_pk(conversation_id), PENDING)


def summary_key(conversation_id: str) -> Key:
    return Key(conversation_pk(conversation_id), SUMMARY)


def message_sk(seq: int) -> str:
    return f"MSG#{seq:010d}"


def message_key(conversation_id: str, seq: int) -> Key:
    return Key(conversation_pk(conversation_id), message_sk(seq))


def parse_message_key(pk: str, sk: str) -> MessagePlace | None:
    """The place of the message under a key, or None where the key is another item's."""
    conversation, message = parse_conversation_pk(pk), _MESSAGE_SK.fullmatch(sk)
    return MessagePlace(conversation, int(message[1])) if conversation and message else None


def feedback_sk(conversation_id: str, seq: int) -> str:
    return f"FEEDBACK#{message_id(conversation_id, seq)}"


def feedback_key(conversation_id: str, seq: int) -> Key:
    return Key(conversation_pk(conversation_id), feedback_sk(conversation_id, seq))


def feedback_day(tenant_id: str, agent_type: str, day: str) -> str:
    """The partition of ``FEEDBACK_BY_DAY`` with one day's judgements of one agent's answers."""
    return f"TENANT#{tenant_id}#FEEDBACK#{agent_type}#{day}"


def feedback_at(created_at: str, message_id: str) -> str:
    """A judgement's place in its day: sorts by time, and no two have the same."""
    return f"{created_at}#{message_id}"


def tenant_pk(tenant_id: str) -> str:
    return f"TENANT#{tenant_id}"


def knowledge_base_key(tenant_id: str, kb_prefix: str) -> Key:
    return Key(tenant_pk(tenant_id), KB_PREFIX + kb_prefix)


def knowledge_base_stamp_key(tenant_id: str) -> Key:
    return Key(tenant_pk(tenant_id), KB_STAMP)


def running_answer_pk(conversation_id: str, seq: int) -> str:
    """The partition of the answer to message ``seq`` while it is being given."""
    return f"ANSWER#{message_id(conversation_id, seq)}"


def wanted_key(conversation_id: str, seq: int) -> Key:
    return Key(running_answer_pk(conversation_id, seq), WANTED)


def answer_events_sk(attempt: str, number: int) -> str:
    """The place of the events of one attempt that begin with ``number``."""
    return f"{ANSWER_EVENTS_PREFIX}{attempt}#{number:010d}"


def run_notes_pk(execution: str) -> str:
    return RUN_PREFIX + execution


def run_note_key(execution: str, worker_name: str) -> Key:
    return Key(run_notes_pk(execution), WORKER_PREFIX + worker_name)
