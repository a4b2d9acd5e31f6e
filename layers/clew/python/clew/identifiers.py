"""Identifiers that come from outside, checked before they become part of a key, a label or an index name."""

import hashlib
import re
from typing import Annotated, Final

from pydantic import StringConstraints

from clew.errors import InvalidRequestError

OUTSIDE_ID: Final = r"^[A-Za-z0-9_.:@-]{1,128}$"
KB_PREFIX: Final = r"^[a-z][a-z0-9_-]{0,31}$"

OutsideId = Annotated[str, StringConstraints(pattern=OUTSIDE_ID)]
KbPrefix = Annotated[str, StringConstraints(pattern=KB_PREFIX)]


def check_outside_id(value: str, name: str) -> str:
    """``value`` itself if it may become part of a key, else InvalidRequestError naming the field ``name``."""
    if not re.fullmatch(OUTSIDE_ID, value):
        raise InvalidRequestError(
            f"{name} {value[:140]!r} is not an id: use 1 to 128 of A-Z a-z 0-9 _ . : @ -.",
            {name: "does not match " + OUTSIDE_ID},
        )
    return value


def check_kb_prefix(value: str) -> str:
    """``value`` itself if it can name a knowledge base, else InvalidRequestError."""
    if not re.fullmatch(KB_PREFIX, value) or value == "general":
        raise InvalidRequestError(
            f"{value[:40]!r} cannot name a knowledge base: use a lower-case letter, then up to 31 of "
            "a-z 0-9 _ -; 'general' is taken.",
            {"kb_prefix": "does not match " + KB_PREFIX},
        )
    return value


def short_digest(*parts: str, length: int = 16) -> str:
    """A stable hexadecimal digest of ``parts``, which may not run into each other."""
    joined = "\x1f".join(parts).encode()
    return hashlib.sha256(joined).hexdigest()[:length]
