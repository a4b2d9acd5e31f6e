"""How much time a function has left for a turn."""

import json
import time

import pytest

from clew.edge.lambda_context import CONTEXT, LEAST, RESERVE, seconds_left


def test_time_is_left_for_storing_what_there_is() -> None:
    deadline = (time.time() + 100) * 1000
    assert seconds_left({CONTEXT: json.dumps({"deadline": deadline})}) == pytest.approx(100 - RESERVE, abs=1)


def test_a_turn_always_has_a_moment() -> None:
    assert seconds_left({CONTEXT: json.dumps({"deadline": 0})}) == LEAST


@pytest.mark.parametrize("sent", ["", "{", "[]", "7", '{"deadline": null}', '{"deadline": "soon"}', "{}"])
def test_without_a_deadline_there_is_no_bound(sent: str) -> None:
    assert seconds_left({CONTEXT: sent}) == 0
