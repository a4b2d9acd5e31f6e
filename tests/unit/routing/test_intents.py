"""What a message wants of its knowledge base, and what it says of what must be known for it."""

import pytest
from pydantic import ValidationError

from clew.routing.decision import RouteDecision
from clew.routing.intent import Intent, IntentMatch, Slot
from clew.routing.intents import detect_intent, fill, labels
from clew.routing.knowledge_base import KnowledgeBaseProfile, KnowledgeBaseSummary
from clew.routing.router import route
from clew.text.embedding import Vector

LEVEL = Slot(
    name="level",
    question="Undergraduate or graduate?",
    question_zh="本科生还是研究生？",
    values=(
        "undergraduate | undergraduate student | undergrad | 本科生 | 本科",
        "graduate | graduate student | master's | 研究生 | 硕士",
    ),
)
YEAR = Slot(name="year", question="Admitted when?", pattern=r"\b(20\d\d)")
COURSE = Slot(name="course", question="Which course?")
THESIS = Intent(name="thesis", words=("thesis | 论文",), slots=(LEVEL,))
THESIS_DEADLINE = Intent(name="thesis_deadline", words=("thesis | 论文", "deadline | due | 截止"), slots=(LEVEL, YEAR))
RETAKE = Intent(name="retake", words=("retake | 重修",), slots=(LEVEL, YEAR, COURSE))
INTENTS = (THESIS, THESIS_DEADLINE, RETAKE)
CAMPUS = KnowledgeBaseProfile(prefix="campus", title="Student guide", entity_names=("Thesis",), intents=INTENTS)


class UntouchedEmbedder:
    """Where the knowledge base is given, nothing is compared in meaning."""

    dimensions = 2

    def embed_query(self, text: str) -> Vector:
        raise AssertionError(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(texts)


def found(message: str) -> IntentMatch:
    match = detect_intent(message, INTENTS)
    assert match is not None
    return match


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Who reads the thesis?", "thesis"),
        ("When is the THESIS due?", "thesis_deadline"),
        ("Are there several thesis deadlines?", "thesis_deadline"),
        ("Ｔｈｅｓｉｓ，ｄｕｅ　ｗｈｅｎ？", "thesis_deadline"),
        ("毕业论文什么时候截止？", "thesis_deadline"),
        ("我的 thesis 什么时候截止？", "thesis_deadline"),
        ("How often may I retake it?", "retake"),
        ("Is retaking a course free?", "retake"),
    ],
)
def test_the_intent_with_most_groups_of_which_a_word_is_said_is_found(message: str, name: str) -> None:
    assert found(message).name == name


@pytest.mark.parametrize("message", ["", "Who directed Inception?", "The deadline of the grant?"])
def test_a_message_without_a_word_of_every_group_has_no_intent(message: str) -> None:
    assert detect_intent(message, INTENTS[1:]) is None


def test_of_intents_with_as_many_groups_the_one_that_the_message_says_more_of_is_found() -> None:
    bare = Intent(name="bare", words=("retake",), slots=(YEAR,))
    assert detect_intent("May undergraduates retake it?", (bare, RETAKE)) == found("May undergraduates retake it?")
    assert detect_intent("May I retake it?", (bare, RETAKE)) == IntentMatch(
        name="bare", missing=(YEAR,), words=("retake",)
    )


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("When is the thesis of undergraduates due?", "undergraduate"),
        ("When is the undergraduate student's thesis due?", "undergraduate"),
        ("When is the thesis of a GRADUATE STUDENT due?", "graduate"),
        ("When is the ｍａｓｔｅｒ’ｓ thesis due?", "graduate"),
        ("When is the thesis of 研究生 due?", "graduate"),
        ("本科毕业论文什么时候截止？", "本科生"),
        ("硕士论文什么时候截止？", "研究生"),
    ],
)
def test_values_are_found_by_any_spelling_and_named_in_the_messages_language(message: str, value: str) -> None:
    match = found(message)
    assert match.known == {"level": value}
    assert [slot.name for slot in match.missing] == ["year"]
    assert match.given == (LEVEL,)


