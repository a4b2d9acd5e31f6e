"""Asking back and going on: every way that a reply may take, in both languages."""

import pytest

from clew.answering.follow_up.following_up import AskUser, Continued, Dropped, ask_user, completed, continue_with
from clew.conversation.pending import PendingIntent
from clew.routing.decision import RouteDecision
from clew.routing.intent import Intent, Slot
from clew.routing.intents import detect_intent, fill, match_of

LEVEL = Slot(
    name="level",
    question="Is it about undergraduate or graduate study?",
    question_zh="您问的是本科生还是研究生？",
    values=(
        "undergraduate | undergrad | 本科生 | 本科",
        "graduate | graduate student | master's | 研究生 | 硕士",
    ),
)
PROGRAMME = Slot(
    name="programme",
    question="Which programme is it about?",
    question_zh="您问的是哪个专业？",
    values=(
        "BSc in Computer Science | 计算机科学本科",
        "MSc in Computer Science | 计算机科学硕士",
        "BSc in Marine Science | 海洋科学",
    ),
)
YEAR = Slot(
    name="year", question="In which year were you admitted?", question_zh="您是哪一年入学的？", pattern=r"20\d\d"
)
TOPIC = Slot(name="topic", question="What is your topic?", question_zh="您的题目是什么？")
THESIS = Intent(name="thesis", words=("thesis | 论文",), slots=(LEVEL, PROGRAMME, YEAR))

ENGLISH = "When is the thesis due?"
CHINESE = "论文什么时候截止？"


def waiting(question: str, *slots: Slot, **fields: object) -> PendingIntent:
    return PendingIntent.model_validate(
        {"intent": "thesis", "kb_prefix": "edu", "original_query": question, "missing": slots or (LEVEL,)} | fields
    )


def continued(pending: PendingIntent, message: str) -> Continued:
    found = continue_with(pending, message)
    assert isinstance(found, Continued), found
    return found


def asked(pending: PendingIntent, message: str) -> AskUser:
    found = continue_with(pending, message)
    assert isinstance(found, AskUser), found
    return found


def decided(question: str, known: dict[str, str] | None = None) -> RouteDecision:
    intent = match_of(THESIS, known) if known is not None else detect_intent(question, (THESIS,))
    return RouteDecision(
        kb_prefix="edu", confidence=1, method="heuristic", reason="A name.", worker_name="", intent=intent
    )


# Asking


def test_asking_ends_the_turn_with_the_slots_question_and_keeps_what_the_question_was() -> None:
    ask = ask_user(LEVEL, decided(f"{ENGLISH} I was admitted in 2023."), ENGLISH, agent_type="graph_agent")
    assert ask.text == f"{LEVEL.question} It may be undergraduate or graduate."
    assert ask.pending == PendingIntent(
        intent="thesis",
        kb_prefix="edu",
        agent_type="graph_agent",
        original_query=ENGLISH,
        known={"year": "2023"},
        missing=(LEVEL, PROGRAMME),
        ask_user_count=1,
    )


def test_the_slot_that_is_asked_for_comes_first() -> None:
    ask = ask_user(YEAR, decided(ENGLISH), ENGLISH)
    assert [slot.name for slot in ask.pending.missing] == ["year", "level", "programme"]


def test_it_is_asked_in_the_language_of_the_question() -> None:
    assert ask_user(LEVEL, decided(CHINESE), CHINESE).text == "您问的是本科生还是研究生？可以是：本科生、研究生。"
    without = LEVEL.model_copy(update={"question_zh": ""})
    assert ask_user(without, decided(CHINESE), CHINESE).text.startswith(LEVEL.question)


def test_many_values_are_not_listed() -> None:
    many = PROGRAMME.model_copy(update={"values": tuple(f"Programme {letter}" for letter in "ABCDEFGHI")})
    assert ask_user(many, decided(ENGLISH), ENGLISH).text == many.question
    assert "Programme A" not in asked(waiting(ENGLISH, many), "I don't know").text


# Filling


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("graduate", "When is the thesis due (graduate)?"),
        ("I'm a graduate student", "When is the thesis due (graduate)?"),
        ("The master's one, please.", "When is the thesis due (graduate)?"),
        ("ＵＮＤＥＲＧＲＡＤ", "When is the thesis due (undergraduate)?"),
        ("研究生", "When is the thesis due (graduate)?"),
        ("undergraduates?", "When is the thesis due (undergraduate)?"),
        ("What about undergraduates?", "When is the thesis due (undergraduate)?"),
        ("When is it due for graduate students?", "When is the thesis due (graduate)?"),
        ("not a graduate student", "When is the thesis due (undergraduate)?"),
        ("the second one", "When is the thesis due (graduate)?"),
        ("both", "When is the thesis due (undergraduate, graduate)?"),
        ("I'm not sure, but I think undergraduate", "When is the thesis due (undergraduate)?"),
    ],
)
def test_a_reply_in_english_completes_the_question(reply: str, question: str) -> None:
    found = continued(waiting(ENGLISH), reply)
    assert (found.question, found.language, found.filled) == (question, "en", ("level",))
    assert found.may_ask
    assert not found.note


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("研究生", "论文什么时候截止（研究生）？"),
        ("我是读硕士的", "论文什么时候截止（研究生）？"),
        ("本科的", "论文什么时候截止（本科生）？"),
        ("是本科生吗？", "论文什么时候截止（本科生）？"),
        ("那研究生呢？", "论文什么时候截止（研究生）？"),
        ("不是研究生", "论文什么时候截止（本科生）？"),
        ("第一个", "论文什么时候截止（本科生）？"),
        ("两个都要", "论文什么时候截止（本科生、研究生）？"),
        ("graduate", "论文什么时候截止（研究生）？"),
    ],
)
def test_a_reply_in_chinese_completes_the_question(reply: str, question: str) -> None:
    found = continued(waiting(CHINESE), reply)
    assert (found.question, found.language, found.filled) == (question, "zh", ("level",))


