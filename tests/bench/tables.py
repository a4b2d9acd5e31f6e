"""Tables for the terminal and for a document, where they stand between two comments that name them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.table import Table as TerminalTable

from tests.laptop import PROJECT

DOCUMENT: Final = PROJECT / "docs" / "benchmarks.md"
RETRIEVAL: Final = "retrieval"
WITHOUT_TITLE_LINKS: Final = "without title links"
LOADING: Final = "loading"


@dataclass(frozen=True)
class Table:
    """Cells as text; the first ``words`` columns hold words, the others numbers."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int = 1
    note: str = ""

    def on_terminal(self) -> TerminalTable:
        shown = TerminalTable(
            title=self.name, title_justify="left", caption=self.note, caption_justify="left", box=None
        )
        for number, column in enumerate(self.columns):
            shown.add_column(column, justify="left" if number < self.words else "right")
        for row in self.rows:
            shown.add_row(*row)
        return shown

    def as_markdown(self) -> str:
        rule = ["---" if number < self.words else "---:" for number in range(len(self.columns))]
        lines = [" | ".join(cells) for cells in (self.columns, tuple(rule), *self.rows)]
        table = "\n".join(f"| {line} |" for line in lines)
        return f"{table}\n\n{self.note}" if self.note else table


def write_tables(document: Path, tables: Sequence[Table]) -> None:
    """Put each table between ``<!-- table: name -->`` and ``<!-- end -->``; ValueError if one has no place there."""
    text = document.read_text(encoding="utf-8")
    for table in tables:
        between = re.compile(rf"(<!-- table: {re.escape(table.name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        parts = between.split(text, maxsplit=1)
        if len(parts) != 4:
            raise ValueError(f"{document} has no place for the table {table.name!r}")
        before, begin, end, after = parts
        text = f"{before}{begin}{table.as_markdown()}\n{end}{after}"
    document.write_text(text, encoding="utf-8")
