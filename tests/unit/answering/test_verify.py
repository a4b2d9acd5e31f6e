"""The verify step: what is done with what was found, by the question and the passages alone."""

import pytest

from clew.answering.verifying.dependence import of_known_values
from clew.answering.verifying.verify import Verdict, verify
from clew.retrieval.evidence import EntityRef, Evidence, Passage, Reference, Round
from clew.routing.decision import RagRunSpec, RouteDecision
from clew.routing.intent import Intent, IntentMatch, Slot
from clew.routing.intents import detect_intent

LEVEL = Slot(
    name="level",
    question="Undergraduate or graduate?",
    question_zh="本科生还是研究生？",
    values=("undergraduate | 本科生 | 本科", "graduate | graduate student | master's | 研究生 | 硕士"),
)
SCHOOL = Slot(
    name="school",
    question="Which school?",
    values=("School of Computing | computing | 计算机学院", "School of Marine Science | marine science | 海洋学院"),
)
YEAR = Slot(name="year", question="Admitted when?", pattern=r"\b20\d\d")
COURSE = Slot(name="course", question="Which course?", needed=True)
DUE = Intent(name="due", words=("thesis | 论文", "due | deadline | 截止"), slots=(LEVEL, SCHOOL))
BORROWING = Intent(name="borrowing", words=("borrow | 借",), slots=(LEVEL,))
INCEPTION = EntityRef(id="inception", name="Inception", aliases=("盗梦空间",))

UNDERGRADUATE_DUE = "The undergraduate thesis is due on 10 May."
MARINE_DUE = "For students of the School of Marine Science, the undergraduate thesis is due on 20 May."
GRADUATE_DUE = "The master's thesis is due on 31 March."


def passages(*texts: str, title: str = "Rules") -> Evidence:
    return Evidence(
        passages=tuple(
            Passage(id=f"p{number}", document_id=f"d{number}", title=title, text=text)
            for number, text in enumerate(texts)
        )
    )


def decided(intent: IntentMatch | None = None, *ran: str) -> RouteDecision:
    plan = tuple(
        RagRunSpec(agent_type=agent, worker_name=f"campus:{agent}:retrieve_only") for agent in ran or ("graph_agent",)
    )
    return RouteDecision(
        kb_prefix="campus",
        confidence=1,
        method="heuristic",
        reason="It names it.",
        worker_name=plan[0].worker_name,
        plan=plan,
        intent=intent,
    )


def verdict(question: str, evidence: Evidence, *intents: Intent, **fields: bool) -> Verdict:
    found = verify(question, decided(detect_intent(question, intents or (DUE, BORROWING))), evidence, **fields)
    assert found.reason.endswith(".")
    return found


def asked(question: str, evidence: Evidence, *intents: Intent) -> str:
    """The name of the slot that is asked for; empty where it is answered."""
    found = verdict(question, evidence, *intents)
    assert found.action in ("ask", "answer"), found
    assert (found.action == "ask") == (found.slot is not None)
    return found.slot.name if found.slot else ""


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("When is the thesis due?", passages(UNDERGRADUATE_DUE, GRADUATE_DUE)),
        ("When is the thesis due?", passages(f"{UNDERGRADUATE_DUE} {GRADUATE_DUE}")),
        ("论文什么时候截止？", passages("本科生的论文5月10日截止。研究生的论文3月31日截止。")),
        ("论文什么时候截止？", passages(UNDERGRADUATE_DUE, GRADUATE_DUE)),
        ("When is the thesis due?", passages("本科生的论文5月10日截止。", "硕士论文3月31日截止。")),
        ("How many books may I borrow?", passages("本科生可借20本书，研究生可借40本书。")),
        ("How many books may I borrow?", passages("Students borrow 20 books as undergraduates and 40 as graduates.")),
    ],
)
def test_it_asks_where_two_values_are_told_different_things(question: str, evidence: Evidence) -> None:
    assert asked(question, evidence) == "level"


def test_it_asks_for_the_first_slot_that_the_passages_make_a_difference_by() -> None:
    by_school = passages(
        "The thesis of the School of Computing is due on 10 May.", "The marine science thesis is due on 20 May."
    )
    assert asked("When is the thesis due?", by_school) == "school"
    by_both = passages(MARINE_DUE, "The master's thesis of the School of Computing is due on 31 March.")
    assert asked("When is the thesis due?", by_both) == "level"


