"""What comes with a message is small on the table, and what earlier versions wrote is still read."""

import base64
import json

import pytest
from pydantic_core import to_json

from clew.conversation.codec import read_message
from clew.conversation.packing import pack, read_packed, unpack
from clew.errors import StoreError
from clew.retrieval.evidence import Citation
from clew.table import item_size
from tests.unit.conversation.answers import CHINESE, ENGLISH, Answer

BOTH = pytest.mark.parametrize("answer", [ENGLISH, CHINESE], ids=["en", "zh"])


def stored_item(store, table, answer: Answer) -> dict:
    conversation_id = store.begin("ann", "s1", answer.question).conversation_id
    store.append_message(conversation_id, "assistant", answer.content, answer.citations, answer.debug, summary_seq=14)
    return table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000002"})["Item"]


@BOTH
def test_answer_with_three_citations_and_full_debug_fits_into_one_write_unit(store, table, answer: Answer) -> None:
    answer = answer.with_quotes_of(200 if answer is ENGLISH else 70)
    as_text = sum(len(to_json(part)) for part in (answer.citations, answer.debug))
    item = stored_item(store, table, answer)
    assert as_text > 1_700
    assert item_size(item) <= 1024
    assert item["content"] == answer.content  # to be read where it lies


@BOTH
def test_with_the_longest_quotes_it_fits_into_two(store, table, answer: Answer) -> None:
    assert min(len(each.quote) for each in answer.citations) > 200
    assert item_size(stored_item(store, table, answer)) <= 2 * 1024


@BOTH
def test_debug_alone_takes_a_fraction(answer: Answer) -> None:
    text = to_json({"debug": answer.debug})
    assert len(pack(text, answer.content)) < len(text) / 4


@BOTH
def test_item_is_read_as_the_stream_hands_it_over_too(store, table, answer: Answer) -> None:
    item = stored_item(store, table, answer)
    as_text = item | {"packed": base64.b64encode(bytes(item["packed"])).decode()}
    read = read_message(as_text)
    assert read == read_message(item)
    assert (read.citations, read.debug, read.summary_seq) == (answer.citations, answer.debug, 14)


def test_first_version_is_read_for_ever() -> None:
    """These bytes were written by version 1: if this fails, its dictionary was changed instead of a new one added."""
    packed = base64.b64decode(WRITTEN_BY_1)
    content = "Ang Lee 李安 [1]"
    assert read_packed(packed, content) == {
        "citations": [{"number": 1, "passage_id": "c1", "document_id": "ang-lee", "title": "Ang Lee", "quote": "李安"}],
        "debug": {"question": "Who?", "usage": {"output_tokens": 7}},
        "is_ask_user": True,
    }


WRITTEN_BY_1 = "ASM6ExpiZBpgK1A3JzUVKe9AjUfKNBCL8GUdeyUkP6F5wbwW6GGM0rIWAA=="


def test_version_of_the_future_is_said_to_be_unreadable(store, table) -> None:
    item = stored_item(store, table, ENGLISH)
    with pytest.raises(StoreError, match=r"message 2 of \w+ in a form that cannot be read"):
        read_message(item | {"packed": b"\x63" + bytes(item["packed"])[1:]})


@pytest.mark.parametrize("content", ["", "x" * 40_000, "字" * 12_000], ids=len)
def test_messages_text_of_any_length_helps_or_does_no_harm(content: str) -> None:
    said = to_json({"debug": {"question": content[:200], "text": "无关 unrelated"}})
    packed = pack(said, content)
    assert unpack(packed, content) == said
    assert len(packed) < len(said) or not content


def test_message_of_an_earlier_version_is_read(store, table, conversation_id) -> None:
    citation = Citation(number=1, passage_id="p1", document_id="d1", title="盗梦空间")
    table.put_item(
        Item={
            "pk": f"CONV#{conversation_id}",
            "sk": "MSG#0000000001",
            "conversation_id": conversation_id,
            "seq": 1,
            "role": "assistant",
            "content": "诺兰 [1]",
            "citations": json.dumps([citation.model_dump()], ensure_ascii=False),
            "debug": '{"question": "谁?", "partial": true}',
            "token": "0123456789abcdef",
            "created_at": "2026-01-01T00:00:00.000+00:00",
            "tenant_id": "acme",
            "user_id": "ann",
            "session_id": "s1",
        }
    )
    (read,) = store.recent(conversation_id, 5)
    assert (read.message_id, read.seq, read.content) == (f"{conversation_id}.0000000001", 1, "诺兰 [1]")
    assert (read.citations, read.debug) == ((citation,), {"question": "谁?", "partial": True})
    assert (read.is_ask_user, read.pending_intent, read.summary_seq) == (False, "", 0)