def test_the_original_question_and_how_often_was_asked_are_kept() -> None:
    pending = waiting(ENGLISH, LEVEL, YEAR, agent_type="naive_rag_agent", known={"programme": "x"}, ask_user_count=2)
    found = continued(pending, "graduate").pending
    assert found == pending.model_copy(update={"known": {"programme": "x", "level": "graduate"}, "missing": (YEAR,)})


def test_a_reply_may_fill_several_slots_at_once() -> None:
    found = continued(waiting(CHINESE, LEVEL, YEAR), "2024级的研究生")
    assert found.pending.known == {"level": "研究生", "year": "2024"}
    assert (found.pending.missing, found.question) == ((), "论文什么时候截止（研究生、2024）？")


@pytest.mark.parametrize(
    "reply", ["the marine one", "海洋的", "marine science, at the coast", "I study marine science"]
)
def test_part_of_a_name_means_the_value_where_no_other_has_it(reply: str) -> None:
    assert continued(waiting(ENGLISH, PROGRAMME), reply).pending.known == {"programme": "BSc in Marine Science"}


def test_part_of_several_names_is_asked_about() -> None:
    ask = asked(waiting(ENGLISH, PROGRAMME), "computer science")
    assert ask.text == "Which of these do you mean: BSc in Computer Science or MSc in Computer Science?"
    assert continued(ask.pending, "the MSc").pending.known == {"programme": "MSc in Computer Science"}
    assert asked(waiting(CHINESE, PROGRAMME), "计算机的").text == "您指的是哪一个：计算机科学本科、计算机科学硕士？"


@pytest.mark.parametrize("reply", ["2024级", "In 2024.", "２０２４", "我2024年入学"])
def test_a_pattern_finds_the_value(reply: str) -> None:
    assert continued(waiting(CHINESE, YEAR), reply).question == "论文什么时候截止（2024）？"


@pytest.mark.parametrize("reply", ["Tides of the East China Sea.", "东海潮汐"])
def test_a_slot_without_values_takes_the_whole_reply(reply: str) -> None:
    found = continued(waiting(ENGLISH, TOPIC), f" {reply} ")
    assert found.pending.known == {"topic": reply.rstrip(".")}
    assert reply.rstrip(".") in found.question


def test_a_value_that_the_question_holds_is_not_added_again() -> None:
    assert completed("论文（研究生）什么时候截止", {"level": "研究生"}, "zh") == "论文（研究生）什么时候截止"
    assert completed("Thesis due when", {"level": "graduate"}, "en") == "Thesis due when (graduate)?"
    assert completed(ENGLISH, {}, "en") == ENGLISH


# Not answering


@pytest.mark.parametrize(
    "reply",
    ["I don't know", "No idea.", "not sure", "whatever", "either", "ok", "physics", "What do you mean?", "", "?!"],
)
def test_a_reply_in_english_that_answers_nothing_is_asked_again_with_the_values(reply: str) -> None:
    pending = waiting(ENGLISH)
    ask = asked(pending, reply)
    assert ask.text != ask_user(LEVEL, decided(ENGLISH), ENGLISH).text
    assert LEVEL.question in ask.text
    assert "undergraduate or graduate." in ask.text
    assert ask.pending == pending.model_copy(update={"ask_user_count": 2, "unanswered": 1})


@pytest.mark.parametrize(
    "reply", ["不知道", "不太清楚", "随便", "都可以", "无所谓", "嗯", "我大三了", "有哪些选项？", "什么意思？"]
)
def test_a_reply_in_chinese_that_answers_nothing_is_asked_again_with_the_values(reply: str) -> None:
    ask = asked(waiting(CHINESE), reply)
    assert "本科生、研究生" in ask.text
    assert (ask.pending.ask_user_count, ask.pending.unanswered) == (2, 1)


