"""What a turn is asked to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message of a user, checked; ``client_message_id`` makes sending it twice harmless."""

    tenant_id: str
    user_id: str
    session_id: str
    message: str
    kb_prefix: str = ""
    agent_type: str = ""
    debug: bool = False
    client_message_id: str = ""
