"""Text of a file in its encoding, piece by piece, and what to say of bytes that do not fit."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from clew.errors import DocumentError, InvalidRequestError

DEFAULT_ENCODING: Final = "utf-8"
BLOCK: Final = 1 << 20  # bytes read at once
SAMPLE: Final = 4_096  # bytes that tell what a file looks like


def check_encoding(name: str) -> str:
    """``name`` itself if it is an encoding of text, else InvalidRequestError."""
    try:
        "".encode(name)
    except (LookupError, ValueError) as error:  # ValueError: the name holds a NUL
        raise InvalidRequestError(f"{name!r} is no encoding; use a name such as gb18030 or utf-16.") from error
    return name


def decoded_text(file: Path, encoding: str, limit: int) -> str:
    """The whole text of ``file``. DocumentError if it has more than ``limit`` characters, or other bytes."""
    decoder = codecs.getincrementaldecoder(_codec(encoding))()
    pieces: list[str] = []
    characters = offset = 0
    with _opened(file) as handle:
        while True:
            block = handle.read(BLOCK)
            try:
                piece = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                # What the decoder has kept of the block before stands in front of this one.
                byte = offset + error.start - (len(error.object) - len(block))
                raise DocumentError(str(file), _misfit(encoding, byte, error.object)) from error
            except UnicodeError as error:  # UTF-16 without a mark at its beginning
                raise DocumentError(str(file), _misfit(encoding, offset, block)) from error
            _refuse_zeros(piece, str(file), offset, block)
            characters += len(piece)
            if characters <= limit:
                pieces.append(piece)
            if not block:
                break
            offset += len(block)
    if characters > limit:
        raise DocumentError(str(file), f"{characters:,} characters; at most {limit:,} a document. Split it.")
    return "".join(pieces)


def decoded_lines(file: Path, encoding: str, limit: int) -> Iterator[tuple[int, str | DocumentError]]:
    """The lines of ``file`` with their numbers, those that cannot be read as the error that says why.

    Only one line is in memory, and none of more than ``limit`` bytes. Number 0 stands for the whole file.
    """
    with _opened(file) as handle:
        head = handle.read(SAMPLE)
        handle.seek(0)
        if _is_utf_8(encoding) and _looks_like(head).startswith("UTF-16"):
            yield 0, DocumentError(str(file), _misfit(encoding, 0, head))
        elif "\n".encode(encoding) != b"\n":  # UTF-16 and UTF-32, where no byte marks the end of a line
            yield from _wide_lines(file, handle, encoding, limit)
        else:
            yield from _narrow_lines(file, handle, encoding, limit)


def _narrow_lines(file: Path, handle: BinaryIO, encoding: str, limit: int) -> Iterator[tuple[int, str | DocumentError]]:
    number, offset = 0, 0
    while line := handle.readline(limit + 1):
        number += 1
        where = f"{file}:{number}"
        if len(line) > limit:
            while line and not line.endswith(b"\n"):
                offset += len(line)
                line = handle.readline(limit)
            yield number, _too_long(where, limit)
        else:
            try:
                text = line.decode(_codec(encoding) if number == 1 else encoding)
                _refuse_zeros(text, where, offset, line)
                yield number, text
            except UnicodeDecodeError as error:
                yield number, DocumentError(where, _misfit(encoding, offset + error.start, line))
            except DocumentError as error:
                yield number, error
        offset += len(line)


def _wide_lines(file: Path, handle: BinaryIO, encoding: str, limit: int) -> Iterator[tuple[int, str | DocumentError]]:
    number = 0
    with io.TextIOWrapper(handle, encoding=encoding) as text:
        try:
            while line := text.readline(limit + 1):
                number += 1
                if len(line) > limit:
                    while line and not line.endswith("\n"):
                        line = text.readline(limit)
                    yield number, _too_long(f"{file}:{number}", limit)
                else:
                    yield number, line
        except UnicodeError:
            where = f"{file}:{number + 1}"
            yield number + 1, DocumentError(where, f"not {encoding}, and nothing after it can be read.")


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise DocumentError(str(file), f"cannot be read: {error.strerror}.") from error


def _too_long(where: str, limit: int) -> DocumentError:
    return DocumentError(where, f"the line has more than {limit:,} bytes. Split the document.")


def _codec(encoding: str) -> str:
    """A mark at the beginning of UTF-8 is not part of the text."""
    return "utf-8-sig" if _is_utf_8(encoding) else encoding


def _is_utf_8(encoding: str) -> bool:
    return codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def _refuse_zeros(text: str, where: str, offset: int, data: bytes) -> None:
    """Zero bytes are valid UTF-8, and yet no text: a file in UTF-16 would be loaded as letters with gaps."""
    if "\0" in text:
        looks = _advice(data) or "it is no text."
        raise DocumentError(where, f"it holds zero bytes (byte {offset + max(data.find(0), 0)}); {looks}")


def _misfit(encoding: str, byte: int, data: bytes) -> str:
    name = "UTF-8" if _is_utf_8(encoding) else encoding
    advice = _advice(data) if _is_utf_8(encoding) else ""
    return f"not {name} (byte {byte}); {advice or 'convert it first, or name its encoding with --encoding.'}"


def _advice(data: bytes) -> str:
    looks = _looks_like(data[:SAMPLE])
    if not looks:
        return ""
    return f"it looks like {looks}: convert it with iconv -f {looks} -t UTF-8, or use --encoding {looks.lower()}."


def _looks_like(sample: bytes) -> str:
    """UTF-16 or GB18030, where ``sample`` looks like it; else nothing."""
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    if sample.count(0) * 4 > len(sample):
        return "UTF-16BE" if sample[::2].count(0) > sample[1::2].count(0) else "UTF-16LE"
    try:
        text = codecs.getincrementaldecoder("gb18030")().decode(sample)
    except UnicodeDecodeError:
        return ""
    chinese = sum("一" <= character <= "鿿" for character in text)
    others = sum(not character.isascii() and not _beside_chinese(character) for character in text)
    return "GB18030" if chinese >= 2 and chinese >= 4 * others else ""


def _beside_chinese(character: str) -> bool:
    return any(first <= character <= last for first, last in ("一鿿", "\u3000〿", "！～")) or character in "“”‘’…—·"