@pytest.mark.parametrize(
    ("question", "replies", "note"),
    [(ENGLISH, ("I don't know", "whatever"), LEVEL.question), (CHINESE, ("不知道", "随便"), LEVEL.question_zh)],
)
def test_after_two_asks_without_an_answer_it_goes_on_with_what_there_is(
    question: str, replies: tuple[str, str], note: str
) -> None:
    again = asked(waiting(question, known={"year": "2024"}), replies[0])
    found = continued(again.pending, replies[1])
    assert (found.filled, found.may_ask) == ((), False)
    assert "2024" in found.question
    assert note in found.note
    assert found.pending.original_query == question


def test_asked_again_the_value_is_still_taken() -> None:
    again = asked(waiting(ENGLISH), "hm")
    found = continued(again.pending, "graduate, I think")
    assert (found.filled, found.may_ask) == (("level",), True)
    assert found.pending.ask_user_count == 2


@pytest.mark.parametrize("slot", [YEAR, TOPIC], ids=["pattern", "free text"])
def test_a_slot_without_values_is_asked_for_again_too(slot: Slot) -> None:
    again = asked(waiting(ENGLISH, slot), "I don't know")
    assert slot.question in again.text
    assert not continued(again.pending, "不知道").may_ask


# Two slots, one after the other


@pytest.mark.parametrize(
    ("question", "replies", "texts", "complete"),
    [
        (
            ENGLISH,
            ("undergraduate", "the marine one"),
            (LEVEL.question, PROGRAMME.question),
            "When is the thesis due (undergraduate, BSc in Marine Science)?",
        ),
        (
            CHINESE,
            ("本科", "海洋的"),
            (LEVEL.question_zh, PROGRAMME.question_zh),
            "论文什么时候截止（本科生、海洋科学）？",
        ),
    ],
)
def test_two_slots_are_asked_for_one_after_the_other(
    question: str, replies: tuple[str, str], texts: tuple[str, str], complete: str
) -> None:
    first = ask_user(LEVEL, decided(question), question)
    assert first.text.startswith(texts[0])
    once = continued(first.pending, replies[0])
    second = ask_user(PROGRAMME, decided(question, once.pending.known), once.question, continued=once)
    assert second.text.startswith(texts[1])
    assert (second.pending.original_query, second.pending.ask_user_count) == (question, 2)
    assert [slot.name for slot in second.pending.missing] == ["programme", "year"]
    twice = continued(second.pending, replies[1])
    assert twice.question == complete
    assert twice.pending.missing == (YEAR,)


def test_asks_without_an_answer_count_over_all_slots() -> None:
    again = asked(ask_user(LEVEL, decided(ENGLISH), ENGLISH).pending, "no idea")
    once = continued(again.pending, "graduate")
    second = ask_user(PROGRAMME, decided(ENGLISH, once.pending.known), once.question, continued=once)
    assert (second.pending.ask_user_count, second.pending.unanswered) == (3, 1)
    assert not continued(second.pending, "no idea").may_ask


# Another subject, and no more


@pytest.mark.parametrize(
    "message",
    [
        "How much is the tuition?",
        "What about the tuition of graduate students?",
        "Who is the dean of the School of Computing?",
        "Tell me about the library",
        "library opening hours",
        "undergraduate. And who is the dean?",
        "Never mind, who is the dean?",
        "《盗梦空间》",
        "学费多少钱？",
        "本科生的学费是多少？",
        "图书馆几点开门",
        "介绍一下观澜图书馆",
        "算了，图书馆几点开门？",
        "Thanks a lot!",
        "你好",
    ],
)
@pytest.mark.parametrize("question", [ENGLISH, CHINESE])
def test_another_subject_drops_the_question(question: str, message: str) -> None:
    assert continue_with(waiting(question), message) == Dropped("changed subject")


@pytest.mark.parametrize("message", ["never mind", "Forget it.", "No, thanks!", "cancel", "stop, please"])
def test_it_is_cancelled_in_english(message: str) -> None:
    assert continue_with(waiting(ENGLISH), message) == Dropped("cancelled", "All right. Ask me anything else.")


@pytest.mark.parametrize("message", ["算了", "算了吧，谢谢", "不用了。", "取消", "没事了"])
def test_it_is_cancelled_in_chinese(message: str) -> None:
    assert continue_with(waiting(CHINESE), message) == Dropped("cancelled", "好的，您可以继续问别的问题。")


def test_a_request_for_another_knowledge_base_drops_the_question() -> None:
    assert continue_with(waiting(ENGLISH), "graduate", requested_kb_prefix="movie") == Dropped("changed subject")
    assert isinstance(continue_with(waiting(ENGLISH), "graduate", requested_kb_prefix="edu"), Continued)


def test_a_question_without_a_slot_waits_for_nothing() -> None:
    assert continue_with(PendingIntent(intent="thesis"), "graduate") == Dropped("changed subject")


def test_a_very_long_message_is_read_in_no_time() -> None:
    assert fill((LEVEL,), "graduate " * 20_000) == {"level": "graduate"}
    assert isinstance(continue_with(waiting(ENGLISH), "why " * 20_000), AskUser)
