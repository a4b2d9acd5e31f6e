"""All error classes of the package, and one error of each."""

import ast
import importlib
from functools import cache
from pathlib import Path
from typing import Any, Final

from clew import errors
from clew.errors import ClewError
from clew.local.data_directory import DataDirectory

PACKAGE: Final = Path(errors.__file__).parent

_ARGUMENTS: Final[dict[str, tuple[Any, ...]]] = {
    "MessageTooLongError": (40_000, 32_000),
    "MessageTooLargeError": (400_000, 307_200),
    "UnknownKnowledgeBaseError": ("law", ["edu"]),
    "UnknownAgentTypeError": ("wizard", ("graph_agent",)),
    "ConversationNotFoundError": ("s1",),
    "ConversationClearedError": ("c1",),
    "MessageNotFoundError": ("m1",),
    "AnsweredElsewhereError": (),
    "EntityNotFoundError": ("Tenet", "movie", []),
    "DocumentError": ("film.md", "the file is empty."),
    "TurnTimeoutError": (300,),
    "RetrievalFailedError": ({"movie:graph_agent:retrieve_only": "GraphUnavailableError"},),
    "DataDirectoryInUseError": (Path("data"), "7"),
    "PortInUseError": (8000,),
    "StaleGraphError": (DataDirectory(Path("data")), "is damaged"),
}


@cache
def error_classes() -> tuple[type[ClewError], ...]:
    """``ClewError`` and all that come of it, wherever in the package they are."""
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.ClassDef) and node.name.endswith("Error") for node in ast.walk(tree)):
            importlib.import_module(".".join(("clew", *file.relative_to(PACKAGE).with_suffix("").parts)))
    return tuple(each for each in _family(ClewError) if each.__module__.startswith("clew."))


def _family(root: type[ClewError]) -> list[type[ClewError]]:
    return [root, *(each for child in root.__subclasses__() for each in _family(child))]


def one_of(kind: type[ClewError]) -> ClewError:
    """An error of that class, made as the code makes it."""
    return kind(*_ARGUMENTS.get(kind.__name__, ("Something is wrong with it. Mend it.",)))
