"""Long-term memory over HTTP, against a server that plays a script."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from clew.conversation.message import Message
from clew.errors import ConfigurationError
from clew.local.ports import LOOPBACK, free_port
from clew.memory.long_term import LongTermMemoryError
from clew.memory.mem0 import Mem0
from tests.integration.models.scripted_server import CUT, SILENCE, Answer, ScriptedServer

FACTS = {"results": [{"id": "1", "memory": "Studies marine\nscience", "score": 0.8}, {"id": "2", "memory": "喜欢海边"}]}


def answer(body: Any, status: int = 200) -> Answer:
    return Answer([json.dumps(body, ensure_ascii=False).encode()], status=status)


def message(seq: int, role: Any, content: str) -> Message:
    return Message(message_id="", conversation_id="c", seq=seq, role=role, content=content, created_at="")


TURN = [message(1, "user", "我学海洋科学。"), message(2, "assistant", "Then OC101 [1] is for you.")]


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer().running() as running:
        yield running


@pytest.fixture
def memory(server: ScriptedServer) -> Callable[..., Mem0]:
    def connect(**values: Any) -> Mem0:
        return Mem0(server.url, **values)

    return connect


async def recall(memory: Mem0) -> tuple[str, ...]:
    # In a thread, since the server lives in this one's event loop.
    return await asyncio.to_thread(memory.recall, "acme", "ann", "Which courses suit me?")


async def test_a_server_of_ones_own_is_searched_for_the_tenants_user(server, memory) -> None:
    server.answers = [answer(FACTS)]
    assert await recall(memory(api_key=lambda: "m0sk_1")) == ("Studies marine science", "喜欢海边")
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["x-api-key"] == "m0sk_1"
    assert request.body == {
        "query": "Which courses suit me?",
        "filters": {"user_id": "acme/ann"},
        "user_id": "acme/ann",
        "top_k": 5,
    }


async def test_the_platform_takes_the_user_as_a_filter_alone(server, memory) -> None:
    server.answers = [answer(FACTS)]
    assert len(await recall(memory(api_key=lambda: "key", platform=True))) == 2
    (request,) = server.requests
    assert request.path == "/v3/memories/search/"
    assert request.headers["authorization"] == "Token key"
    assert request.body == {"query": "Which courses suit me?", "filters": {"user_id": "acme/ann"}, "top_k": 5}


@pytest.mark.parametrize(("platform", "path"), [(False, "/memories"), (True, "/v3/memories/add/")])
async def test_a_turn_is_remembered_in_the_words_of_both(server, memory, platform: bool, path: str) -> None:
    server.answers = [answer({"results": []})]
    await asyncio.to_thread(memory(platform=platform).remember, "acme", "ann", TURN)
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", path)
    assert request.body == {
        "user_id": "acme/ann",
        "messages": [
            {"role": "user", "content": "我学海洋科学。"},
            {"role": "assistant", "content": "Then OC101 is for you."},
        ],
    }
    assert not {"authorization", "x-api-key"} & set(request.headers)


async def test_tenants_do_not_share_a_user(server, memory) -> None:
    server.answers = [answer(FACTS), answer(FACTS)]
    one = memory()
    for tenant, user in (("a:b", "c"), ("a", "b:c")):
        await asyncio.to_thread(one.recall, tenant, user, "?")
    first, second = (request.body["filters"]["user_id"] for request in server.requests)
    assert first != second


async def test_a_path_before_the_apis_own_is_kept(server) -> None:
    server.answers = [answer(FACTS)]
    await recall(Mem0(f"{server.url}/mem0/"))
    assert server.requests[0].path == "/mem0/search"


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ([{"memory": "Likes tea"}], ("Likes tea",)),  # as early versions answer
        ({"results": []}, ()),
        ({"results": [{"memory": ""}, {"id": "x"}, "odd", {"memory": "A"}, {"memory": "A"}]}, ("A",)),
        ({"results": [{"memory": str(number)} for number in range(9)]}, ("0", "1", "2", "3", "4")),
    ],
)
async def test_facts_are_what_the_results_hold(server, memory, body: Any, facts: tuple[str, ...]) -> None:
    server.answers = [answer(body)]
    assert await recall(memory()) == facts


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (answer({"detail": "boom"}, 500), "refused a request .500"),
        (answer({"detail": "who?"}, 401), "refused a request .401"),
        (Answer([b"<html>"]), "no JSON"),
        (Answer([b"\xff\xfe"]), "no JSON"),
        (answer({"memories": None}), "something else than results"),
        (answer("text"), "something else than results"),
        (Answer([b'{"results"', CUT]), "does not answer"),
        (Answer(status=302, headers={"Location": "http://elsewhere.invalid/"}), "refused a request .302"),
    ],
    ids=["500", "401", "html", "bytes", "shape", "text", "cut", "redirect"],
)
async def test_what_is_no_answer_is_an_error_that_tells_no_more_than_that(server, memory, broken, told: str) -> None:
    server.answers = [broken]
    with pytest.raises(LongTermMemoryError, match=told) as caught:
        await recall(memory(api_key=lambda: "m0sk_1"))
    assert "m0sk_1" not in str(caught.value)
    assert len(server.requests) == 1, "it is not tried again"


@pytest.mark.parametrize("slow", [Answer(headers_after=SILENCE), Answer([b'{"results"', SILENCE])], ids=["all", "body"])
async def test_a_slow_answer_is_not_waited_for(server, memory, slow: Answer) -> None:
    server.answers = [slow, answer(FACTS)]
    one = memory(recall_seconds=0.2)
    began = time.monotonic()
    with pytest.raises(LongTermMemoryError, match="does not answer"):
        await recall(one)
    assert time.monotonic() - began < 1
    assert len(await recall(one)) == 2, "the next question finds it well again"


def test_a_server_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LongTermMemoryError, match="does not answer"):
        Mem0(f"http://{LOOPBACK}:{free_port()}").recall("acme", "ann", "?")


@pytest.mark.parametrize("url", ["", "mem0.ai", "ftp://host", "http://", "https://host?key=1"])
def test_an_address_that_is_none_is_a_setting_that_does_not_fit(url: str) -> None:
    with pytest.raises(ConfigurationError, match="CLEW_MEM0_URL"):
        Mem0(url)


@pytest.mark.parametrize(
    ("url", "platform"),
    [("https://api.mem0.ai", True), ("https://mem0.example.com", False), ("https://notmem0.ai", False)],
)
def test_the_address_tells_which_of_the_two_it_is(url: str, platform: bool) -> None:
    assert (Mem0(url)._api.search == "/v3/memories/search/") is platform
