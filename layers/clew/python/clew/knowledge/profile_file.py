"""A knowledge base's description in a file, beside its documents."""

import tomllib
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from clew.errors import DocumentError
from clew.routing.knowledge_base import KnowledgeBaseSummary

NAME: Final = "profile.toml"


def read_profile(path: Path) -> KnowledgeBaseSummary:
    """The profile in ``path``: ``prefix``, ``title``, and where wanted ``title_zh``, ``description``,
    ``description_zh`` and a list of ``examples``. DocumentError says what does not fit.
    """
    try:
        return KnowledgeBaseSummary(**tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise DocumentError(str(path), f"cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DocumentError(str(path), f"not TOML: {error}.") from error
    except (ValidationError, TypeError) as error:
        raise DocumentError(str(path), "needs prefix and title as text; see the README for the rest.") from error
