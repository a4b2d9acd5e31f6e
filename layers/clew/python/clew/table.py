"""The DynamoDB table as the rooms use it: items as dictionaries, errors as ours."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnectionError

from clew.errors import StoreError, StoreUnavailableError, ThrottledError
from clew.table_keys import Index, Key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

Item = dict[str, Any]

WRITES_PER_BATCH: Final = 25
READS_PER_BATCH: Final = 100
BATCH_ATTEMPTS: Final = 8

_THROTTLED: Final = {"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}
_UNAVAILABLE: Final = {"InternalServerError", "ServiceUnavailable", "InternalFailure"}


class ConditionFailedError(StoreError):
    """An item is not in the state that a write asked for; the store turns it into an answer of its own.

    ``present`` is the item as it is, of an update alone; None where there is none or the table does not tell.
    """

    def __init__(self, message: str, present: Item | None = None) -> None:
        super().__init__(message)
        self.present = present


class ItemTable:
    """One table, safe to share between threads.

    It calls the client inside the Table resource: resources are not made for sharing, clients are, and
    a resource's client takes and returns plain Python values. Reads are consistent unless told otherwise.
    """

    def __init__(self, table: "Table", sleep: Callable[[float], None] = time.sleep) -> None:
        self._name = table.name
        self._client: Any = table.meta.client  # its types do not know of the plain values
        self._sleep = sleep

    def get(self, key: Key, consistent: bool = True, fields: Iterable[str] = ()) -> Item | None:
        with _our_errors("GetItem"):
            found = self._client.get_item(
                TableName=self._name, Key=key._asdict(), ConsistentRead=consistent, **_projection(fields)
            )
        item: Item | None = found.get("Item")
        return item

    def put(
        self,
        key: Key,
        item: Mapping[str, Any],
        condition: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the item, over whatever is there; ConditionFailedError where ``condition`` does not hold."""
        with _our_errors("PutItem"):
            self._client.put_item(
                TableName=self._name, Item={**item, **key._asdict()}, **_conditional(condition, values or {})
            )

    def put_new(self, key: Key, item: Mapping[str, Any]) -> bool:
        """Write the item if nothing is there; tells whether it did."""
        try:
            with _our_errors("PutItem"):
                self._client.put_item(
                    TableName=self._name,
                    Item={**item, **key._asdict()},
                    ConditionExpression="attribute_not_exists(pk)",
                )
        except ConditionFailedError:
            return False
        return True

    def update(self, key: Key, change: str, condition: str, values: Mapping[str, Any], **names: str) -> Item:
        """Change an item in place and return it as it is afterwards.

        ``#name`` in either expression stands for the attribute of that name, or for ``names["name"]``.
        Raises ConditionFailedError where ``condition`` does not hold.
        """
        with _our_errors("UpdateItem"):
            updated = self._client.update_item(
                TableName=self._name,
                Key=key._asdict(),
                UpdateExpression=change,
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
                **_conditional(condition, values, names, beside=change),
            )
        attributes: Item = updated["Attributes"]
        return attributes

    def query(
        self,
        pk: str,
        *,
        begins_with: str = "",
        between: tuple[str, str] | None = None,
        newest_first: bool = False,
        page: int | None = None,
        consistent: bool = True,
        fields: Iterable[str] = (),
        index: Index | None = None,
    ) -> Iterator[Item]:
        """Items of one partition in the order of their sort keys, fetched as they are consumed.

        ``page`` is how many to ask for at a time; DynamoDB itself ends a page at 1 MB. With an ``index``, ``pk``
        and the range are of its keys; no index can be read consistently.
        """
        low, high = between or (begins_with, "")
        names = {"#pk": index.pk, "#sk": index.sk} if index else {"#pk": "pk", "#sk": "sk"}
        projection = _projection(fields)
        request: dict[str, Any] = {
            "TableName": self._name,
            "KeyConditionExpression": "#pk = :pk AND "
            + ("#sk BETWEEN :low AND :high" if between else "begins_with(#sk, :low)"),
            "ExpressionAttributeValues": {":pk": pk, ":low": low} | ({":high": high} if between else {}),
            "ScanIndexForward": not newest_first,
            "ConsistentRead": consistent and index is None,
            **({"IndexName": index.name} if index else {}),
            **projection,
            "ExpressionAttributeNames": names | projection.get("ExpressionAttributeNames", {}),
            **({"Limit": page} if page else {}),
        }
        while True:
            with _our_errors("Query"):
                answer = self._client.query(**request)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def get_many(self, keys: Iterable[Key], consistent: bool = True) -> Iterator[Item]:
        """The items that exist under ``keys``, in no particular order."""
        remaining = iter(keys)
        while some := list(islice(remaining, READS_PER_BATCH)):
            asked: dict[str, Any] = {
                self._name: {"Keys": [key._asdict() for key in some], "ConsistentRead": consistent}
            }
            for pause in _pauses("BatchGetItem"):
                with _our_errors("BatchGetItem"):
                    answer = self._client.batch_get_item(RequestItems=asked)
                yield from answer["Responses"].get(self._name, [])
                asked = answer.get("UnprocessedKeys", {})
                if not asked:
                    break
                self._sleep(pause)

    def delete(self, key: Key, condition: str = "", values: Mapping[str, Any] | None = None) -> None:
        """Delete the item, if there is one; ConditionFailedError where ``condition`` does not hold."""
        with _our_errors("DeleteItem"):
            self._client.delete_item(TableName=self._name, Key=key._asdict(), **_conditional(condition, values or {}))

    def delete_many(self, keys: Iterable[Key]) -> int:
        """Delete the items under ``keys``; how many keys there were."""
        remaining, count = iter(keys), 0
        while some := list(islice(remaining, WRITES_PER_BATCH)):
            asked: dict[str, Any] = {self._name: [{"DeleteRequest": {"Key": key._asdict()}} for key in some]}
            for pause in _pauses("BatchWriteItem"):
                with _our_errors("BatchWriteItem"):
                    asked = self._client.batch_write_item(RequestItems=asked).get("UnprocessedItems", {})
                if not asked:
                    break
                self._sleep(pause)
            count += len(some)
        return count


