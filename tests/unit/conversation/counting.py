"""What a piece of work asks of the table, and what that costs as DynamoDB counts it."""

import base64
import json
import math
from types import TracebackType
from typing import Any, Self

from boto3.dynamodb.types import TypeDeserializer
from mypy_boto3_dynamodb.service_resource import Table

from clew.table import item_size

READ_UNIT, WRITE_UNIT = 4096, 1024


class Requests:
    """The requests that are made while it is entered, in order, with their units.

    An item that is updated counts as it is afterwards, one that is read by its size, a page as one. What an index
    is written for is not counted.
    """

    def __init__(self, table: Table) -> None:
        self._events = table.meta.client.meta.events
        self._plain = TypeDeserializer().deserialize
        self._asked: dict[str, Any] = {}
        self.names: list[str] = []
        self.write_units = 0.0
        self.read_units = 0.0
        self.bytes = 0

    def __enter__(self) -> Self:
        self._events.register("before-call.dynamodb", self._before)
        self._events.register_first("after-call.dynamodb", self._after)  # before values become plain
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._events.unregister("before-call.dynamodb", self._before)
        self._events.unregister("after-call.dynamodb", self._after)

    def _before(self, params: dict[str, Any], **_: Any) -> None:
        self._asked = json.loads(params["body"])

    def _after(self, parsed: dict[str, Any], model: Any, **_: Any) -> None:
        self.names.append(model.name)
        match model.name:
            case "PutItem":
                self._write(self._asked["Item"])
            case "UpdateItem":
                self._write(parsed.get("Attributes", {}))
            case "DeleteItem":
                self._write({})
            case "GetItem":
                self._read([parsed.get("Item", {})])
            case "Query":
                self._read(parsed["Items"])

    def _write(self, item: dict[str, Any]) -> None:
        self.write_units += max(1, math.ceil(self._size(item) / WRITE_UNIT))

    def _read(self, items: list[dict[str, Any]]) -> None:
        units = max(1, math.ceil(sum(map(self._size, items)) / READ_UNIT))
        self.read_units += units if self._asked.get("ConsistentRead") else units / 2

    def _size(self, item: dict[str, Any]) -> int:
        size = item_size({name: self._value(value) for name, value in item.items()})
        self.bytes += size
        return size

    def _value(self, value: dict[str, Any]) -> Any:
        sent = value.get("B")
        return base64.b64decode(sent) if isinstance(sent, str) else self._plain(value)
