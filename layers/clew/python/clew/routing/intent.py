"""Intents of a knowledge base: what people want of it, and what must be known before it can be told."""

from pydantic import BaseModel, ConfigDict, Field


class Slot(BaseModel):
    """Something that only the user knows, and how to ask for it.

    ``values`` are the answers that there are, each as ``"name | other spelling | …"``; without them
    ``pattern``, a regular expression, finds one in a text; with neither, the whole reply is the value.
    """

    model_config = ConfigDict(frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    question: str
    question_zh: str = ""
    values: tuple[str, ...] = ()
    pattern: str = ""


class Intent(BaseModel):
    """One thing that people ask of a knowledge base; a message has it when it holds a word of each of ``words``.

    Each of ``words`` is a group of spellings, ``"deadline | due | 截止"``.
    """

    model_config = ConfigDict(frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    words: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()


class IntentMatch(BaseModel):
    """An intent found in a message: ``known`` maps slots to the values that the message gives."""

    model_config = ConfigDict(frozen=True)

    name: str
    known: dict[str, str] = Field(default_factory=dict)
    missing: tuple[Slot, ...] = ()
