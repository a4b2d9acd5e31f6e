"""Source documents from files: Markdown, text and JSONL."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clew.errors import DocumentError
from clew.identifiers import short_digest

SUFFIXES: Final = (".md", ".markdown", ".txt", ".jsonl")
MAX_DOCUMENT_CHARACTERS: Final = 2_000_000  # a long book; more is a dump that should be split
MAX_ID_CHARACTERS: Final = 512


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was given; ``id`` is unique within its knowledge base."""

    id: str
    title: str
    text: str
    source: str = ""

    @property
    def content_hash(self) -> str:
        """Changes when anything of the document does."""
        return short_digest(self.id, self.title, self.text, self.source, length=32)


def read_documents(paths: list[Path]) -> list[Document]:
    """All documents of the files and folders named, in a stable order.

    Folders are searched for Markdown, text and JSONL. Raises DocumentError naming the file, and the
    line of a JSONL file, at the first thing that cannot be loaded; two documents of one id too.
    """
    documents: dict[str, tuple[Document, str]] = {}
    for file, root in _files(paths):
        for document, where in _read_file(file, root):
            if document.id in documents:
                raise DocumentError(where, f"id {document.id!r} stands already in {documents[document.id][1]}.")
            documents[document.id] = (document, where)
    return [document for document, _ in documents.values()]


def _files(paths: list[Path]) -> Iterator[tuple[Path, Path]]:
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
            if not inside:
                raise DocumentError(str(path), f"no file ending in {', '.join(SUFFIXES)} in this folder.")
            yield from ((file, path) for file in inside)
        elif not path.exists():
            raise DocumentError(str(path), "no such file or folder.")
        elif path.suffix.lower() not in SUFFIXES:
            raise DocumentError(str(path), f"unknown kind of file; give one of {', '.join(SUFFIXES)}.")
        else:
            yield path, path.parent


def _read_file(file: Path, root: Path) -> Iterator[tuple[Document, str]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(str(file), f"not UTF-8 (byte {error.start}); convert it first.") from error
    except OSError as error:
        raise DocumentError(str(file), f"cannot be read: {error.strerror}.") from error
    if not text.strip():
        raise DocumentError(str(file), "the file is empty.")
    if file.suffix.lower() == ".jsonl":
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                where = f"{file}:{number}"
                yield _checked(_from_json(line, where), where), where
        return
    relative = file.relative_to(root)
    yield _checked(_from_text(text, relative), str(file)), str(file)


def _from_json(line: str, where: str) -> Document:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise DocumentError(where, "not a JSON object on one line.") from error
    if not isinstance(record, dict):
        raise DocumentError(where, "not a JSON object on one line.")
    values: dict[str, str] = {}
    for name in ("id", "title", "text", "source"):
        value = record.get(name, "" if name == "source" else None)
        if not isinstance(value, str) or (name != "source" and not value.strip()):
            raise DocumentError(where, f"{name!r} must be a text that is not empty.")
        values[name] = value
    return Document(values["id"].strip(), values["title"].strip(), values["text"], values["source"])


def _from_text(text: str, relative: Path) -> Document:
    """The first heading, else the file's name, is the title; the heading is not repeated in the text."""
    lines = text.strip().splitlines()
    title = relative.stem
    if lines[0].startswith("#"):
        title = lines.pop(0).lstrip("#").strip() or title
    body = "\n".join(lines).strip()
    return Document(relative.with_suffix("").as_posix(), title, body or title, relative.as_posix())


def _checked(document: Document, where: str) -> Document:
    if len(document.text) > MAX_DOCUMENT_CHARACTERS:
        raise DocumentError(
            where,
            f"{len(document.text):,} characters; at most {MAX_DOCUMENT_CHARACTERS:,} a document. Split it.",
        )
    if len(document.id) > MAX_ID_CHARACTERS:
        raise DocumentError(where, f"the id has {len(document.id)} characters; at most {MAX_ID_CHARACTERS}.")
    return document
