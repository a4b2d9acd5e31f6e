"""From a question to a quoted answer on the demo: planned, found, merged, and said."""

from collections.abc import Callable

from clew.answering.chat_model import TextDelta
from clew.answering.citations import cited
from clew.answering.prompt import Prompt
from clew.models.extractive.extractive_chat import ExtractiveChat
from clew.models.extractive.wording import no_answer
from clew.retrieval.evidence import Passage
from clew.retrieval.merge import merge
from clew.routing.planning import make_plan
from clew.text.language import detect_language
from tests.integration.retrieval.demo import Demo, demo_questions

UNANSWERABLE = [
    ("movie", "Who directed The Godfather?"),
    ("movie", "How much did the tickets for Inception cost in Norway?"),
    ("movie", "What is Christopher Nolan's favourite dish?"),
    ("movie", "《泰坦尼克号》的导演是谁？"),
    ("movie", "李安的护照号码是多少？"),
    ("edu", "Who teaches the course on medieval poetry?"),
    ("edu", "Which football team does David Harker support?"),
    ("edu", "How much is the rent of a dormitory room?"),
    ("edu", "食堂的红烧肉多少钱一份？"),
    ("edu", "何建国养了几只猫？"),
]


async def answer(demo: Demo, kb: str, question: str) -> tuple[str, tuple[Passage, ...]]:
    runs = [demo.run(kb, spec.agent_type, question) for spec in make_plan(question, (kb,), None).runs]
    evidence = merge(runs).passages
    prompt = Prompt(question, question, detect_language(question), evidence)
    deltas = [delta async for delta in ExtractiveChat(demo.embedder).stream(prompt)]
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)), evidence


async def test_the_demo_questions_are_answered_from_the_right_documents(
    demo: Demo, tell: Callable[[str], None]
) -> None:
    questions = demo_questions()
    wanted = found = right = 0
    wrong: list[str] = []
    for question in questions:
        said, evidence = await answer(demo, question.kb, question.text)
        documents = {passage.document_id for passage in evidence}
        wanted += len(question.documents)
        found += len(documents & set(question.documents))
        if any(expected in said for expected in question.expected):
            right += 1
            assert cited(said, evidence), question.text
        else:
            wrong.append(f"{question.text}: {said}")
    recall, share = found / wanted, right / len(questions)
    tell(f"demo: {recall:.3f} of the documents found, {share:.3f} of {len(questions)} questions answered right")
    tell("\n".join(wrong))
    assert recall >= 0.9
    assert share >= 0.9, "\n".join(wrong)


async def test_what_the_knowledge_base_does_not_say_is_not_made_up(demo: Demo) -> None:
    answered: list[str] = []
    for kb, question in UNANSWERABLE:
        said, evidence = await answer(demo, kb, question)
        if said != no_answer(detect_language(question), found_anything=bool(evidence)):
            answered.append(f"{question}: {said}")
    assert answered == []
