"""From a question to a quoted answer on the demo: routed, planned, found, merged, verified, and said."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from clew.answering.chat_model import TextDelta
from clew.answering.citations import cited
from clew.answering.follow_up.following_up import AskUser, Continued, ask_user, continue_with
from clew.answering.prompting.prompt import Prompt
from clew.answering.verifying.dependence import of_known_values
from clew.answering.verifying.verify import Verdict, verify
from clew.models.extractive.extractive_chat import ExtractiveChat
from clew.models.extractive.wording import no_answer
from clew.retrieval.evidence import Passage
from clew.retrieval.merge import merge
from clew.routing.decision import RouteDecision
from clew.routing.router import route
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
# A question that needs more, the slots that are asked for with the replies, and what the answer must then say.
DIALOGUES = [
    ("When is the final thesis due?", [("level", "undergraduate"), ("school", "the marine one")], "20 May"),
    ("When is the final thesis due?", [("level", "I'm a graduate student")], "31 March"),
    ("How much is the tuition?", [("programme", "economics, please")], "5,200"),
    ("一门课最多可以重修几次？", [("level", "研究生")], "一次"),
    ("重修成绩怎么记载？", [("year", "我是2022级的")], "实际分数"),
    ("休学申请交到哪里？", [("level", "硕士")], "研究生院"),
]


@dataclass(frozen=True)
class Answered:
    """What was said to a question; ``passages`` are what it was said from, ``verdicts`` those of all rounds."""

    text: str
    passages: tuple[Passage, ...]
    decision: RouteDecision
    verdicts: tuple[Verdict, ...]

    @property
    def actions(self) -> list[str]:
        return [verdict.action for verdict in self.verdicts]


async def answer(demo: Demo, kb: str, question: str, continued: Continued | None = None) -> Answered:
    """A turn without its store and stream."""
    goes_on = {"intent": continued.pending.intent, "known": continued.pending.known} if continued else {}
    decision = route(
        question,
        requested_kb_prefix=kb,
        agent_type="",
        knowledge_bases=demo.profiles,
        embedder=demo.embedder,
        auto_route=True,
        **goes_on,
    )
    runs = [demo.run(kb, spec.agent_type, question) for spec in decision.plan]
    evidence = merge(runs)
    verdicts = [verify(question, decision, evidence)]
    if worker := verdicts[0].agent_type:
        evidence = merge([*runs, demo.run(kb, worker, question)])
        verdicts.append(verify(question, decision, evidence, may_look_again=False))
    if decision.intent:
        evidence = of_known_values(decision.intent, evidence)
    passages = () if verdicts[-1].action == "unknown" else evidence.passages
    prompt = Prompt(question, question, detect_language(question), passages)
    deltas = [delta async for delta in ExtractiveChat(demo.embedder).stream(prompt)]
    said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return Answered(said, passages, decision, tuple(verdicts))


async def test_the_demo_questions_are_answered_from_the_right_documents(
    demo: Demo, tell: Callable[[str], None]
) -> None:
    questions = demo_questions()
    wanted = found = right = again = 0
    wrong: list[str] = []
    for question in questions:
        answered = await answer(demo, question.kb, question.text)
        documents = {passage.document_id for passage in answered.passages}
        wanted += len(question.documents)
        found += len(documents & set(question.documents))
        again += "again" in answered.actions
        assert answered.actions[-1] == "answer", question.text  # each names what it needs
        if any(expected in answered.text for expected in question.expected):
            right += 1
            assert cited(answered.text, answered.passages), question.text
        else:
            wrong.append(f"{question.text}: {answered.text}")
    recall, share = found / wanted, right / len(questions)
    tell(f"demo: {recall:.3f} of the documents found, {share:.3f} of {len(questions)} questions answered right")
    tell("\n".join([f"looked up a second time: {again}", *wrong]))
    assert recall >= 0.9
    assert share >= 0.9, "\n".join(wrong)
    assert again / len(questions) <= 0.1


async def test_what_the_knowledge_base_does_not_say_is_not_made_up(demo: Demo) -> None:
    made_up: list[str] = []
    for kb, question in UNANSWERABLE:
        answered = await answer(demo, kb, question)
        if answered.text != no_answer(detect_language(question), found_anything=bool(answered.passages)):
            made_up.append(f"{question}: {answered.text}")
    assert made_up == []


@pytest.mark.parametrize(("question", "asked", "expected"), DIALOGUES, ids=[each[0] for each in DIALOGUES])
async def test_what_the_documents_tell_by_case_is_asked_for(
    demo: Demo, question: str, asked: list[tuple[str, str]], expected: str
) -> None:
    answered = await answer(demo, "edu", question)
    continued: Continued | None = None
    for slot, reply in asked:
        verdict = answered.verdicts[-1]
        assert verdict.slot is not None, (answered.text, verdict)
        assert verdict.slot.name == slot
        put: AskUser = ask_user(verdict.slot, answered.decision, question, continued=continued)
        assert put.pending.original_query == question
        went_on = continue_with(put.pending, reply)
        assert isinstance(went_on, Continued)
        continued = went_on
        answered = await answer(demo, "edu", continued.question, continued)
    assert answered.actions[-1] == "answer", answered.verdicts
    assert expected in answered.text
