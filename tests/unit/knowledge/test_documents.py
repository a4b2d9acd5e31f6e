"""Documents from files: what becomes one, and what is refused by file and line."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.errors import DocumentError
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
    Bad("gb18030", "a.md", "盗梦空间".encode("gb18030"), "a.md", "not UTF-8"),
    Bad("utf-16", "a.md", "text".encode("utf-16"), "a.md", "not UTF-8"),
    Bad("binary", "a.txt", b"\x89PNG\r\n\x1a\n\xff\x00", "a.txt", "not UTF-8"),
    Bad("unknown suffix", "a.pdf", b"%PDF-1.4", "a.pdf", "unknown kind"),
    Bad("no suffix", "README", b"text", "README", "unknown kind"),
    Bad("not json", "a.jsonl", (line() + "\n{oops\n").encode(), "a.jsonl:2", "not a JSON object"),
    Bad("a list", "a.jsonl", b"[1, 2]\n", "a.jsonl:1", "not a JSON object"),
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

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)  # a test run by root may read everything
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
    assert read_documents([file]) == [
        Document("a", "A title", "Some text.", "here"),
        Document("b", "盗梦空间", " 文本 ", "here"),
    ]


def test_source_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "a", "title": "T", "text": "x", "unknown": 1}')
    assert read_documents([file]) == [Document("a", "T", "x", "")]


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
