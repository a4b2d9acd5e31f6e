"""Ctrl-C, a closed terminal and a polite kill, as one KeyboardInterrupt that comes at a safe moment."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Self


class Interruption:
    """Turns SIGINT, SIGTERM and SIGHUP into KeyboardInterrupt, but never inside ``held()``.

    A program that was started and not yet written down would be left running; a state that is being saved
    would be lost. In such places the signal waits.
    """

    def __init__(self) -> None:
        self._holds = 0
        self._pending = False
        self._former: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        # Only the main thread may set handlers; elsewhere (in a test) signals stay as they are.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                self._former[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Let a signal wait until the block is done."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
        if self._pending and not self._holds:
            self._pending = False
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """From now on signals change nothing: the stack is stopping already."""
        self._holds += 1

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._holds:
            self._pending = True
        else:
            raise KeyboardInterrupt
