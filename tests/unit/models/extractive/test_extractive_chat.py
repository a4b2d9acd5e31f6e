"""The extractive model: what it quotes, what it says when it cannot, and how it streams."""

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.citations import cited, without_marks
from clew.answering.prompting.prompt import Prompt
from clew.models.e5_embedder import E5Embedder
from clew.models.extractive.extractive_chat import ExtractiveChat, pieces
from clew.retrieval.evidence import EntityRef, Passage
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import detect_language

INCEPTION = EntityRef(id="inception", name="Inception", aliases=("盗梦空间",))
NOLAN = EntityRef(id="nolan", name="Christopher Nolan", aliases=("克里斯托弗·诺兰",))
ZIMMER = EntityRef(id="zimmer", name="Hans Zimmer", aliases=("汉斯·季默",))
WOHU = EntityRef(id="wohu", name="卧虎藏龙", aliases=("Crouching Tiger, Hidden Dragon",))
ANG_LEE = EntityRef(id="lee", name="李安", aliases=("Ang Lee",))


def passage(name: str, title: str, text: str, *entities: EntityRef) -> Passage:
    return Passage(id=name, document_id=name, title=title, text=text, entities=entities)


EVIDENCE = (
    passage(
        "p1",
        "Inception",
        "Inception was released in 2010. Inception was directed by Christopher Nolan. Hans Zimmer composed the score "
        "of Inception. It won four Academy Awards.",
        INCEPTION,
        NOLAN,
        ZIMMER,
    ),
    passage(
        "p2",
        "Hans Zimmer",
        "Hans Zimmer is a composer. Hans Zimmer was born in Frankfurt in Germany. He likes synthesizers.",
        ZIMMER,
    ),
    passage("p3", "卧虎藏龙", "《卧虎藏龙》由李安执导。《卧虎藏龙》于2000年上映。", WOHU, ANG_LEE),
    passage("p4", "李安", "李安1954年出生于台湾屏东。李安毕业于纽约大学。", ANG_LEE),
)


@pytest.fixture(scope="module")
def model() -> ExtractiveChat:
    return ExtractiveChat(E5Embedder())


async def said(model: ExtractiveChat, question: str, evidence: tuple[Passage, ...] = EVIDENCE) -> str:
    prompt = Prompt(question, question, detect_language(question), evidence)
    return "".join([delta.text async for delta in model.stream(prompt) if isinstance(delta, TextDelta)])


@pytest.mark.parametrize(
    ("question", "expected", "cites"),
    [
        ("Who directed Inception?", "Christopher Nolan", {1}),
        ("Who composed the score of Inception?", "Hans Zimmer", {1}),
        ("In which year was Inception released?", "2010", {1}),
        ("Where was Hans Zimmer born?", "Frankfurt", {2}),
        ("In which city was the composer of Inception born?", "Frankfurt", {1, 2}),
        ("《卧虎藏龙》是谁导演的？", "李安", {3}),
        ("李安毕业于哪所大学？", "纽约大学", {4}),
        ("《卧虎藏龙》的导演出生在哪里？", "屏东", {3, 4}),
    ],
)
async def test_it_quotes_what_answers_and_cites_where_it_stands(
    model: ExtractiveChat, question: str, expected: str, cites: set[int]
) -> None:
    answer = await said(model, question)
    assert expected in answer
    assert cites <= {citation.number for citation in cited(answer, EVIDENCE)}


async def test_every_sentence_is_the_evidences_own(model: ExtractiveChat) -> None:
    for question in ("Who directed Inception?", "李安毕业于哪所大学？"):
        answer = await said(model, question)
        texts = " ".join(each.text for each in EVIDENCE)
        for sentence in without_marks(answer).split("  "):
            assert sentence.strip() in texts


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who directed The Godfather?", "en"),
        ("How much did Inception cost?", "en"),
        ("《泰坦尼克号》的导演是谁？", "zh"),
        ("李安喜欢吃什么菜？", "zh"),
    ],
)
async def test_it_says_in_the_questions_language_when_the_evidence_does_not_answer(
    model: ExtractiveChat, question: str, language: str
) -> None:
    answer = await said(model, question)
    assert cited(answer, EVIDENCE) == ()
    assert detect_language(answer) == language
    assert answer


@pytest.mark.parametrize(
    ("question", "language"), [("Who directed Inception?", "en"), ("谁执导了《盗梦空间》？", "zh")]
)
async def test_without_evidence_it_says_that_it_found_nothing(
    model: ExtractiveChat, question: str, language: str
) -> None:
    answer = await said(model, question, ())
    assert detect_language(answer) == language
    assert "[1]" not in answer
    assert answer != await said(model, "xyzzy?" if language == "en" else "囧囧囧囧？")


async def test_a_general_message_is_told_what_can_be_asked(model: ExtractiveChat) -> None:
    films = KnowledgeBaseSummary(
        prefix="films",
        title="Films",
        title_zh="电影",
        description="Who made which film.",
        description_zh="影片由谁制作。",
        examples=("Who directed it?", "谁是导演？"),
    )
    for message, wanted in (
        ("Hello!", ["Films", "films", "Who directed it?"]),
        ("你好！", ["电影", "films", "谁是导演？"]),
    ):
        language = detect_language(message)
        prompt = Prompt(message, message, language, general=True, knowledge_bases=(films,))
        answer = "".join([delta.text async for delta in model.stream(prompt) if isinstance(delta, TextDelta)])
        assert all(text in answer for text in wanted)
    bare = Prompt("Hello!", "Hello!", "en", general=True)
    answer = "".join([delta.text async for delta in model.stream(bare) if isinstance(delta, TextDelta)])
    assert "No knowledge base" in answer


async def test_it_streams_in_pieces_and_ends_with_what_it_cost(model: ExtractiveChat) -> None:
    question = "Who directed Inception?"
    deltas = [delta async for delta in model.stream(Prompt(question, question, "en", EVIDENCE))]
    assert len(deltas) > 3
    assert all(isinstance(delta, TextDelta) and delta.text for delta in deltas[:-1])
    last = deltas[-1]
    assert isinstance(last, Finished)
    assert (last.model, last.usage.estimated) == (model.name, True)
    assert last.usage.input_tokens > last.usage.output_tokens > 0


async def test_the_same_prompt_has_the_same_answer(model: ExtractiveChat) -> None:
    answers = {await said(model, "In which city was the composer of Inception born?") for _ in range(3)}
    assert len(answers) == 1


@pytest.mark.parametrize(
    "question",
    ["", "?", "\x00", "字" * 400, "word " * 400, "《》", '""', "Who is [1] [2]?"],
    ids=lambda q: ascii(q[:9]),
)
async def test_any_question_is_answered_somehow(model: ExtractiveChat, question: str) -> None:
    assert await said(model, question)


async def test_evidence_of_nothing_but_marks_is_survived(model: ExtractiveChat) -> None:
    assert await said(model, "Who?", (passage("p", "", ""), passage("q", "?", "... !!! 。")))


@pytest.mark.parametrize(
    "text", ["", " ", "One two  three.\n- four ", "你好，世界！ Hi [1]。", "\n\n", "a" * 1_000, "字" * 1_000, "𝄞 🎬"]
)
def test_pieces_joined_are_the_answer_again(text: str) -> None:
    assert "".join(pieces(text)) == text
    assert all(pieces(text))
