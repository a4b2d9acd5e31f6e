"""Making a message stand alone by rule, in both languages."""

import statistics
import time
from collections.abc import Sequence

import pytest

from clew.answering.focus import Focus
from clew.answering.rewriting.leaning import may_lean_on_past
from clew.answering.rewriting.rewriter import Past, PreviousTurn
from clew.answering.rewriting.rule import RuleRewriter
from clew.memory.episode import Episode

DIRECTOR = PreviousTurn(
    "Who directed Inception?",
    Focus(asked=("Inception",), answered=("Christopher Nolan",)),
    "Inception was written and directed by Christopher Nolan (克里斯托弗·诺兰).",
)
SCORE = PreviousTurn(
    "Who composed the score of Inception?",
    Focus(asked=("Inception",), answered=("Hans Zimmer",)),
    "Hans Zimmer (汉斯·季默) composed the score of Inception.",
)
GRANT = PreviousTurn(
    "How much is the Haiming Grant worth?",
    Focus(asked=("Haiming Grant",)),
    "The Haiming Grant is worth RMB 4,800 per year.",
)
FIRST_FILM = PreviousTurn(
    "李安的第一部长片是什么？",
    Focus(asked=("李安",), answered=("推手",)),
    "李安的第一部长片是1991年的《推手》（Pushing Hands）。",
)
FILMS = PreviousTurn(
    "李安执导了哪些电影？",
    Focus(asked=("李安",), answered=("饮食男女", "理智与情感", "卧虎藏龙")),
    "李安执导了《饮食男女》《理智与情感》和《卧虎藏龙》。",
)
DUNE = PreviousTurn(
    "《沙丘》是谁执导的？",
    Focus(asked=("沙丘",), answered=("丹尼斯·维伦纽瓦",)),
    "《沙丘》由丹尼斯·维伦纽瓦执导。",
)
CREDITS = PreviousTurn("CS301有几个学分？", Focus(asked=("CS301",)), "CS301为4学分，在秋季学期开课。")
GREETING = PreviousTurn("Hello!", Focus(), "I answer questions from knowledge bases.")

FOLLOW_UPS = [
    ("who directed it?", SCORE, "who directed Inception?"),
    ("Where was he born?", DIRECTOR, "Where was Christopher Nolan born?"),
    ("And Interstellar?", DIRECTOR, "Who directed Interstellar?"),
    ("and the deadline?", GRANT, "What is the deadline of the Haiming Grant?"),
    ("When is the deadline?", GRANT, "When is the deadline of the Haiming Grant?"),
    ("那第二部呢？", FIRST_FILM, "李安的第二部长片是什么？"),
    ("那第二部呢？", FILMS, "介绍一下《理智与情感》。"),
    ("那第二部呢？", DUNE, "《沙丘》第二部是谁执导的？"),
    ("第三部是谁编剧的？", FILMS, "《卧虎藏龙》是谁编剧的？"),
    ("他出生在哪里？", DIRECTOR, "Christopher Nolan出生在哪里？"),
    ("出生在哪里？", FILMS, "李安出生在哪里？"),
    ("这门课由谁主讲？", CREDITS, "CS301由谁主讲？"),
    ("那CS302呢？", CREDITS, "CS302有几个学分？"),
    ("那先修课呢？", CREDITS, "CS301的先修课是什么？"),
    ("再详细一点", CREDITS, "CS301有几个学分？"),
    ("OK, and who composed it?", DIRECTOR, "Who composed Inception?"),
    ("谢谢，那 CS302 呢？", CREDITS, "CS302有几个学分？"),
]


def past(*turns: PreviousTurn) -> Past:
    """A past without older turns; ``turns`` are the newest first."""
    return Past(turns=turns)


def rewritten(message: str, *turns: PreviousTurn) -> str:
    return RuleRewriter().rewrite(message, past(*turns))


@pytest.mark.parametrize(("message", "before", "alone"), FOLLOW_UPS)
def test_what_a_message_leaves_out_is_put_in(message: str, before: PreviousTurn, alone: str) -> None:
    assert rewritten(message, before) == alone


@pytest.mark.parametrize(("message", "before", "alone"), FOLLOW_UPS)
def test_a_rewritten_question_is_not_rewritten_again(message: str, before: PreviousTurn, alone: str) -> None:
    assert rewritten(alone, before) == alone


@pytest.mark.parametrize("message", [message for message, _, _ in FOLLOW_UPS])
def test_with_no_question_before_it_a_message_stays(message: str) -> None:
    assert rewritten(message) == message
    assert rewritten(message, GREETING) == message


@pytest.mark.parametrize("message", [message for message, _, _ in FOLLOW_UPS])
def test_a_follow_up_may_lean_on_the_past(message: str) -> None:
    assert may_lean_on_past(message)


