"""A client is made once, by the first that asks, and again where making it failed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.models.lazy_client import LazyClient


def test_many_threads_get_the_one_client() -> None:
    made: list[str] = []
    together = threading.Barrier(8)

    def make(region: str) -> str:
        made.append(region)
        return region

    client = LazyClient(make, region="eu-west-1")
    assert made == []

    def ask() -> str:
        together.wait(5)
        return client.get()

    with ThreadPoolExecutor(8) as pool:
        assert {future.result() for future in [pool.submit(ask) for _ in range(8)]} == {"eu-west-1"}
    assert made == ["eu-west-1"]


def test_a_client_that_could_not_be_made_is_tried_again() -> None:
    outcomes = iter([ValueError("no region"), "client"])

    def make() -> str:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    client = LazyClient(make)
    with pytest.raises(ValueError, match="no region"):
        client.get()
    assert client.get() == "client"