def test_a_title_tells_whose_its_sentences_are() -> None:
    one = passages("The thesis is due on 10 May.", title="Undergraduate rules")
    other = passages("The thesis is due on 31 March.", title="Graduate rules")
    both = Evidence(passages=(*one.passages, *other.passages))
    assert asked("When is the thesis due?", both) == "level"
    assert asked("When is the thesis due?", one) == ""


def test_it_asks_where_one_value_is_an_exception_to_the_rule() -> None:
    rule_and_exception = passages(f"{UNDERGRADUATE_DUE} {MARINE_DUE}", GRADUATE_DUE)
    assert asked("When is the thesis of undergraduates due?", rule_and_exception) == "school"
    assert asked("When is the thesis of graduates due?", rule_and_exception) == ""


def test_what_the_question_says_is_not_asked_for() -> None:
    everything = passages(UNDERGRADUATE_DUE, MARINE_DUE, GRADUATE_DUE)
    assert asked("When is the undergraduate thesis due at the School of Marine Science?", everything) == ""
    assert asked("When is the thesis due for undergraduates and for graduate students?", passages(GRADUATE_DUE)) == ""


@pytest.mark.parametrize(
    "text",
    [
        GRADUATE_DUE,
        "The thesis is due on 10 May.",
        "The thesis is due on 10 May for undergraduates and graduate students alike.",
        "本科生和研究生的论文都在5月10日截止。",
        "The undergraduate thesis is due on 10 May. The graduate thesis is due on 10 May.",
        f"{UNDERGRADUATE_DUE} Graduate students may borrow 40 books. Graduate tuition is due in June.",
    ],
    ids=["one value", "no value", "both alike", "both alike, Chinese", "the same for both", "another subject"],
)
def test_it_does_not_ask_where_the_answer_is_one(text: str) -> None:
    assert asked("When is the thesis due?", passages(text)) == ""


@pytest.mark.parametrize(
    "question",
    [
        "Compare when the undergraduate thesis and the other thesis are due",
        "Give me an overview of when a thesis is due",
    ],
)
def test_overviews_and_comparisons_are_of_all_values(question: str) -> None:
    assert asked(question, passages(UNDERGRADUATE_DUE, MARINE_DUE, GRADUATE_DUE)) == ""


def test_values_by_pattern_make_a_difference_too() -> None:
    fee = Intent(name="fee", words=("fee | 费用",), slots=(YEAR,))
    evidence = passages("The fee is 100 for those admitted in 2023. The fee is 120 for those admitted in 2024.")
    assert asked("How high is the fee?", evidence, fee) == "year"
    assert asked("How high is the fee for those admitted in 2024?", evidence, fee) == ""


def test_a_needed_slot_is_asked_for_where_the_passages_speak_of_one_value_or_none() -> None:
    needed = DUE.model_copy(update={"slots": (LEVEL.model_copy(update={"needed": True}),)})
    exam = Intent(name="exam", words=("exam",), slots=(COURSE,))
    assert asked("When is the thesis due?", passages("The thesis is due in spring."), needed) == "level"
    assert asked("When is the thesis due?", passages(GRADUATE_DUE), needed) == "level"
    assert asked("When is the thesis due?", Evidence(), needed) == "level"
    assert asked("When is the exam?", passages("Each exam is on a day of its own."), exam) == "course"
    assert asked("When is the graduate thesis due?", passages(GRADUATE_DUE), needed) == ""


def test_a_needed_slot_is_not_asked_for_where_what_is_known_leaves_one_value() -> None:
    needed = DUE.model_copy(update={"slots": (LEVEL, SCHOOL.model_copy(update={"needed": True}))})
    evidence = passages("The graduate thesis is due at the School of Computing in June.", UNDERGRADUATE_DUE)
    assert asked("When is the graduate thesis due?", evidence, needed) == ""


def test_after_two_asks_without_an_answer_it_answers_with_what_there_is() -> None:
    evidence = passages(UNDERGRADUATE_DUE, GRADUATE_DUE)
    assert verdict("When is the thesis due?", evidence, may_ask=False).action == "answer"


