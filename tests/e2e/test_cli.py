"""The command line against the running stack."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.client import new_session
from tests.e2e.service import SharedStack
from tests.laptop import CLEW, PROJECT

HANDBOOK = {
    "tide-mill.md": """# The Tide Mill of Porthgwarra

The Tide Mill of Porthgwarra was built in 1783 by Hester Penrose.
The Tide Mill of Porthgwarra grinds barley for the Brewery of Saint Levan.
""",
    "hester-penrose.md": """# Hester Penrose

Hester Penrose was a millwright. Hester Penrose was born in Zennor.
""",
    "notes/brewery.txt": """The Brewery of Saint Levan

The Brewery of Saint Levan brews a dark ale called Black Heron.
""",
}


def clew(stack: SharedStack, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [CLEW, *arguments, "--data-dir", str(stack.data)]
    return subprocess.run(command, cwd=PROJECT, input=given, capture_output=True, text=True, timeout=120, check=False)


def test_ask_prints_the_answer_and_its_sources(stack: SharedStack) -> None:
    done = clew(stack, "ask", "In which city was the composer of Interstellar born?")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Frankfurt" in done.stdout
    assert "Hans Zimmer (汉斯·季默)" in done.stdout
    assert "movie by heuristic" in done.stdout


def test_ask_prints_json(stack: SharedStack) -> None:
    done = clew(stack, "ask", "《卧虎藏龙》的作曲者出生在哪座城市？", "--json")
    answer = json.loads(done.stdout)
    assert "长沙" in answer["answer"]
    assert answer["route"]["kb_prefix"] == "movie"
    assert {citation["document_id"] for citation in answer["citations"]} >= {"tan-dun"}


def test_ask_shows_each_step(stack: SharedStack) -> None:
    done = clew(stack, "ask", "Who wrote the screenplay of Sicario?", "--trace")
    assert "Taylor Sheridan" in done.stdout
    for step in ("remember", "rewrite", "route", "retrieve", "merge", "persist"):
        assert step in done.stdout


def test_an_unknown_knowledge_base_is_one_line_and_exit_code_1(stack: SharedStack) -> None:
    done = clew(stack, "ask", "Hello", "--kb", "physics")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("clew: There is no knowledge base 'physics'. Known: edu, ")


def test_chat_goes_on_in_one_session_until_an_empty_line(stack: SharedStack) -> None:
    session = new_session()
    done = clew(
        stack, "chat", "--session", session, given="Who directed Parasite?\nWhat did he study at university?\n\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert session in done.stdout
    assert "sociology" in done.stdout.partition("Bong Joon-ho")[2]


def test_the_knowledge_bases_are_listed_and_shown(stack: SharedStack) -> None:
    listed = clew(stack, "kb", "list")
    assert listed.returncode == 0
    assert {"prefix", "edu", "movie"} <= {line.split()[0] for line in listed.stdout.splitlines()}
    shown = clew(stack, "kb", "show", "movie")
    assert "Films and film-makers" in shown.stdout
    assert "62" in shown.stdout
    missing = clew(stack, "kb", "show", "physics")
    assert (missing.returncode, len(missing.stderr.splitlines())) == (1, 1)


def test_own_files_are_loaded_asked_about_and_loaded_again_without_change(stack: SharedStack, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    for name, text in HANDBOOK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    load = ("ingest", str(folder), "--kb", "mill", "--title", "Tide mill", "--description", "A mill and its people.")
    first = clew(stack, *load)
    assert first.returncode == 0, first.stderr
    assert "loading: 3 of 3" in first.stderr
    assert "mill: 3 added, 0 updated, 0 unchanged; now 3 documents" in first.stdout
    again = clew(stack, *load)
    assert "mill: 0 added, 0 updated, 3 unchanged" in again.stdout
    assert again.stdout.partition("; now ")[2] == first.stdout.partition("; now ")[2]
    asked = clew(stack, "ask", "Where was the builder of the Tide Mill of Porthgwarra born?")
    assert "Zennor" in asked.stdout
    assert "mill by heuristic" in asked.stdout

    (folder / "hester-penrose.md").write_text("# Hester Penrose\n\nHester Penrose was born in Mousehole.\n")
    assert "mill: 0 added, 1 updated, 2 unchanged" in clew(stack, *load).stdout
    asked = clew(stack, "ask", "Where was Hester Penrose born?", "--kb", "mill")
    assert "Mousehole" in asked.stdout
    assert "Zennor" not in asked.stdout

    assert clew(stack, "kb", "remove", "mill", "nobody").returncode == 1
    assert "mill: 1 removed; now 2 documents" in clew(stack, "kb", "remove", "mill", "hester-penrose").stdout
    assert "Mousehole" not in clew(stack, "ask", "Where was Hester Penrose born?", "--kb", "mill").stdout
    assert "mill: deleted" in clew(stack, "kb", "delete", "mill", "--yes").stdout
    assert clew(stack, "kb", "show", "mill").returncode == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [("empty.md", b""), ("blank.txt", b" \n\n"), ("broken.jsonl", b'{"id": "a"'), ("bad.md", b"\xff")],
)
def test_an_unreadable_file_stops_the_load_before_anything_is_written(
    stack: SharedStack, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nA good document.\n")
    (tmp_path / name).write_bytes(content)
    done = clew(stack, "ingest", str(tmp_path), "--kb", "halfway")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert name in line
    assert clew(stack, "kb", "show", "halfway").returncode == 1
