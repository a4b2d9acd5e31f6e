"""The file of a picture: its name, its format, and writing it whole or not at all."""

import os
from pathlib import Path
from typing import Final, get_args

from clew.drawing.picture import Format
from clew.errors import InvalidRequestError
from clew.text.names import name_key

FORMATS: Final[tuple[Format, ...]] = get_args(Format)
MAX_NAME: Final = 60  # characters; of three bytes each they are still a file name


def default_target(name: str) -> Path:
    """Where the picture of an entity of that name goes, in the current folder, such as ``ang-lee.svg``."""
    return Path(f"{name_key(name)[:MAX_NAME].strip().replace(' ', '-')}.svg")


def format_of(target: Path) -> Format:
    """The format that the ending of ``target`` names; InvalidRequestError if there is none or it cannot go there."""
    form = next((each for each in FORMATS if target.suffix.lower() == f".{each}"), None)
    if form is None:
        raise _refused(target, "a picture's file ends in .svg or .png.")
    if target.is_dir():
        raise _refused(target, "this is a folder; name a file.")
    if not target.parent.is_dir():
        raise _refused(target, "there is no such folder; make it first.")
    if not os.access(target.parent, os.W_OK):
        raise _refused(target, "the folder cannot be written to; name another.")
    return form


def write_picture(target: Path, content: bytes) -> None:
    """Put ``content`` at ``target`` in one step, in place of what is there; InvalidRequestError if it cannot be."""
    half = target.with_name(f".clew-{os.getpid()}.tmp")
    try:
        half.write_bytes(content)
        half.replace(target)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise _refused(target, f"it cannot be written ({error.strerror}).") from error


def _refused(target: Path, problem: str) -> InvalidRequestError:
    return InvalidRequestError(f"{target}: {problem}", {"out": problem})
