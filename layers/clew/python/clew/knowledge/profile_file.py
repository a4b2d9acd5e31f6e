"""A knowledge base's description in a file, beside its documents."""

import tomllib
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from clew.errors import DocumentError
from clew.routing.intent import Intent, Slot
from clew.routing.knowledge_base import KnowledgeBaseSummary

NAME: Final = "profile.toml"

_Location = tuple[int | str, ...]


def read_profile(path: Path) -> KnowledgeBaseSummary:
    """The profile in ``path``: ``prefix``, ``title``, and where wanted ``title_zh``, ``description``,
    ``description_zh``, a list of ``examples``, and ``intents`` with their ``slots``. A slot without a question is
    the one described before under its name, but for the fields given. DocumentError says what does not fit.
    """
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        if "intents" in fields:
            fields["intents"] = _intents(fields["intents"])
        return KnowledgeBaseSummary(**fields)
    except OSError as error:
        raise DocumentError(str(path), f"cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DocumentError(str(path), f"not TOML: {error}.") from error
    except _IntentError as error:
        raise DocumentError(str(path), f"{error}. See the README for what an intent consists of.") from error
    except (ValidationError, TypeError) as error:
        raise DocumentError(str(path), _problem(error)) from error


class _IntentError(ValueError):
    """What does not fit in which intent, without a full stop."""


def _intents(tables: Any) -> list[Intent]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise _IntentError("intents must be tables, each under [[intents]]")
    described: dict[str, dict[str, Any]] = {}
    return [_intent(table, number, described) for number, table in enumerate(tables, start=1)]


def _intent(table: dict[str, Any], number: int, described: dict[str, dict[str, Any]]) -> Intent:
    """One intent; ``described`` has the slots of those before it, and takes its own."""
    where = f"intent {table['name']!r}" if isinstance(table.get("name"), str) else f"intent number {number}"
    _check_fields(where, table, set(Intent.model_fields))
    slots = table.get("slots", [])
    if not isinstance(slots, list) or not all(isinstance(slot, dict) for slot in slots):
        raise _IntentError(f"{where}: slots must be tables, each under [[intents.slots]]")
    whole = [_slot(where, slot, described) for slot in slots]
    try:
        return Intent(**(table | {"slots": whole}))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _IntentError(f"{_place(where, first['loc'], whole)} {_said(first['type'], first['msg'])}") from error


def _slot(where: str, slot: dict[str, Any], described: dict[str, dict[str, Any]]) -> dict[str, Any]:
    name = slot.get("name")
    shown = f"{where}, slot {name!r}" if isinstance(name, str) else f"{where}, a slot"
    _check_fields(shown, slot, set(Slot.model_fields))
    if not isinstance(name, str):
        raise _IntentError(f"{shown} has no name")
    if "question" in slot:
        described[name] = slot
    elif name not in described:
        raise _IntentError(f"{shown} has no question, and none of that name is described before")
    return described[name] | slot


def _check_fields(where: str, table: dict[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(table) - known):
        raise _IntentError(f"{where} has a field {unknown[0]!r}, which is none of {', '.join(sorted(known))}")


def _place(where: str, location: _Location, slots: list[dict[str, Any]]) -> str:
    """The place in words: ``intent 'fee', slot 'year', pattern``."""
    parts = [where]
    rest = list(location)
    if rest[:1] == ["slots"] and len(rest) > 1 and isinstance(rest[1], int):
        parts.append(f"slot {slots[rest[1]]['name']!r}")
        rest = rest[2:]
    if rest:
        parts.append(str(rest[0]))
    return ", ".join(parts) + (":" if rest else "")


def _said(kind: str, text: str) -> str:
    match kind:
        case "missing":
            return "is missing"
        case "string_pattern_mismatch":
            return "must begin with a lower-case letter and have only a-z, 0-9 and _, at most 40"
        case "value_error":
            return text.removeprefix("Value error, ")
        case _:
            return text[:1].lower() + text[1:]


def _problem(error: ValidationError | TypeError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        if first["loc"][:1] == ("intents",):
            return f"intents: {_said(first['type'], first['msg'])}."
    return "needs prefix and title as text; see the README for the rest."
