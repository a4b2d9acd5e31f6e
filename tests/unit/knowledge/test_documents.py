"""Documents from files: what becomes one, and what is refused by file and line."""

import json
import os
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from clew.errors import DocumentError, InvalidRequestError
from clew.knowledge import documents
from clew.knowledge.documents import Document, read_documents

GOOD = {"id": "a", "title": "A title", "text": "Some text.", "source": "here"}


def line(**values: object) -> str:
    return json.dumps(GOOD | values, ensure_ascii=False)


@dataclass(frozen=True)
class Bad:
    id: str
    name: str
    content: bytes
    where: str
    problem: str


BAD = [
    Bad("empty", "a.md", b"", "a.md", "empty"),
    Bad("blank", "a.txt", b" \n\t\n", "a.txt", "empty"),
    Bad("bom alone", "a.txt", b"\xef\xbb\xbf", "a.txt", "empty"),
    Bad("empty jsonl", "a.jsonl", b"\n\n", "a.jsonl", "empty"),
    Bad("latin-1", "a.txt", b"caf\xe9 au lait", "a.txt", "not UTF-8"),
    Bad("latin-1 in a line", "a.jsonl", line().encode() + b'\n{"id": "\xe9"}', "a.jsonl:2", "not UTF-8 (byte 80)"),
    Bad("gb18030", "a.md", "盗梦空间".encode("gb18030"), "a.md", "--encoding gb18030"),
    Bad("gb18030 in a line", "a.jsonl", line(text="盗梦空间").encode("gb18030"), "a.jsonl:1", "GB18030"),
    Bad("utf-16", "a.md", "text".encode("utf-16"), "a.md", "--encoding utf-16"),
    Bad("utf-16 lines", "a.jsonl", line().encode("utf-16"), "a.jsonl", "iconv -f UTF-16 "),
    Bad("utf-16 without a mark", "a.md", "text".encode("utf-16-le"), "a.md", "UTF-16LE"),
    Bad("big-endian without a mark", "a.jsonl", line().encode("utf-16-be"), "a.jsonl", "UTF-16BE"),
    Bad("binary", "a.txt", b"\x89PNG\r\n\x1a\n\xff\x00", "a.txt", "not UTF-8"),
    Bad("zeros", "a.txt", b"some text and \x00 then more", "a.txt", "zero bytes (byte 14)"),
    Bad("unknown suffix", "a.pdf", b"%PDF-1.4", "a.pdf", "unknown kind"),
    Bad("no suffix", "README", b"text", "README", "unknown kind"),
    Bad("not json", "a.jsonl", (line() + "\n{oops\n").encode(), "a.jsonl:2", "not a JSON object"),
    Bad("a list", "a.jsonl", b"[1, 2]\n", "a.jsonl:1", "not a JSON object"),
    Bad("endless number", "a.jsonl", b'{"id": ' + b"1" * 5_000 + b"}", "a.jsonl:1", "not a JSON object"),
    Bad(
        "half a character",
        "a.jsonl",
        b'{"id": "a", "title": "\\ud83c", "text": "x"}',
        "a.jsonl:1",
        "'title' holds half",
    ),
    Bad("too deep", "a.jsonl", b"[" * 100_000, "a.jsonl:1", "not a JSON object"),
    Bad("no title", "a.jsonl", b'{"id": "a", "text": "x"}', "a.jsonl:1", "'title'"),
    Bad("blank id", "a.jsonl", line(id="  ").encode(), "a.jsonl:1", "'id'"),
    Bad("number as text", "a.jsonl", line(text=7).encode(), "a.jsonl:1", "'text'"),
    Bad("null source", "a.jsonl", line(source=None).encode(), "a.jsonl:1", "'source'"),
    Bad("after blank lines", "a.jsonl", f"\n\n{line()}\n\n{{}}".encode(), "a.jsonl:5", "'id'"),
    Bad("one id twice", "a.jsonl", f"{line()}\n{line(title='B')}".encode(), "a.jsonl:2", "a.jsonl:1"),
    Bad("long id", "a.jsonl", line(id="x" * 513).encode(), "a.jsonl:1", "513"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_what_cannot_be_loaded_is_named(tmp_path: Path, bad: Bad) -> None:
    file = tmp_path / bad.name
    file.write_bytes(bad.content)
    with pytest.raises(DocumentError) as caught:
        read_documents([file])
    assert caught.value.where.endswith(bad.where)
    assert bad.problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_document_beyond_the_limit_is_refused_with_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENT_CHARACTERS", 100)
    (tmp_path / "big.txt").write_text("字" * 101)
    (tmp_path / "fits.txt").write_text("字" * 100)
    assert len(read_documents([tmp_path / "fits.txt"])) == 1
    with pytest.raises(DocumentError, match=r"101 characters; at most 100"):
        read_documents([tmp_path / "big.txt"])


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        read_documents([tmp_path / "nothing.md"])


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    with pytest.raises(DocumentError, match="no file ending in"):
        read_documents([tmp_path])


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("text")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # a test run by root may read everything
    with pytest.raises(DocumentError, match="Permission denied"):
        read_documents([file])


def test_two_files_of_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line(id="notes"))
    (tmp_path / "notes.md").write_text("# Notes\nText.")
    with pytest.raises(DocumentError, match=r"'notes' stands already in .*a\.jsonl:1"):
        read_documents([tmp_path])


def test_jsonl_gives_a_document_a_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(f"{line()}\n\n{line(id='b', title=' 盗梦空间 ', text=' 文本 ')}\n", encoding="utf-8")
    assert list(read_documents([file])) == [
        Document("a", "A title", "Some text.", "here"),
        Document("b", "盗梦空间", " 文本 ", "here"),
    ]


def test_source_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "a", "title": "T", "text": "x", "unknown": 1}')
    assert list(read_documents([file])) == [Document("a", "T", "x", "")]


