"""The rolling summary of a conversation's beginning."""

from pydantic import BaseModel, ConfigDict, Field


class Summary(BaseModel):
    """``text`` stands for all messages up to number ``covered_seq``; those after it are read verbatim."""

    model_config = ConfigDict(frozen=True)

    text: str = ""
    covered_seq: int = Field(0, ge=0)
