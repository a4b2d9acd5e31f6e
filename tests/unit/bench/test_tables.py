"""Tables of measured figures, in a document between comments that name them."""

from pathlib import Path

import pytest

from tests.bench.tables import DOCUMENT, LOADING, RETRIEVAL, WITHOUT_TITLE_LINKS, Table, write_tables

FIGURES = Table("speed", ("engine", "ms"), [("one", "12"), ("two", "7")], note="Warm.")
TEXT = """# Figures

<!-- table: speed -->
old
<!-- end -->

Between.

<!-- table: size -->
untouched
<!-- end -->
"""


def test_table_replaces_what_stood_in_its_place_and_nothing_else(tmp_path: Path) -> None:
    document = tmp_path / "figures.md"
    document.write_text(TEXT)
    write_tables(document, [FIGURES])
    table = "| engine | ms |\n| --- | ---: |\n| one | 12 |\n| two | 7 |\n\nWarm."
    assert document.read_text() == TEXT.replace("old", table)


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    document = tmp_path / "figures.md"
    document.write_text(TEXT)
    write_tables(document, [FIGURES])
    once = document.read_text()
    write_tables(document, [FIGURES])
    assert document.read_text() == once


def test_a_table_without_a_place_leaves_the_document_as_it_was(tmp_path: Path) -> None:
    document = tmp_path / "figures.md"
    document.write_text(TEXT)
    with pytest.raises(ValueError, match="no place for the table 'memory'"):
        write_tables(document, [FIGURES, Table("memory", ("MB",), [("3",)], 0)])
    assert document.read_text() == TEXT


def test_the_document_has_a_place_for_every_table_that_is_measured() -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"<!-- table: {name} -->" in written for name in (RETRIEVAL, WITHOUT_TITLE_LINKS, LOADING))
