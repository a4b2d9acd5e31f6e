"""What a turn is asked to do."""

from dataclasses import dataclass

from clew.answering.prompting.prompt import Image


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message of a user, checked; ``client_message_id`` makes sending it twice harmless.

    ``model`` is the model that the request asks for, if it may; ``correlation_id`` is the request's in all logs.
    """

    tenant_id: str
    user_id: str
    session_id: str
    message: str
    kb_prefix: str = ""
    agent_type: str = ""
    debug: bool = False
    client_message_id: str = ""
    images: tuple[Image, ...] = ()
    model: str = ""
    correlation_id: str = ""
