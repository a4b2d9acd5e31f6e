"""Text that is data, as a language model may be given it: with nothing in it that acts on what reads it."""

import re
from typing import Final

# Each pattern begins with a set of characters, which is found several times as fast as one of several beginnings.

# What nobody sees and a model may read: terminals' escape sequences, controls that end no line, hyphens and blanks
# without a width, what turns the direction of writing, and tags. The joiners of Persian and of emoji stay.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u034f\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f](?:(?<=\x1b)\\[[0-?]*[ -/]*[@-~])?"
)
# Of selectors in a row, which can spell a text as tags can, the first stays.
_SELECTORS: Final = re.compile("([\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")

# Words of chat templates: a server may read them as its own signs for who speaks and where a message ends, wherever
# they stand. They are those of Llama, Mistral, Qwen, DeepSeek, Gemma, Phi, GLM, Command, gpt-oss and their likes.
_ANGLED: Final = (
    "/?s",
    "[be]o[spt]",
    "(?:pad|unk|eo[ah])",
    "[A-Z_]+_TOKEN",
    "(?:start|end)_of_(?:turn|image|audio|utterance|role|text)",
    "(?:beginning|end)_of_sentence",
    "/?(?:think|tool_calls?|tool_response|tools|image)",
    "__(?:media|image|audio)__",
    "(?:unused|reserved_|extra_id_)[0-9]+",
    "</?SYS>",
)
_SQUARE: Final = (
    "INST",
    "(?:SYSTEM_PROMPT|MODEL_SETTINGS)",
    "(?:AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT)|ARGS|CALL_ID)",
    "(?:THINK|PREFIX|SUFFIX|MIDDLE)",
    "(?:IMG(?:_BREAK|_END)?|(?:BEGIN_)?AUDIO)",
    "[gs]MASK",
)
_CONTROL: Final = re.compile(
    r"[<＜\[](?:"
    rf"(?<=[<＜])(?=[|｜][\w▁./:-]{{1,64}}[|｜][>＞]|(?:{'|'.join(_ANGLED)})[>＞])|(?<=\[)(?=/?(?:{'|'.join(_SQUARE)})\])"
    r")"
)


def inert(text: str) -> str:
    """``text`` without what is not seen, and with "(" for the bracket that begins a word of a chat template."""
    return _CONTROL.sub("(", _SELECTORS.sub(r"\1", _UNSEEN.sub("", text)))
