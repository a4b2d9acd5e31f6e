"""Signals become KeyboardInterrupt, at a safe moment."""

import os
import signal

import pytest

from clew.local.interruption import Interruption


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_interrupts(number: signal.Signals) -> None:
    with Interruption(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)


def test_a_signal_waits_until_the_block_is_done() -> None:
    done = []

    def block(signals: Interruption) -> None:
        with signals.held():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("to its end")

    with Interruption() as signals, pytest.raises(KeyboardInterrupt):
        block(signals)
    assert done == ["to its end"]


def test_while_stopping_signals_change_nothing() -> None:
    with Interruption() as signals:
        signals.ignore()
        os.kill(os.getpid(), signal.SIGINT)
        with signals.held():
            os.kill(os.getpid(), signal.SIGTERM)


def test_former_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Interruption():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
