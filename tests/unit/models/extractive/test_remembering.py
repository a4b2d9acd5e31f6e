"""Answers from the conversation: what counts as a question about it, and what is quoted."""

import pytest

from clew.answering.chat_model import TextDelta
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.memory.episode import Episode
from clew.models.e5_embedder import E5Embedder
from clew.models.extractive.extractive_chat import ExtractiveChat
from clew.models.extractive.remembering import from_conversation, refers_to, tells
from clew.retrieval.evidence import Passage
from clew.text.language import detect_language

TOLD = (
    "Hi, my name is Lin Wei and I study marine science.",
    "Where was the composer of Oppenheimer born?",
    "I prefer short answers, please.",
    "My supervisor is Professor Tang.",
    "Our meeting is on Thursday at 3.",
    "Let's move the meeting to Friday.",
    "我叫林薇。",
    "我在海洋学院读大三。",
    "我最喜欢诺兰的电影。",
    "我们把会议定在周四下午三点。",
    "《活着》的作曲者的父亲是谁？",
)


def history(*messages: str, answer: str = "Christopher Nolan directed Inception.") -> tuple[ChatMessage, ...]:
    return tuple(each for text in messages for each in (ChatMessage("user", text), ChatMessage("assistant", answer)))


def prompt(question: str, **fields: object) -> Prompt:
    return Prompt(question, question, detect_language(question), **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    return E5Embedder()


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What is my name?", "my name is Lin Wei"),
        ("What am I studying?", "I study marine science"),
        ("Who is my supervisor?", "My supervisor is Professor Tang"),
        ("What did I say about my supervisor?", "My supervisor is Professor Tang"),
        ("When is our meeting?", "move the meeting to Friday"),  # the later of two that fit
        ("What did you say about Inception?", "Christopher Nolan directed Inception"),
        ("我叫什么名字？", "我叫林薇"),
        ("我读几年级？", "我在海洋学院读大三"),
        ("我最喜欢谁的电影？", "我最喜欢诺兰的电影"),
        ("我们的会议定在什么时候？", "我们把会议定在周四下午三点"),
    ],
)
def test_what_was_said_is_quoted(embedder: E5Embedder, question: str, quoted: str) -> None:
    assert quoted in from_conversation(prompt(question, history=history(*TOLD)), embedder)


@pytest.mark.parametrize(
    "question",
    [
        "Do I have a dog?",
        "What is my phone number?",
        "我的电话是多少？",
        "我有几个孩子？",
        "Who directed Inception?",  # the assistant's own words answer only what is asked about them
        "What is the thesis deadline?",
    ],
)
def test_what_was_not_said_is_not_made_up(embedder: E5Embedder, question: str) -> None:
    assert from_conversation(prompt(question, history=history(*TOLD)), embedder) == ""


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("My name is Lin Wei and my supervisor is Professor Tang.", "What is my name?"),
        ("My name is Lin Wei and my supervisor is Professor Tang.", "Who is my supervisor?"),
        ("我叫林薇，我的导师是唐思远教授。", "我叫什么名字？"),
        ("我叫林薇，我的导师是唐思远教授。", "我的导师是谁？"),
    ],
)
def test_of_two_things_told_at_once_each_is_found(embedder: E5Embedder, told: str, question: str) -> None:
    others = history("I like films.", "我喜欢看电影。", "Where was Nolan born?", answer="Noted.")
    assert told in from_conversation(prompt(question, history=history(told) + others), embedder)


def test_questions_are_never_quoted(embedder: E5Embedder) -> None:
    asked = history("What is my name?", "我叫什么名字？", answer="I found nothing about this.")
    assert from_conversation(prompt("What is my name?", history=asked), embedder) == ""


def test_older_turns_summary_and_what_is_known_of_the_user_are_sources_too(embedder: E5Embedder) -> None:
    old = Episode("c1", 2, "My supervisor is Professor Tang.", "Noted.", "2026-03-04T10:00:00.000+00:00")
    recalled = from_conversation(prompt("Who is my supervisor?", episodes=(old,)), embedder)
    assert recalled == "You said on 2026-03-04: “My supervisor is Professor Tang.”"
    summed_up = from_conversation(prompt("我的导师是谁？", summary="关于用户：\n- 我的导师是唐思远教授。"), embedder)
    assert "我的导师是唐思远教授" in summed_up
    known = from_conversation(
        prompt("Who is my supervisor?", known_of_user=("Supervisor is Professor Tang",)), embedder
    )
    assert "Professor Tang" in known


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("What did I tell you about my thesis?", "talk"),
        ("我刚才提到的奖学金是哪个？", "talk"),
        ("Which programme do I study?", "self"),
        ("我是哪个专业的？", "self"),
        ("When do I have to pay my tuition?", "none"),  # what anyone must do is a matter of knowledge
        ("How do I apply for a scholarship?", "none"),
        ("我可以转专业吗？", "none"),
        ("Who directed Inception?", "none"),
        ("《活着》的导演是谁？", "none"),
    ],
)
def test_what_a_question_refers_to(question: str, reference: str) -> None:
    assert refers_to(question) == reference


@pytest.mark.parametrize(
    ("message", "is_told"),
    [
        ("My name is Lin.", True),
        ("我叫林薇。", True),
        ("Hello!", False),
        ("你好！", False),
        ("What is my name?", False),
    ],
)
def test_telling_is_no_asking(message: str, is_told: bool) -> None:
    assert tells(message) == is_told


async def answer(embedder: E5Embedder, question: Prompt) -> str:
    return "".join(
        [delta.text async for delta in ExtractiveChat(embedder).stream(question) if isinstance(delta, TextDelta)]
    )


async def test_a_question_about_the_user_is_answered_from_the_conversation_wherever_it_was_routed(
    embedder: E5Embedder,
) -> None:
    evidence = (Passage(id="p", document_id="d", title="Lin Yating", text="Lin Yating teaches CS201."),)
    for fields in ({"general": True}, {"evidence": evidence}):
        said = await answer(embedder, prompt("What is my name?", history=history(*TOLD), **fields))
        assert "my name is Lin Wei" in said


async def test_evidence_answers_what_is_not_about_the_conversation(embedder: E5Embedder) -> None:
    evidence = (Passage(id="p", document_id="d", title="CS201", text="Lin Yating teaches CS201."),)
    said = await answer(embedder, prompt("Who teaches CS201?", evidence=evidence, history=history("I like CS201.")))
    assert said == "Lin Yating teaches CS201. [1]"


async def test_what_the_user_tells_is_noted(embedder: E5Embedder) -> None:
    assert (await answer(embedder, prompt("My name is Lin Wei.", evidence=()))).startswith("Noted")
    assert (await answer(embedder, prompt("My name is Lin Wei.", general=True))).startswith("Noted")
    assert (await answer(embedder, prompt("我叫林薇。", general=True))).startswith("好的")
