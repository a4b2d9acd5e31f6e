"""The answer to a message, as far as the conversation holds one."""

from collections.abc import Iterable

from clew.conversation.message import Message
from clew.conversation.store import ConversationStore


def reply_to(store: ConversationStore, conversation_id: str, seq: int) -> Message | None:
    """The answer to the user's message with that number: a whole one, or one that was cancelled.

    None where there is none yet, or only what broke off, or it is not among the conversation's last 32 appends.
    """
    answer = store.find_sent_as(conversation_id, answer_token(seq))
    return answer if answer and is_final(answer) else None


def is_final(message: Message) -> bool:
    """Whether a message is an answer that nothing comes after: it is whole, or the user has cancelled it."""
    if message.role != "assistant":
        return False
    return bool(message.debug.get("cancelled") or (message.debug.get("route") and not message.debug.get("partial")))


def without_superseded(messages: Iterable[Message]) -> tuple[Message, ...]:
    """``messages`` without the answers that broke off before another one to the same message was given."""
    given = list(messages)
    answered = {each.debug["in_reply_to"] for each in given if is_final(each) and each.debug.get("in_reply_to")}

    def is_superseded(message: Message) -> bool:
        debug = message.debug
        return bool(debug.get("partial")) and not is_final(message) and debug.get("in_reply_to") in answered

    return tuple(each for each in given if not is_superseded(each))


def answer_token(seq: int) -> str:
    """What the final answer to message ``seq`` is stored under, so that there is one however many try.

    No id from outside has this sign, so none can be taken for it.
    """
    return f"{seq}#answer"