@pytest.mark.parametrize(
    "message",
    [
        "Thank you very much!",
        "你好",
        "",
        "Who directed Parasite?",
        "Which university did Christopher Nolan attend?",
        "《寄生虫》的导演是谁？",
        "蓝海奖学金的申请截止日期是哪一天？",
        "word " * 1_000,
    ],
    ids=lambda message: message[:20],
)
def test_small_talk_and_whole_questions_do_not_lean(message: str) -> None:
    assert not may_lean_on_past(message)


def test_small_talk_between_two_questions_is_passed_over() -> None:
    assert rewritten("and the deadline?", GREETING, GRANT) == "What is the deadline of the Haiming Grant?"


def test_a_name_that_agrees_is_found_several_turns_back() -> None:
    born = PreviousTurn(
        "Where was Christopher Nolan born?",
        Focus(asked=("Christopher Nolan",)),
        "Christopher Nolan was born in London in 1970.",
    )
    assert rewritten("When was it released?", born, born, DIRECTOR) == "When was Inception released?"
    assert rewritten("Who is his wife?", born, born, DIRECTOR) == "Who is Christopher Nolan's wife?"


def test_a_name_that_is_not_in_the_focus_is_told_by_its_writing() -> None:
    camera = PreviousTurn("What is the price of the Falcon X2?", Focus(), "The Falcon X2 costs 499 euros.")
    assert rewritten("And the warranty?", camera) == "What is the warranty of the Falcon X2?"


class Memory:
    """Older turns, and what was asked of them."""

    def __init__(self, *episodes: Episode) -> None:
        self.episodes = episodes
        self.asked: list[str] = []

    def __call__(self, text: str) -> Sequence[Episode]:
        self.asked.append(text)
        return self.episodes


def episode(seq: int, question: str, answer: str, *names: str) -> Episode:
    return Episode("c", seq, question, answer, "2026-03-01T09:00:00Z", names=names)


INCEPTION = episode(2, DIRECTOR.question, DIRECTOR.answer, "Inception", "Christopher Nolan")
TO_LIVE = episode(8, "《活着》的作曲者是谁？", "赵季平为《活着》作曲。", "活着", "赵季平")


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("Who composed the film we talked about at the beginning?", "Who composed Inception?"),
        ("刚才说的那位作曲者毕业于哪所学校？", "赵季平毕业于哪所学校？"),
        ("最开始聊的那部电影是哪年上映的？", "Inception是哪年上映的？"),
    ],
)
def test_what_a_message_recalls_is_found_among_older_turns(message: str, alone: str) -> None:
    memory = Memory(TO_LIVE, INCEPTION)  # the best first, whatever their order in time
    found = RuleRewriter().rewrite(message, Past(turns=(CREDITS, GRANT), recall=memory))
    assert found == alone
    assert memory.asked


def test_a_thing_that_the_window_does_not_have_is_recalled() -> None:
    memory = Memory(INCEPTION)
    assert RuleRewriter().rewrite("Who shot that film?", Past((GRANT,), memory)) == "Who shot Inception?"


def test_older_turns_are_asked_for_once() -> None:
    memory = Memory(INCEPTION)
    message = "Did that director also write the film we talked about at the beginning?"
    found = RuleRewriter().rewrite(message, Past((GRANT,), memory))
    assert found == "Did Christopher Nolan also write Inception?"
    assert len(memory.asked) == 1


def test_older_turns_are_recalled_where_the_window_is_empty() -> None:
    found = RuleRewriter().rewrite("Who shot the film I asked about before?", Past((), Memory(INCEPTION)))
    assert found == "Who shot Inception?"


@pytest.mark.parametrize("message", [message for message, _, _ in FOLLOW_UPS] + ["Who directed Parasite?", "Thanks!"])
def test_nothing_is_recalled_for_what_the_window_answers(message: str) -> None:
    memory = Memory(INCEPTION)
    RuleRewriter().rewrite(message, Past((DIRECTOR, CREDITS, GRANT, FILMS), memory))
    assert not memory.asked


def test_a_message_is_rewritten_in_a_few_milliseconds() -> None:
    window = past(FILMS, GRANT, DIRECTOR, CREDITS, SCORE, FIRST_FILM)
    taken = []
    for message, _, _ in FOLLOW_UPS:
        began = time.perf_counter()
        RuleRewriter().rewrite(message, window)
        taken.append(time.perf_counter() - began)
    assert statistics.median(taken) < 0.01  # some 0.3 ms on a laptop


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["and ", "那", "他", "A ", "《", "it ", "A", " ", "A, ", "《A》", "在", "which ", "the second ", "is it ", "和"],
    ids=ascii,
)
def test_the_longest_texts_are_read_in_reasonable_time(piece: str) -> None:
    text = piece * (32_000 // len(piece))
    turn = PreviousTurn(text, DIRECTOR.focus, text)
    answer = PreviousTurn(DIRECTOR.question, DIRECTOR.focus, text)
    for message in (text, text[:400], "那第二部呢？", "Where was she born there?"):
        assert len(rewritten(message, turn, answer)) <= len(message) + 2_000
        may_lean_on_past(message)
