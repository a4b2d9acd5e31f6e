"""What a caller may do with a session, who knows its name and not the conversation's id."""

from clew.conversation.message import Feedback, MessagePage
from clew.conversation.store import ConversationStore
from clew.errors import ConversationNotFoundError


def clear_session(store: ConversationStore, user_id: str, session_id: str) -> int:
    """Clear the session's conversation; how many messages it had. A session that never was had none."""
    conversation = store.find_conversation(user_id, session_id)
    return store.clear_messages(conversation.conversation_id) if conversation else 0


def session_messages(
    store: ConversationStore, user_id: str, session_id: str, limit: int, before: str = "", after: str = ""
) -> MessagePage:
    """A page of the session's messages; ConversationNotFoundError where there is no conversation."""
    return store.list_messages(_conversation_id(store, user_id, session_id), limit, before, after)


def judge_message(store: ConversationStore, user_id: str, session_id: str, feedback: Feedback) -> None:
    """Store feedback on a message of the session; ConversationNotFoundError or MessageNotFoundError."""
    store.put_feedback(_conversation_id(store, user_id, session_id), feedback)


def _conversation_id(store: ConversationStore, user_id: str, session_id: str) -> str:
    conversation = store.find_conversation(user_id, session_id)
    if conversation is None:
        raise ConversationNotFoundError(session_id)
    return conversation.conversation_id