@pytest.mark.parametrize(
    "message",
    [
        "When is the thesis due?",
        "Is the thesis due before graduation?",
        "The thesis is due and I am not a graduate student",
    ],
)
def test_what_is_not_said_or_denied_is_missing(message: str) -> None:
    assert [slot.name for slot in found(message).missing] == ["level", "year"]


def test_several_values_of_a_slot_are_all_kept() -> None:
    match = found("When is the thesis due for undergraduates and for graduate students?")
    assert match.known == {"level": "undergraduate, graduate"}


@pytest.mark.parametrize(
    "message", ["重修：我2023年入学，本科生", "retake, admitted in 2023 as an undergraduate", "重修，２０２３级本科"]
)
def test_a_pattern_finds_a_value_also_beside_chinese_characters(message: str) -> None:
    assert found(message).known["year"] == "2023"


def test_free_text_is_never_filled_from_the_question() -> None:
    match = found("May undergraduates of 2023 retake operating systems?")
    assert (set(match.known), match.missing) == ({"level", "year"}, (COURSE,))


def test_values_are_listed_in_either_language() -> None:
    assert labels(LEVEL, "en") == ["undergraduate", "graduate"]
    assert labels(LEVEL, "zh") == ["本科生", "研究生"]
    assert labels(COURSE, "en") == []
    only_english = LEVEL.model_copy(update={"values": ("part-time", "full-time")})
    assert labels(only_english, "zh") == ["part-time", "full-time"]
    assert fill([only_english], "我是 full time 学生") == {"level": "full-time"}


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "Year"},
        {"name": ""},
        {"question": ""},
        {"pattern": "(20"},
        {"pattern": "x" * 300},
        {"values": ("a | b", "c | B")},
        {"values": ("a", " | ")},
    ],
)
def test_a_slot_that_does_not_fit_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Slot(**({"name": "year", "question": "When?"} | fields))


def test_an_intent_needs_words_and_slots_and_intents_names_of_their_own() -> None:
    for words in ((), ("",), ("a", "|")):
        with pytest.raises(ValidationError):
            Intent(name="fee", words=words)
    with pytest.raises(ValidationError, match="'level'"):
        Intent(name="fee", words=("fee",), slots=(LEVEL, LEVEL))
    with pytest.raises(ValidationError, match="'thesis'"):
        KnowledgeBaseSummary(prefix="campus", title="Guide", intents=(THESIS, RETAKE, THESIS))


def routed(message: str, kb_prefix: str = "campus", **fields: object) -> RouteDecision:
    films = KnowledgeBaseProfile(prefix="films", title="Films")
    return route(
        message,
        requested_kb_prefix=kb_prefix,
        agent_type="",
        knowledge_bases=[CAMPUS, films],
        embedder=UntouchedEmbedder(),
        auto_route=False,
        **fields,  # type: ignore[arg-type]
    )


def test_the_decision_has_the_intent_of_its_own_knowledge_base_alone() -> None:
    assert routed("When is the thesis due?").intent == found("When is the thesis due?")
    assert routed("When is the thesis due?", "films").intent is None
    assert routed("When is the thesis due?", "").intent is None
    assert routed("Who is the dean?").intent is None


def test_where_a_question_is_gone_on_with_its_intent_is_kept_and_none_looked_for() -> None:
    decision = routed("How do I retake it (2023)?", intent="thesis_deadline", known={"level": "graduate"})
    assert decision.intent == IntentMatch(
        name="thesis_deadline",
        known={"level": "graduate"},
        missing=(YEAR,),
        given=(LEVEL,),
        words=THESIS_DEADLINE.words,
    )
    assert decision.kb_prefix == "campus"
    assert "goes on" in decision.reason


def test_an_intent_that_the_profile_has_no_more_is_carried_on_with_nothing_missing() -> None:
    decision = routed("When is it due?", intent="gone", known={"level": "graduate"})
    assert decision.intent == IntentMatch(name="gone", known={"level": "graduate"})


def test_where_the_knowledge_base_is_gone_the_question_is_routed_like_a_new_one() -> None:
    decision = routed("When is the thesis due?", "removed", intent="thesis", known={})
    assert (decision.kb_prefix, decision.intent) == ("general", None)
