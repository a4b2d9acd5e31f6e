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
def fill(table: Table) -> Callable[[str, int], None]:
    """Give a conversation so many more messages, as appending would, in a moment."""

    def write(conversation_id: str, messages: int) -> None:
        key = {"pk": f"CONV#{conversation_id}", "sk": "HEAD"}
        first = int(table.get_item(Key=key)["Item"]["last_seq"]) + 1
        common = {"pk": f"CONV#{conversation_id}", "tenant_id": "acme", "created_at": "2026-03-01T12:00:00.000+00:00"}
        with table.batch_writer() as batch:
            for seq in range(first, first + messages):
                said = {"role": "user" if seq % 2 else "assistant", "content": f"m{seq}", "token": f"t{seq}"}
                batch.put_item(Item={**common, **said, "sk": f"MSG#{seq:010d}"})
        change = "SET last_seq = last_seq + :more"
        table.update_item(Key=key, UpdateExpression=change, ExpressionAttributeValues={":more": messages})

    return write


@pytest.fixture
def spoil(table: Table) -> Callable[..., None]:
    """Make a message one that cannot be read, by default as one of a packing that is not known here."""

    def write(conversation_id: str, seq: int, name: str = "packed", value: Any = b"\xff" * 9) -> None:
        table.update_item(
            Key={"pk": f"CONV#{conversation_id}", "sk": f"MSG#{seq:010d}"},
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues={":value": value},
        )

    return write


@pytest.fixture
def break_off_clear(table: Table) -> Callable[[str], None]:
    """A clear that breaks off after its first step, the head's."""

    def write(conversation_id: str) -> None:
        table.update_item(
            Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"},
            UpdateExpression="SET cleared_seq = last_seq, recent = :none",
            ExpressionAttributeValues={":none": {}},
        )

    return write


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
