"""What storing a user's message tells a turn."""

from dataclasses import dataclass

from clew.conversation.message import Message


@dataclass(frozen=True, slots=True)
class Begun:
    """A user's message is stored, and its conversation exists.

    Messages up to number ``cleared_seq`` have been cleared and are out of bounds, also where one is still found.
    ``repeated`` tells that the message had been stored before, under the same client message id.
    """

    conversation_id: str
    message: Message
    cleared_seq: int = 0
    repeated: bool = False
