"""Chat messages in both providers' formats, and what is settled for both."""

import base64
from typing import Any

import pytest

from clew.answering.prompting.prompt import ChatMessage, Image, ToolCall
from clew.models.message_formats import NOTHING, to_converse, to_openai

SYSTEM = ChatMessage("system", "Answer from the passages.")
USER = ChatMessage("user", "谁导演了《盗梦空间》？")
CALL = ToolCall("t1", "search", '{"kb_prefix": "电影"}')
CALLING = ChatMessage("assistant", "我查一下。", tool_calls=(CALL,))
ANSWER = ChatMessage("tool", "诺兰", tool_call_id="t1")
SAID = ChatMessage("assistant", "诺兰。")
PICTURE = Image("image/jpeg", b"\xff\xd8\xff")


def converse_roles(*messages: ChatMessage) -> list[tuple[str, list[str]]]:
    """Each message's role and the kinds of its blocks."""
    return [
        (message["role"], [kind for block in message["content"] for kind in block])
        for message in to_converse(messages)["messages"]
    ]


def test_every_role_in_the_format_of_converse() -> None:
    assert to_converse([SYSTEM, USER, CALLING, ANSWER, SAID]) == {
        "system": [{"text": SYSTEM.content}],
        "messages": [
            {"role": "user", "content": [{"text": USER.content}]},
            {
                "role": "assistant",
                "content": [
                    {"text": "我查一下。"},
                    {"toolUse": {"toolUseId": "t1", "name": "search", "input": {"kb_prefix": "电影"}}},
                ],
            },
            {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "诺兰"}]}}]},
            {"role": "assistant", "content": [{"text": "诺兰。"}]},
        ],
        "toolConfig": {
            "tools": [
                {
                    "toolSpec": {
                        "name": "search",
                        "description": "Called earlier in this conversation. Do not call it again.",
                        "inputSchema": {"json": {"type": "object"}},
                    }
                }
            ]
        },
    }


def test_every_role_in_the_format_of_the_openai_protocol() -> None:
    assert to_openai([SYSTEM, USER, CALLING, ANSWER, SAID]) == [
        {"role": "system", "content": SYSTEM.content},
        {"role": "user", "content": USER.content},
        {
            "role": "assistant",
            "content": "我查一下。",
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "search", "arguments": '{"kb_prefix": "电影"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "t1", "content": "诺兰"},
        {"role": "assistant", "content": "诺兰。"},
    ]


def test_pictures_stand_before_the_text_they_are_asked_about() -> None:
    shown = ChatMessage("user", "Who is this?", images=(PICTURE,))
    assert to_converse([shown])["messages"][0]["content"] == [
        {"image": {"format": "jpeg", "source": {"bytes": PICTURE.data}}},
        {"text": "Who is this?"},
    ]
    url = f"data:image/jpeg;base64,{base64.b64encode(PICTURE.data).decode()}"
    assert to_openai([shown])[0]["content"] == [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "Who is this?"},
    ]


def test_a_picture_may_be_all_that_is_said() -> None:
    shown = ChatMessage("user", " ", images=(PICTURE,))
    assert converse_roles(shown) == [("user", ["image"])]
    assert [part["type"] for part in to_openai([shown])[0]["content"]] == ["image_url"]


def test_pictures_are_sent_with_what_a_user_says_and_with_nothing_else() -> None:
    others = [ChatMessage(role, "text", images=(PICTURE,)) for role in ("system", "assistant")]
    assert "image" not in str(to_converse([*others, USER]))
    assert "image" not in str(to_openai([*others, USER]))


def test_in_converse_what_tools_answered_and_what_the_user_says_then_is_one_message() -> None:
    two = ChatMessage("assistant", "", tool_calls=(CALL, ToolCall("t2", "search")))
    messages = [USER, two, ANSWER, ChatMessage("tool", "Inception", tool_call_id="t2"), ChatMessage("user", "Well?")]
    assert converse_roles(*messages) == [
        ("user", ["text"]),
        ("assistant", ["toolUse", "toolUse"]),
        ("user", ["toolResult", "toolResult", "text"]),
    ]
    assert len(to_converse(messages)["toolConfig"]["tools"]) == 1
    assert [message["role"] for message in to_openai(messages)] == ["user", "assistant", "tool", "tool", "user"]


@pytest.mark.parametrize(
    "messages",
    [
        [ANSWER, USER],
        [USER, CALLING, USER],
        [USER, CALLING, USER, ANSWER],
        [USER, CALLING],
        [USER, CALLING, ChatMessage("tool", "of another", tool_call_id="t9"), USER],
    ],
    ids=["answer alone", "call alone", "answer too late", "call last", "answer to another"],
)
def test_calls_and_answers_are_sent_in_pairs_or_not_at_all(messages: list[ChatMessage]) -> None:
    assert not any("tool" in str(kinds) for _, kinds in converse_roles(*messages))
    assert "toolConfig" not in to_converse(messages)
    assert "tool" not in str(to_openai(messages))


def test_an_answer_that_is_given_twice_is_sent_once() -> None:
    assert [message["role"] for message in to_openai([USER, CALLING, ANSWER, ANSWER, SAID])] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


def test_there_is_one_system_text_and_it_is_first() -> None:
    messages = [USER, SYSTEM, ChatMessage("system", " "), ChatMessage("system", "Be brief.")]
    text = "Answer from the passages.\n\nBe brief."
    assert to_converse(messages)["system"] == [{"text": text}]
    assert to_openai(messages)[0] == {"role": "system", "content": text}
    assert "system" not in to_converse([USER])


def test_blank_texts_are_left_out_and_a_tool_that_said_nothing_says_so() -> None:
    blank = ChatMessage("assistant", "\n")
    nothing = ChatMessage("tool", " ", tool_call_id="t1")
    messages = [USER, blank, ChatMessage("assistant", "", tool_calls=(CALL,)), nothing]
    assert converse_roles(*messages) == [("user", ["text"]), ("assistant", ["toolUse"]), ("user", ["toolResult"])]
    assert NOTHING in str(to_converse(messages))
    _, calling, told = to_openai(messages)
    assert (calling["content"], told["content"]) == (None, NOTHING)


@pytest.mark.parametrize("arguments", ["", '{"query": "incep', "[1]", "null"])
def test_arguments_that_are_no_object_are_none(arguments: str) -> None:
    calling = ChatMessage("assistant", "", tool_calls=(ToolCall("t1", "search", arguments),))
    assert to_converse([USER, calling, ANSWER])["messages"][1]["content"][0]["toolUse"]["input"] == {}
    assert to_openai([USER, calling, ANSWER])[1]["tool_calls"][0]["function"]["arguments"] == "{}"


def marked(*messages: ChatMessage) -> tuple[list[str], list[list[str]]]:
    request: Any = to_converse(messages, cached=True)
    system = [kind for block in request.get("system", []) for kind in block]
    return system, [[kind for block in message["content"] for kind in block] for message in request["messages"]]


def test_what_stays_the_same_is_marked_to_be_cached() -> None:
    assert marked(SYSTEM, USER, SAID, USER) == (["text", "cachePoint"], [["text"], ["text", "cachePoint"], ["text"]])


def test_a_question_alone_is_not_marked_and_neither_is_the_lack_of_a_system_text() -> None:
    assert marked(USER) == ([], [["text"]])


def test_no_cache_point_stands_after_what_tools_said() -> None:
    assert marked(USER, CALLING, ANSWER)[1] == [["text"], ["text", "toolUse"], ["toolResult"]]
