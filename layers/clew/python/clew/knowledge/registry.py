"""The registry of a tenant's knowledge bases: one item of the table each, and a stamp that changes with any of them."""

import sys
from array import array
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from clew.errors import InvalidRequestError, StoreError, UnknownKnowledgeBaseError
from clew.identifiers import check_kb_prefix, check_outside_id
from clew.routing.intent import Intent
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.table import Item, ItemTable
from clew.table_keys import KB_PREFIX, knowledge_base_key, knowledge_base_stamp_key, tenant_pk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

ITEM_BYTES: Final = 380 * 1000
"""Margin under DynamoDB's 400 KB for attribute names and numbers."""

_INTENTS: Final = TypeAdapter(tuple[Intent, ...])

_Vectors = tuple[tuple[float, ...], ...]


class KnowledgeBaseRegistry:
    """Profiles of one tenant's knowledge bases; safe to share between threads.

    Reads are not consistent, for half the price: a profile changes once a load, and the load itself
    takes far longer than DynamoDB's copies need.
    """

    def __init__(self, table: "Table", tenant_id: str) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")

    @property
    def tenant_id(self) -> str:
        return self._tenant_id

    def put(self, profile: KnowledgeBaseProfile) -> None:
        """Store the profile, over an earlier one of the same prefix.

        Entity names beyond the item's size are left out, least mentioned first; vectors keep 32 bits.
        Raises InvalidRequestError for a prefix that cannot name one, or when all but the names is too big.
        """
        key = knowledge_base_key(self._tenant_id, check_kb_prefix(profile.prefix))
        item = profile.model_dump(exclude={"entity_names", "topic_vectors", "intents"}, exclude_none=True)
        item["examples"] = list(profile.examples)
        item["intents"] = _INTENTS.dump_json(profile.intents, exclude_defaults=True).decode()
        item |= _pack(profile.topic_vectors)
        room = ITEM_BYTES - sum(_size(value) for value in item.values())
        if room < 0:
            raise InvalidRequestError(f"The profile of {profile.prefix!r} is {-room:,} bytes too big to store.")
        self._table.put(key, item | {"entity_names": _first_that_fit(profile.entity_names, room)})
        self._change_stamp()

    def get(self, prefix: str) -> KnowledgeBaseProfile:
        """The profile of ``prefix``; UnknownKnowledgeBaseError names those that there are."""
        profile = self.find(prefix)
        if profile is None:
            known = self._table.query(
                tenant_pk(self._tenant_id), begins_with=KB_PREFIX, consistent=False, fields=("prefix",)
            )
            raise UnknownKnowledgeBaseError(prefix, [item["prefix"] for item in known])
        return profile

    def find(self, prefix: str) -> KnowledgeBaseProfile | None:
        """The profile of ``prefix``, if there is one; a prefix that cannot name one has none."""
        try:
            key = knowledge_base_key(self._tenant_id, check_kb_prefix(prefix))
        except InvalidRequestError:
            return None
        item = self._table.get(key, consistent=False)
        return _read(item) if item else None

    def list(self, *, consistent: bool = False) -> list[KnowledgeBaseProfile]:
        """All profiles of the tenant, by prefix."""
        items = self._table.query(tenant_pk(self._tenant_id), begins_with=KB_PREFIX, consistent=consistent)
        return [_read(item) for item in items]

    def stamp(self) -> str:
        """Another one after every ``put`` and ``delete``; empty where profiles were last written without one."""
        item = self._table.get(knowledge_base_stamp_key(self._tenant_id), consistent=False)
        return str(item["stamp"]) if item else ""

    def delete(self, prefix: str) -> None:
        """Forget the profile, if there is one; the graph's part is not touched."""
        self._table.delete(knowledge_base_key(self._tenant_id, check_kb_prefix(prefix)))
        self._change_stamp()

    def _change_stamp(self) -> None:
        """After the profile: whoever sees the new stamp finds the new profile."""
        self._table.put(knowledge_base_stamp_key(self._tenant_id), {"stamp": uuid4().hex})


def _pack(vectors: _Vectors) -> Item:
    """Vectors as one run of little-endian float32: a fraction of what numbers would take."""
    dimensions = len(vectors[0]) if vectors else 0
    if any(len(vector) != dimensions for vector in vectors):
        raise InvalidRequestError("Topic vectors of one profile must have one length.")
    packed = array("f", (number for vector in vectors for number in vector))
    if sys.byteorder == "big":
        packed.byteswap()
    return {"topic_vectors": packed.tobytes(), "dimensions": dimensions}


def _unpack(item: Item) -> _Vectors:
    packed = array("f", bytes(item["topic_vectors"]))
    if sys.byteorder == "big":
        packed.byteswap()
    dimensions = int(item["dimensions"])
    return tuple(tuple(packed[start : start + dimensions]) for start in range(0, len(packed), max(dimensions, 1)))


def _first_that_fit(names: tuple[str, ...], room: int) -> "list[str]":
    kept = []
    for name in names:
        room -= _size(name)
        if room < 0:
            break
        kept.append(name)
    return kept


def _size(value: Any) -> int:
    """Bytes a value takes in an item: its text or data, one for its type, three for a list's frame."""
    match value:
        case str():
            return len(value.encode()) + 1
        case bytes():
            return len(value) + 1
        case list():
            return 3 + sum(_size(each) for each in value)
        case _:
            return 21  # the longest number


def _read(item: Item) -> KnowledgeBaseProfile:
    try:
        fields = {name: item[name] for name in KnowledgeBaseProfile.model_fields if name in item}
        fields |= {"topic_vectors": _unpack(item), "intents": from_json(item.get("intents", "[]"))}
        return KnowledgeBaseProfile.model_validate(fields)
    except (KeyError, ValidationError, ValueError) as error:
        raise StoreError(f"The table holds {item.get('sk')} in a form that cannot be read.") from error
