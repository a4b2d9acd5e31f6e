"""The last messages of a conversation as turns that a prompt can hold."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from clew.answering.prompting.prompt import ChatMessage
from clew.conversation.message import Message
from clew.text.citation_marks import without_marks


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What user and assistant said in turn, the user first; ``answers`` are the numbers of what the assistant said."""

    messages: tuple[ChatMessage, ...]
    answers: frozenset[int] = frozenset()


def turns_of(messages: Iterable[Message]) -> list[SpokenTurn]:
    """Messages (in order) as turns in which, and over all of which, the speakers alternate.

    What the assistant asked back and what the user replied are one turn: the reply means nothing
    alone. A message that never got an answer becomes one with the next. Left out are blank messages and
    answers before the first question, which no turn counts among its ``answers``; citation marks, which
    refer to the evidence of another turn, go.
    """
    turns: list[SpokenTurn] = []
    asking = False
    for message in messages:
        content = (without_marks(message.content) if message.role == "assistant" else message.content).strip()
        if message.role not in ("user", "assistant") or not content or (message.role == "assistant" and not turns):
            continue
        last = turns[-1].messages[-1] if turns else None
        if last and last.role == message.role:
            joined = ChatMessage(message.role, f"{last.content}\n\n{content}")
            turns[-1] = replace(turns[-1], messages=(*turns[-1].messages[:-1], joined))
        elif message.role == "assistant" or asking:
            turns[-1] = replace(turns[-1], messages=(*turns[-1].messages, ChatMessage(message.role, content)))
        else:
            turns.append(SpokenTurn((ChatMessage(message.role, content),)))
        if message.role == "assistant":
            turns[-1] = replace(turns[-1], answers=turns[-1].answers | {message.seq})
        asking = message.is_ask_user
    return turns
