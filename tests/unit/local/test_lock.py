"""Locks on files: refused, and waited for."""

import os
import threading
from pathlib import Path

import pytest

from clew.local.lock import DataDirectoryInUseError, locked, waiting_for


def test_a_second_holder_is_refused_with_the_first_ones_pid(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path), pytest.raises(DataDirectoryInUseError) as caught, locked(path):
        pytest.fail("both held the lock")
    assert caught.value.pid == str(os.getpid())
    assert str(tmp_path) in str(caught.value)


def test_nothing_is_left_after_release(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"):
        assert (tmp_path / "lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_file_left_by_a_crash_locks_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("999999")
    with locked(path):
        assert path.read_text() == str(os.getpid())


def test_the_lock_is_released_when_the_block_fails(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(ValueError, match="inside"), locked(path):
        raise ValueError("inside")
    with locked(path):
        assert path.exists()


def test_who_waits_for_a_lock_gets_it_when_the_other_lets_go(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def wait() -> None:
        waiting.set()
        with waiting_for(tmp_path / "folder" / "lock"):
            order.append("second")

    with waiting_for(tmp_path / "folder" / "lock"):
        thread = threading.Thread(target=wait)
        thread.start()
        assert waiting.wait(20)
        order.append("first")
    thread.join(20)
    assert order == ["first", "second"]