@pytest.mark.parametrize(
    ("name", "content", "title", "text"),
    [
        ("notes.md", "# 休假 Leave\n\nAsk first.\n", "休假 Leave", "Ask first."),
        ("notes.md", "\ufeff# Leave\nAsk first.", "Leave", "Ask first."),
        ("notes.md", "Ask first.\n# Later heading", "notes", "Ask first.\n# Later heading"),
        ("notes.txt", "Ask first.", "notes", "Ask first."),
        ("notes.MD", "## \nAsk first.", "notes", "Ask first."),
        ("notes.md", "# Leave", "Leave", "Leave"),
        ("notes.markdown", "# Leave\r\nAsk.\r\nThen go.", "Leave", "Ask.\nThen go."),
    ],
)
def test_a_text_file_is_one_document_with_its_heading_as_title(
    tmp_path: Path, name: str, content: str, title: str, text: str
) -> None:
    (tmp_path / name).write_bytes(content.encode())
    (document,) = read_documents([tmp_path / name])
    assert (document.id, document.title, document.text) == ("notes", title, text)


def test_a_folder_is_searched_through_in_a_stable_order(tmp_path: Path) -> None:
    for name in ("b/two.md", "a/one.txt", "a/deep/three.MD", "zero.jsonl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(line(id="zero") if name.endswith("jsonl") else "Text.")
    (tmp_path / "ignored.pdf").write_bytes(b"%PDF")
    ids = [document.id for document in read_documents([tmp_path])]
    assert sorted(ids) == ["a/deep/three", "a/one", "b/two", "zero"]
    assert ids == [document.id for document in read_documents([tmp_path])]


def test_the_content_hash_changes_with_every_part() -> None:
    base = Document("a", "b", "c", "d")
    others = [Document("x", "b", "c", "d"), Document("a", "x", "c", "d"), Document("a", "b", "x", "d")]
    others += [Document("a", "b", "c", "x"), Document("ab", "", "c", "d")]
    assert len({each.content_hash for each in (base, *others)}) == 6
    assert base.content_hash == Document("a", "b", "c", "d").content_hash


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-16-be", "UTF-8", "big5"])
def test_another_encoding_is_read_when_it_is_named(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "lines.jsonl").write_bytes(f"{line(id='b', text='文本')}\n\n{line(id='c')}".encode(encoding))
    (tmp_path / "notes.md").write_bytes("# 休假\r\n問問看".encode(encoding))
    found = list(read_documents([tmp_path], encoding=encoding))
    assert [(each.id, each.title, each.text) for each in found] == [
        ("b", "A title", "文本"),
        ("c", "A title", "Some text."),
        ("notes", "休假", "問問看"),
    ]


@pytest.mark.parametrize("name", ["a.md", "a.jsonl"])
def test_what_is_not_in_the_encoding_that_was_named_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xff\xff\xff and more")
    for encoding in ("gb18030", "utf-16"):
        with pytest.raises(DocumentError, match=f"not {encoding}"):
            read_documents([tmp_path / name], encoding=encoding)


@pytest.mark.parametrize("name", ["utf-9", "", "base64", "\0"])
def test_an_encoding_that_does_not_exist_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.md").write_text("Text.")
    with pytest.raises(InvalidRequestError, match="is no encoding"):
        read_documents([tmp_path], encoding=name)


def test_the_byte_is_that_of_the_file_however_long_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("字".encode() * 500_000 + b"\xff")
    with pytest.raises(DocumentError, match=r"byte 1500000\)"):
        read_documents([tmp_path])


def test_a_line_may_hold_any_character_but_a_line_feed(tmp_path: Path) -> None:
    text = "one\u2028two\x85three\x0b\x0cfour"
    (tmp_path / "a.jsonl").write_text(line(text=text) + "\r\n" + line(id="b"), encoding="utf-8", newline="")
    assert [each.text for each in read_documents([tmp_path])] == [text, "Some text."]


def test_a_line_beyond_the_limit_is_refused_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MAX_LINE_BYTES", 200)
    (tmp_path / "a.jsonl").write_text(f"{line(id='long', text='x' * 1_000)}\n{line()}")
    found = read_documents([tmp_path], on_error="skip")
    assert [each.id for each in found] == ["a"]
    assert "a.jsonl:1: the line has more than 200 bytes" in found.problems[0]


@pytest.mark.parametrize("bad", [bad for bad in BAD if "kind" not in bad.problem], ids=lambda bad: bad.id)
def test_what_cannot_be_loaded_is_skipped_on_request_with_the_same_words(tmp_path: Path, bad: Bad) -> None:
    (tmp_path / bad.name).write_bytes(bad.content)
    (tmp_path / "good.md").write_text("Good.")
    found = read_documents([tmp_path], on_error="skip")
    ids = [each.id for each in found]
    assert len(found) == len(ids)
    assert "good" in ids
    assert found.skipped == 1
    (problem,) = found.problems
    assert bad.problem in problem
    assert bad.where in problem


def test_of_many_problems_the_first_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("oops\n" * 50 + line())
    found = read_documents([tmp_path], on_error="skip")
    assert (len(found), found.skipped, len(found.problems)) == (1, 50, 20)
    assert found.problems[-1].startswith(f"{tmp_path / 'a.jsonl'}:20: ")


def test_of_documents_of_one_id_the_first_is_kept_when_skipping(tmp_path: Path) -> None:
    lines = [line(), line(id="b"), line(text="Other."), line(id="b", title="Third")]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    found = read_documents([tmp_path], on_error="skip")
    assert [(each.id, each.text) for each in found] == [("a", "Some text."), ("b", "Some text.")]
    assert found.skipped == 2
    assert "'a' stands already in" in found.problems[0]


def test_a_path_that_is_not_there_is_refused_also_when_skipping(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        read_documents([tmp_path / "nothing.md"], on_error="skip")


def test_documents_can_be_gone_through_again(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f"{line()}\n{line(id='b')}")
    found = read_documents([tmp_path])
    assert len(found) == 2
    assert list(found) == list(found)


@pytest.mark.parametrize("change", ["written", "removed"])
def test_a_file_that_changes_meanwhile_is_noticed(tmp_path: Path, change: str) -> None:
    file = tmp_path / "a.md"
    file.write_text("Some text.")
    found = read_documents([file])
    if change == "written":
        file.write_text("Other text.")
        os.utime(file, ns=(1, 1))
    else:
        file.unlink()
    with pytest.raises(DocumentError, match="changed while it was read"):
        list(found)


def test_a_large_file_is_not_held_in_memory(tmp_path: Path) -> None:
    with (tmp_path / "a.jsonl").open("w") as file:
        for number in range(400):
            file.write(line(id=str(number), text="word " * 2_000) + "\n")
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_documents([tmp_path])) == 400
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000 < (tmp_path / "a.jsonl").stat().st_size
