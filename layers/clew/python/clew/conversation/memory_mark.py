"""How far memory has followed a conversation: the number of the newest message that it has taken in."""

from typing import TYPE_CHECKING

from clew.table import ConditionFailedError, ItemTable
from clew.table_keys import head_key, parse_message_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


def take_in(table: "Table", pk: str, sk: str) -> bool:
    """Raise the conversation's mark to the message under this key; tells whether the mark moved.

    Keys of other items, repeats and late arrivals change nothing, so the stream may deliver an
    insertion as often and in whatever order it likes.
    """
    place = parse_message_key(pk, sk)
    if place is None:
        return False
    try:
        ItemTable(table).update(
            head_key(place.conversation_id),
            "SET #memory_seq = :seq",
            "attribute_exists(#pk) AND (attribute_not_exists(#memory_seq) OR #memory_seq < :seq)",
            {":seq": place.seq},
        )
    except ConditionFailedError:
        return False
    return True
