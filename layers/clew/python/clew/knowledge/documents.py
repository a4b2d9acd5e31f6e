"""Source documents from files: Markdown, text and JSONL, read as they are needed."""

import json
from array import array
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, Protocol

from clew.errors import DocumentError
from clew.identifiers import short_digest
from clew.knowledge.encoding import DEFAULT_ENCODING, check_encoding, decoded_lines, decoded_text

SUFFIXES: Final = (".md", ".markdown", ".txt", ".jsonl")
MAX_DOCUMENT_CHARACTERS: Final = 2_000_000  # a long book; more is a dump that should be split
MAX_ID_CHARACTERS: Final = 512
MAX_LINE_BYTES: Final = 16 * MAX_DOCUMENT_CHARACTERS  # JSON may write a character in twelve bytes
MAX_SKIPPED_SHOWN: Final = 20

OnError = Literal["stop", "skip"]


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


class DocumentSource(Protocol):
    """Documents that can be gone through several times; a list of them is one."""

    def __iter__(self) -> Iterator[Document]: ...

    def __len__(self) -> int: ...


class Documents:
    """The documents of files and folders, read anew each time they are gone through; none is kept.

    Made by ``read_documents``, which has gone through all of them once. A file that has changed since
    then raises DocumentError.
    """

    def __init__(self, files: list["_File"], encoding: str, on_error: OnError) -> None:
        self.skipped = 0
        self.problems: list[str] = []
        """What was wrong with the first of those that were skipped."""
        self._files = files
        self._encoding = encoding
        self._on_error = on_error
        self._repeated: frozenset[str] = frozenset()
        self._check()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Document]:
        with closing(self._read()) as read:
            for where, found in read:
                if isinstance(found, DocumentError):
                    if self._on_error == "stop":
                        raise found
                elif where not in self._repeated:
                    yield found

    def _check(self) -> None:
        """Count the documents and find what is wrong: errors first, then ids that come again."""
        digests = array("Q")
        with closing(self._read()) as read:  # and with it the file, where an error ends it
            for _, found in read:
                if isinstance(found, Document):
                    digests.append(_digest(found.id))
                else:
                    self._refuse(found)
        with closing(self._find_repeated(digests)) as errors:
            repeated = [error for error in errors if self._refuse(error)]
        self._repeated = frozenset(error.where for error in repeated)
        self._count = len(digests) - len(repeated)

    def _find_repeated(self, digests: "array[int]") -> Generator[DocumentError]:
        ordered = sorted(digests)
        suspected = {one for one, other in pairwise(ordered) if one == other}
        if not suspected:
            return
        first: dict[str, str] = {}
        for where, found in self._read():
            if isinstance(found, Document) and _digest(found.id) in suspected:
                if found.id in first:
                    yield DocumentError(where, f"id {found.id!r} stands already in {first[found.id]}.")
                else:
                    first[found.id] = where

    def _refuse(self, error: DocumentError) -> bool:
        if self._on_error == "stop":
            raise error
        self.skipped += 1
        if len(self.problems) < MAX_SKIPPED_SHOWN:
            self.problems.append(str(error))
        return True

    def _read(self) -> Generator[tuple[str, Document | DocumentError]]:
        for file in self._files:
            if file.stamp != _stamp(file.path):
                raise DocumentError(str(file.path), "it changed while it was read; load again.")
            yield from _read_file(file, self._encoding)


def read_documents(paths: Iterable[Path], *, encoding: str = DEFAULT_ENCODING, on_error: OnError = "stop") -> Documents:
    """All documents of the files and folders named, in a stable order, checked.

    Folders are searched for Markdown, text and JSONL. Raises DocumentError naming the file, and the
    line of a JSONL file, at the first thing that cannot be loaded; two documents of one id too. With
    ``on_error="skip"`` such things are left out and counted; a path that is not there is an error all
    the same, and so is an ``encoding`` that does not exist.
    """
    return Documents(list(_files(paths)), check_encoding(encoding), on_error)


@dataclass(frozen=True, slots=True)
class _File:
    """A file, the folder that its id is relative to, and how it looked when it was found."""

    path: Path
    root: Path
    stamp: tuple[int, int] | None


def _files(paths: Iterable[Path]) -> Iterator[_File]:
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
            if not inside:
                raise DocumentError(str(path), f"no file ending in {', '.join(SUFFIXES)} in this folder.")
            yield from (_File(file, path, _stamp(file)) for file in inside)
        elif not path.exists():
            raise DocumentError(str(path), "no such file or folder.")
        elif path.suffix.lower() not in SUFFIXES:
            raise DocumentError(str(path), f"unknown kind of file; give one of {', '.join(SUFFIXES)}.")
        else:
            yield _File(path, path.parent, _stamp(path))


def _stamp(file: Path) -> tuple[int, int] | None:
    """Size and time of change; None where the file is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _digest(document_id: str) -> int:
    return int(short_digest(document_id, length=16), 16)


def _read_file(file: _File, encoding: str) -> Iterator[tuple[str, Document | DocumentError]]:
    """Each document, or what is wrong in its place, and where it stands."""
    found = _from_lines(file.path, encoding) if file.path.suffix.lower() == ".jsonl" else _from_whole(file, encoding)
    try:
        yield from found
    except DocumentError as error:
        yield error.where, error


def _from_lines(path: Path, encoding: str) -> Iterator[tuple[str, Document | DocumentError]]:
    empty = True
    for number, line in decoded_lines(path, encoding, MAX_LINE_BYTES):
        where = f"{path}:{number}"
        if isinstance(line, DocumentError):
            empty = False
            yield line.where, line
        elif line.strip():
            empty = False
            try:
                yield where, _checked(_from_json(line, where), where)
            except DocumentError as error:
                yield where, error
    if empty:
        raise DocumentError(str(path), "the file is empty.")


def _from_whole(file: _File, encoding: str) -> Iterator[tuple[str, Document | DocumentError]]:
    where = str(file.path)
    text = decoded_text(file.path, encoding, MAX_DOCUMENT_CHARACTERS)
    if not text.strip():
        raise DocumentError(where, "the file is empty.")
    yield where, _checked(_from_text(text, file.path.relative_to(file.root)), where)


def _from_json(line: str, where: str) -> Document:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:  # ValueError: numbers of thousands of digits too
        raise DocumentError(where, "not a JSON object on one line.") from error
    if not isinstance(record, dict):
        raise DocumentError(where, "not a JSON object on one line.")
    values: dict[str, str] = {}
    for name in ("id", "title", "text", "source"):
        value = record.get(name, "" if name == "source" else None)
        if not isinstance(value, str) or (name != "source" and not value.strip()):
            raise DocumentError(where, f"{name!r} must be a text that is not empty.")
        if not _is_whole(value):
            raise DocumentError(where, f"{name!r} holds half of a character (a \\ud800 to \\udfff alone).")
        values[name] = value
    return Document(values["id"].strip(), values["title"].strip(), values["text"], values["source"])


def _is_whole(value: str) -> bool:
    """JSON can say one half of a surrogate pair, which no encoding can."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    if not _is_whole(document.id):
        raise DocumentError(where, "the file's name is not UTF-8, and the id is made of it; rename it.")
    if len(document.id) > MAX_ID_CHARACTERS:
        raise DocumentError(where, f"the id has {len(document.id)} characters; at most {MAX_ID_CHARACTERS}.")
    return document
