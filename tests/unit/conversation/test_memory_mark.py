"""The mark of the newest message that memory has taken in only ever rises."""

import pytest

from clew.conversation.memory_mark import take_in
from clew.errors import ThrottledError


def mark(table, conversation_id: str) -> int | None:
    return table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"})["Item"].get("memory_seq")


def test_mark_rises_and_never_falls(table, conversation_id) -> None:
    pk = f"CONV#{conversation_id}"
    moved = [take_in(table, pk, f"MSG#{seq:010d}") for seq in (2, 1, 2, 5, 3)]
    assert moved == [True, False, False, True, False]
    assert mark(table, conversation_id) == 5


@pytest.mark.parametrize("sk", ["HEAD", "PENDING", "FEEDBACK#x", "MSG#", "MSG#1", "SESSION#MSG#0000000001"])
def test_other_items_leave_the_mark(table, conversation_id, sk: str) -> None:
    assert take_in(table, f"CONV#{conversation_id}", sk) is False
    assert mark(table, conversation_id) is None


def test_message_of_a_conversation_that_is_not_there_creates_nothing(table) -> None:
    assert take_in(table, "CONV#c" + "0" * 31, "MSG#0000000001") is False
    assert table.scan()["Items"] == []


def test_throttling_is_passed_on(table, conversation_id, refuse) -> None:
    refuse("UpdateItem", "ThrottlingException")
    with pytest.raises(ThrottledError):
        take_in(table, f"CONV#{conversation_id}", "MSG#0000000001")
