"""The file of a picture: a name, a format, and nothing half-written."""

from pathlib import Path

import pytest

from clew.drawing.picture_file import default_target, format_of, write_picture
from clew.errors import InvalidRequestError


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Christopher Nolan", "christopher-nolan.svg"),
        ("诺兰", "诺兰.svg"),
        ("Crouching Tiger, Hidden Dragon", "crouching-tiger-hidden-dragon.svg"),
        ("../../etc/passwd", "etc-passwd.svg"),
        ("Amélie", "amelie.svg"),
    ],
)
def test_a_picture_is_called_as_its_entity(name: str, file: str) -> None:
    assert str(default_target(name)) == file


def test_a_long_name_still_makes_a_file_name() -> None:
    assert len(str(default_target("字" * 500)).encode()) < 250


@pytest.mark.parametrize(("name", "form"), [("a.svg", "svg"), ("a.PNG", "png"), ("a.b.png", "png")])
def test_the_ending_decides_the_format(tmp_path: Path, name: str, form: str) -> None:
    assert format_of(tmp_path / name) == form


@pytest.mark.parametrize(
    "name", ["a", "a.jpg", "svg", ".svg", "a.svg.txt", "missing/a.svg", "folder.svg", "file/a.svg"]
)
def test_what_cannot_be_written_is_refused_before_anything_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidRequestError) as raised:
        format_of(tmp_path / name)
    assert str(tmp_path / name) in str(raised.value)


def test_a_folder_that_may_not_be_written_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(InvalidRequestError, match="cannot be written to"):
        format_of(tmp_path / "a.svg")


def test_an_older_picture_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    for content in (b"old", b"new"):
        write_picture(target, content)
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_where_writing_fails_the_older_picture_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.svg"
    target.write_bytes(b"old")

    def full(self: Path, other: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidRequestError, match="No space left on device"):
        write_picture(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
