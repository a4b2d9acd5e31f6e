"""A long conversation through the whole stack: what stays answerable, what it costs the prompt, what a clear leaves."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from clew.conversation.summary import VERBATIM
from clew.conversation.summary_item import Summaries
from clew.table_keys import conversation_pk
from tests.e2e.client import Answer, Client, new_session
from tests.e2e.service import SharedStack
from tests.laptop import PROJECT

ROUNDS = 50
FLAT_FROM = 15
HISTORY_TOKENS = 2_000
MEMORY_WITHIN = 30.0  # seconds; the stream is delivered each second


def questions(language: str) -> list[str]:
    records = map(json.loads, (PROJECT / "demo/questions.jsonl").read_text("utf-8").splitlines())
    asked = [record["question"] for record in records]
    return [each for each in asked if (each.isascii()) == (language == "en")]


def history_tokens(answer: Answer) -> int:
    (context,) = [
        e["content"]["output"]
        for e in answer.events
        if e["status"] == "execution_log" and e["content"]["node"] == "context"
    ]
    tokens: int = context["history_tokens"]
    return tokens


def until(condition: Callable[[], bool], seconds: float = MEMORY_WITHIN) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "memory did not get there in time"
        time.sleep(0.2)


@pytest.mark.parametrize(
    ("language", "told", "asked", "known"),
    [
        ("en", "My name is Lin Wei and my supervisor is Professor Tang.", "Who is my supervisor?", "Tang"),
        ("zh", "我叫林薇，我的导师是唐思远教授。", "我的导师是谁？", "唐思远"),
    ],
)
def test_the_first_of_fifty_rounds_is_remembered_at_a_flat_price(
    client: Client, stack: SharedStack, language: str, told: str, asked: str, known: str
) -> None:
    session = new_session()
    conversation_id = client.stream(told, session).done["conversation_id"]
    others = questions(language)
    tokens: list[int] = []
    for number in range(1, ROUNDS - 1):
        question = others[number % len(others)]
        tokens.append(history_tokens(client.stream(question, session, agent_type="graph_agent", debug=True)))
    summaries = Summaries(stack.table(), "default")
    until(lambda: summaries.find(conversation_id).covered_seq >= 2 * (ROUNDS - 1) - VERBATIM - 5)

    last = client.stream(asked, session)
    assert known in last.text
    assert max(tokens) <= HISTORY_TOKENS
    early, late = tokens[FLAT_FROM : FLAT_FROM + 12], tokens[-12:]
    assert statistics.mean(late) <= 1.15 * statistics.mean(early)


def episodes(stack: SharedStack, conversation_id: str) -> int:
    """How many turns the graph has of a conversation."""
    found = stack.graph_rows("MATCH (e:Episode {conversation_id: $id}) RETURN count(e) AS number", id=conversation_id)
    return int(found[0]["number"])


def test_a_finished_turn_becomes_an_episode_and_a_clear_takes_it_away(client: Client, stack: SharedStack) -> None:
    session, other = new_session(), new_session()
    cleared = client.stream("Who directed Parasite?", session).done["conversation_id"]
    kept = client.stream("Who directed Parasite?", other).done["conversation_id"]
    until(lambda: episodes(stack, cleared) == episodes(stack, kept) == 1)
    client.post("/clear", {"user_id": client.user_id, "session_id": session})
    until(lambda: episodes(stack, cleared) == 0)
    assert episodes(stack, kept) == 1


def test_the_service_asks_back_and_goes_on_with_the_question(client: Client, stack: SharedStack) -> None:
    session = new_session()
    first = client.stream("When is the undergraduate thesis due?", session)
    assert first.done["is_ask_user"], first.text
    intent = first.done["pending_intent"]
    assert client.messages(session)["messages"][-1]["pending_intent"] == intent
    second = client.stream("I study marine science.", session, debug=True)
    assert not second.done["is_ask_user"]
    assert "20 May" in second.text or "5月20日" in second.text
    route: dict[str, Any] = second.done["route"]
    assert (route["kb_prefix"], route["intent"]["name"]) == ("edu", intent)
    pk = conversation_pk(first.done["conversation_id"])
    assert "Item" not in stack.table().get_item(Key={"pk": pk, "sk": "PENDING"})