@pytest.mark.parametrize(
    ("ran", "worker"),
    [
        (("graph_agent",), "deep_research_agent"),
        (("graph_agent", "deep_research_agent"), "hybrid_agent"),
        (("graph_agent", "deep_research_agent", "hybrid_agent"), "naive_rag_agent"),
    ],
)
def test_what_is_not_covered_is_looked_up_again_by_a_worker_that_has_not_looked(
    ran: tuple[str, ...], worker: str
) -> None:
    evidence = passages("The library is open on Sunday.")
    found = verify("How much is the rent of a dormitory room?", decided(None, *ran), evidence)
    assert (found.action, found.agent_type) == ("again", worker)
    assert {"rent", "dormitory"} <= set(found.missing)


@pytest.mark.parametrize(
    "question",
    [
        "Who directed The Godfather?",
        "Who wrote “Vertigo”?",
        "《泰坦尼克号》的导演是谁？",
        "Who teaches CS999 on Monday?",
    ],
)
def test_a_name_that_no_passage_has_is_looked_up_again(question: str) -> None:
    evidence = passages("Nolan directed and wrote Inception. 诺兰是导演。", "David Harker teaches on Monday.")
    found = verify(question, decided(), evidence)
    assert found.action == "again"
    assert (
        verify(question, decided(), evidence, may_look_again=False).action == "answer"
    )  # the model says what it lacks


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who directed Inception?", "Inception was directed by Nolan."),
        ("Who directed Inception?", "诺兰执导了《盗梦空间》。"),
        ("《盗梦空间》的导演是谁？", "Nolan directed it."),
        ("Why did Nolan choose to shoot Inception on film?", "Nolan has said that he prefers film."),
        ("What about it?", "Inception was directed by Nolan."),
    ],
)
def test_what_is_said_in_either_language_is_answered_at_once(question: str, text: str) -> None:
    evidence = passages(text).model_copy(update={"reference": Reference(linked=(INCEPTION,))})
    assert verify(question, decided(), evidence).action == "answer"


def test_what_research_has_found_enough_for_is_not_looked_up_again() -> None:
    rounds = (Round(queries=("q",), stopped="enough"),)
    evidence = passages("The quarters cost 300 a month.").model_copy(update={"reference": Reference(rounds=rounds)})
    question = "How much is the rent of a dormitory at the quarters?"
    assert verify(question, decided(), evidence).action == "answer"


@pytest.mark.parametrize("evidence", [Evidence(), passages("The library is open on Sunday.")], ids=["nothing", "other"])
def test_what_a_second_round_does_not_find_is_unknown(evidence: Evidence) -> None:
    question = "食堂的红烧肉怎么做？"
    first = verify(question, decided(), evidence)
    assert (first.action, first.agent_type) == ("again", "deep_research_agent")
    second = verify(question, decided(), evidence, may_look_again=False)
    assert (second.action, second.agent_type) == ("unknown", None)


def test_with_every_worker_used_nothing_is_looked_up_again() -> None:
    everyone = ("graph_agent", "deep_research_agent", "hybrid_agent", "naive_rag_agent")
    assert verify("Who directed Alien?", decided(None, *everyone), Evidence()).action == "unknown"


def test_a_general_message_is_answered() -> None:
    general = RouteDecision(kb_prefix="general", confidence=1, method="default", reason="None fits.", worker_name="")
    assert verify("Hello!", general, Evidence()).action == "answer"


def test_passages_about_other_values_are_left_out_unless_they_speak_of_the_known_one() -> None:
    undergraduate, graduate = (
        Passage(id=title, document_id=title, title=title, text=text)
        for title, text in (("Undergraduate thesis", UNDERGRADUATE_DUE), ("Graduate thesis", "It is due in March."))
    )
    mixed = Passage(id="m", document_id="m", title="Undergraduate library", text="Graduate students borrow 40 books.")
    neutral = Passage(id="n", document_id="n", title="Calendar", text="Undergraduate fees are due.")
    evidence = Evidence(passages=(undergraduate, mixed, graduate, neutral))
    match = detect_intent("When is the thesis due for a graduate student?", (DUE,))
    assert match is not None
    assert of_known_values(match, evidence).passages == (mixed, graduate, neutral)
    alone = Evidence(passages=(undergraduate,))
    assert of_known_values(match, alone) == alone
    assert of_known_values(IntentMatch(name="due", missing=(LEVEL,)), evidence) == evidence
