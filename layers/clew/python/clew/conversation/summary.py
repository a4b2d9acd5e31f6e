"""The rolling summary of a conversation's beginning."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

VERBATIM: Final = 6
"""The last messages of a conversation, which a summary never covers."""


class Summary(BaseModel):
    """``text`` stands for all messages up to number ``covered_seq``; those after it are read verbatim."""

    model_config = ConfigDict(frozen=True)

    text: str = ""
    covered_seq: int = Field(0, ge=0)
