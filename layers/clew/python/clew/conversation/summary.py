"""The rolling summary of a conversation's beginning."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

VERBATIM: Final = 6
"""The last messages of a conversation, which a summary never covers."""


class Summary(BaseModel):
    """``text`` stands for all messages up to number ``covered_seq``; those after it are read verbatim.

    It begins after number ``since``, up to which the conversation had been cleared before; an empty one begins
    where it ends, and does not tell it.
    """

    model_config = ConfigDict(frozen=True)

    text: str = ""
    covered_seq: int = Field(0, ge=0)
    since: int = Field(0, ge=0)
