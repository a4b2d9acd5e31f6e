"""stack.json, as other commands read it."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from clew.errors import ConfigurationError
from clew.local.child import identity
from clew.local.running_stack import RunningStack

STACK = RunningStack(
    pid=os.getpid(),
    started=identity(os.getpid()) or "",
    url="http://127.0.0.1:8000",
    port=8000,
    emulator_url="http://127.0.0.1:1",
    graph_uri="bolt://127.0.0.1:2",
    table_name="table",
    workflow_arn="arn",
    rest_api_url="http://127.0.0.1:1/x",
    answer_url="http://127.0.0.1:3",
    log_dir="/logs",
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    STACK.write(tmp_path / "stack.json")
    assert RunningStack.read(tmp_path) == STACK
    assert [path.name for path in tmp_path.iterdir()] == ["stack.json"]


def test_without_a_stack_the_error_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="clew up"):
        RunningStack.read(tmp_path)


def test_a_file_left_by_a_crash_is_no_running_stack(tmp_path: Path) -> None:
    replace(STACK, started="long ago python -m something-else").write(tmp_path / "stack.json")
    with pytest.raises(ConfigurationError, match="No stack runs"):
        RunningStack.read(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", '{"pid": 1, "unknown": 2}', "[]"])
def test_a_damaged_file_is_no_running_stack(tmp_path: Path, text: str) -> None:
    (tmp_path / "stack.json").write_text(text)
    with pytest.raises(ConfigurationError, match="No stack runs"):
        RunningStack.read(tmp_path)
