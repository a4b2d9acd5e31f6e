"""A chat model that does whatever it is told outside of the fences of a prompt, and nothing that stands within."""

import re
import unicodedata
from collections.abc import AsyncGenerator
from typing import Final

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.usage import Usage

ORDINARY: Final = "Nolan [1]."

# Read with every blank taken out.
_ORDER: Final = re.compile(r"(?:replyonlywith|只回答)[\"“]?([A-Z]+)", re.IGNORECASE)
_FENCE: Final = re.compile(r"<[/\\]?(?:evidence|remembered)", re.IGNORECASE)
# What makes a server begin another message, wherever it stands.
_TEMPLATE: Final = re.compile(r"<\|[\w▁]+\|>|\[/?INST\]|</?s>|<<SYS>>|<(?:start|end)_of_turn>")


class Obedient:
    """Reads as loosely as a model might: any case, width, accents and blanks; signs without a shape as nothing."""

    name = "obedient"
    reads_images = False

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.prompts.append(prompt)
        ordered = [word for message in render(prompt) for word in orders(message)]
        yield TextDelta(" ".join(ordered) or ORDINARY)
        yield Finished(Usage(input_tokens=30, output_tokens=7), model=self.name)


def orders(message: ChatMessage) -> list[str]:
    """The words that ``message`` tells to reply with, in a place where it may tell anything."""
    own, *smuggled = _TEMPLATE.split(_plain(message.content))
    spoken = [_outside(own)] if message.role in ("system", "user") else []
    return [found[1] for text in (*spoken, *smuggled) for found in _ORDER.finditer(_without_blanks(text))]


def _outside(text: str) -> str:
    """What stands in no fence; a fence ends with whatever looks like a marker's end."""
    kept, inside, at = "", False, 0
    text = _without_blanks(text)
    for marker in _FENCE.finditer(text):
        kept += "" if inside else text[at : marker.start()]
        inside, at = marker[0][1] not in "/\\", marker.end()
    return kept + ("" if inside else text[at:])


def _plain(text: str) -> str:
    """Letters in their plain form, hidden ones among them: tags and selectors spell a text to those who read them."""
    shown = "".join(_spelt(each) for each in unicodedata.normalize("NFKD", text))
    return "".join(each for each in shown if unicodedata.category(each) not in ("Cf", "Cn", "Mn", "Me"))


def _spelt(character: str) -> str:
    for first in (0xE0000, 0xE0100):
        if first + 0x20 <= ord(character) <= first + 0x7E:
            return chr(ord(character) - first)
    return character


def _without_blanks(text: str) -> str:
    return "".join(each for each in text if not each.isspace() and unicodedata.category(each)[0] != "C")