def item_size(item: Mapping[str, Any]) -> int:
    """Bytes of an item as DynamoDB counts them for its limits and units: names and values, in plain Python."""
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(value: Any) -> int:
    match value:
        case str():
            size = len(value.encode())
        case bool() | None:
            size = 1
        case int() | Decimal():  # a byte for two digits, and one more
            digits = "".join(map(str, Decimal(value).as_tuple().digits)).strip("0")
            size = 1 + (len(digits) + 1) // 2 + (value < 0)
        case Mapping():
            size = 3 + sum(1 + len(name.encode()) + _value_size(each) for name, each in value.items())
        case bytes() | bytearray():
            size = len(value)
        case Sequence() | Set():
            size = 3 + sum(1 + _value_size(each) for each in value)
        case _:  # boto3's own type for binary
            size = len(bytes(value))
    return size


def _pauses(operation: str) -> Iterator[float]:
    """Seconds to wait before what DynamoDB left undone is asked for again; ThrottledError in the end."""
    for attempt in range(BATCH_ATTEMPTS):
        yield 0.05 * 2**attempt
    raise ThrottledError(f"The table left part of {operation} undone {BATCH_ATTEMPTS} times. Try again later.")


def _conditional(
    condition: str, values: Mapping[str, Any], names: Mapping[str, str] | None = None, beside: str = ""
) -> dict[str, Any]:
    """A condition as a request has it, with the names and values that it and the expression ``beside`` it use."""
    used = re.findall(r"#(\w+)", f"{beside} {condition}")
    return {
        **({"ConditionExpression": condition} if condition else {}),
        **({"ExpressionAttributeNames": {f"#{name}": (names or {}).get(name, name) for name in used}} if used else {}),
        **({"ExpressionAttributeValues": dict(values)} if values else {}),
    }


def _projection(fields: Iterable[str]) -> dict[str, Any]:
    names = {f"#{field}": field for field in fields}
    return {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names} if names else {}


def _present(error: ClientError) -> Item | None:
    """The item that did not fit. An error carries it as it is sent, unlike answers, whose values become plain."""
    from boto3.dynamodb.types import TypeDeserializer

    plain = TypeDeserializer().deserialize
    sent: dict[str, Any] = error.response.get("Item") or {}  # type: ignore[assignment]  # not in botocore's types
    return {name: plain(value) for name, value in sent.items()} or None


@contextmanager
def _our_errors(operation: str) -> Iterator[None]:
    """Botocore's errors as ours; what is retried by botocore itself has been retried when one gets here."""
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown")
        if code == "ConditionalCheckFailedException":
            raise ConditionFailedError(f"{operation}: the item is not as expected.", _present(error)) from error
        if code in _THROTTLED:
            raise ThrottledError("The table is asked for too much at the moment. Try again later.") from error
        if code in _UNAVAILABLE:
            raise StoreUnavailableError("The table does not answer at the moment. Try again later.") from error
        raise StoreError(f"The table refused {operation} ({code}).") from error
    except (NoConnectionError, HTTPClientError) as error:  # refused, broken or timed out
        raise StoreUnavailableError("The table cannot be reached at the moment. Try again later.") from error
