"""A store with a clock that the test moves, and a DynamoDB that fails when told to."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError
from moto.dynamodb.responses import DynamoHandler
from mypy_boto3_dynamodb.service_resource import Table

from clew.conversation.store import ConversationStore


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def store(table: Table, clock: HandClock) -> ConversationStore:
    return ConversationStore(table, "acme", clock)


@pytest.fixture
def conversation_id(store: ConversationStore) -> str:
    return store.get_or_create_conversation_id("ann", "s1")


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests from many threads one by one: DynamoDB keeps writes of an item apart, moto does not."""
    lock, answer = threading.Lock(), DynamoHandler.call_action

    def answer_alone(handler: DynamoHandler) -> Any:
        with lock:
            return answer(handler)

    monkeypatch.setattr(DynamoHandler, "call_action", answer_alone)


@pytest.fixture
def lose_connection(table: Table) -> Callable[[str], None]:
    """The next request of that operation never reaches the table."""

    def arrange(operation: str) -> None:
        event = f"before-call.dynamodb.{operation}"

        def fail(**_: Any) -> None:
            table.meta.client.meta.events.unregister(event, fail)
            raise ConnectTimeoutError(endpoint_url="https://dynamodb.example")

        table.meta.client.meta.events.register(event, fail)

    return arrange


@pytest.fixture
def lose_answer(table: Table) -> Callable[[str], None]:
    """The next request of that operation is carried out, and its answer is lost on the way back."""

    def arrange(operation: str) -> None:
        event = f"after-call.dynamodb.{operation}"

        def fail(**_: Any) -> None:
            table.meta.client.meta.events.unregister(event, fail)
            raise ConnectTimeoutError(endpoint_url="https://dynamodb.example")

        table.meta.client.meta.events.register(event, fail)

    return arrange


@pytest.fixture
def refuse(table: Table) -> Callable[[str, str], None]:
    """Every request of that operation is refused with that error code."""

    def arrange(operation: str, code: str) -> None:
        def answer(**_: Any) -> tuple[SimpleNamespace, dict[str, Any]]:
            return SimpleNamespace(status_code=400), {"Error": {"Code": code, "Message": "arn:aws:secret"}}

        table.meta.client.meta.events.register(f"before-call.dynamodb.{operation}", answer)

    return arrange
