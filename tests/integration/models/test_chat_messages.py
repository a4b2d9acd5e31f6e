"""What the chat models send, on each wire, read back: every role, pictures and calls of tools."""

from dataclasses import replace

from clew.answering.chat_model import Delta
from clew.answering.prompting.prompt import ChatMessage, Prompt, ToolCall
from clew.answering.prompting.prompt_text import render
from tests.integration.models.chat import collect
from tests.integration.models.pictures import picture
from tests.integration.models.scripted_server import ScriptedServer
from tests.integration.models.wires import Wire

ARGUMENTS = '{"kb_prefix": "movie", "query": "《盗梦空间》", "limits": {"max_rows": 2}}'
CALL = ToolCall("tooluse_1", "search", ARGUMENTS)
HISTORY = (
    ChatMessage("user", "谁导演了《盗梦空间》？"),
    ChatMessage("assistant", "我查一下。", tool_calls=(CALL, ToolCall("tooluse_2", "today"))),
    ChatMessage("tool", "克里斯托弗·诺兰", tool_call_id="tooluse_1"),
    ChatMessage("tool", "2026-11-22", tool_call_id="tooluse_2"),
    ChatMessage("assistant", "诺兰。"),
)


async def sent(wire: Wire, server: ScriptedServer, prompt: Prompt) -> list[ChatMessage]:
    server.answers = [wire.answer(*wire.end())]
    deltas: list[Delta] = await collect(wire.model(server.url).stream(prompt))
    assert len(deltas) == 1
    return wire.messages(server.requests[0].body)


async def test_the_rendered_prompt_is_sent(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    told = replace(prompt, history=(ChatMessage("user", "Hello."), ChatMessage("assistant", "Hello!")))
    messages = await sent(wire, server, told)
    assert messages == render(told)
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]


async def test_calls_of_tools_and_their_answers_keep_their_roles(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    told = replace(prompt, history=HISTORY)
    messages = await sent(wire, server, told)
    assert messages == render(told)
    assert [message.role for message in messages[1:]] == ["user", "assistant", "tool", "tool", "assistant", "user"]


async def test_a_tools_answer_without_its_call_is_left_out_and_so_is_a_call_without_answer(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    user, calls, first, _, said = HISTORY
    stray = ChatMessage("tool", "of a call before the window", tool_call_id="tooluse_0")
    messages = await sent(wire, server, replace(prompt, history=(user, stray, calls, first, said)))
    assert messages[1:-1] == [user, replace(calls, tool_calls=(CALL,)), first, said]


async def test_pictures_go_with_the_question_byte_for_byte(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    pictures = picture("image/png"), picture("image/jpeg"), picture("image/webp")
    *before, asked = await sent(wire, server, replace(prompt, images=pictures))
    assert asked.images == pictures
    assert asked.content == render(prompt)[-1].content
    assert not any(message.images for message in before)
