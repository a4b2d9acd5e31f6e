"""Making a message stand alone, in both languages."""

from dataclasses import dataclass

import pytest

from clew.answering.focus import Focus
from clew.answering.rewrite import PreviousTurn, standalone


@dataclass(frozen=True)
class Case:
    id: str
    before: str
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    message: str
    alone: str


DIRECTOR = ("Who directed Inception?", ("Inception",), ("Christopher Nolan",))
DIRECTOR_ZH = ("谁执导了《盗梦空间》？", ("盗梦空间",), ("克里斯托弗·诺兰",))
COURSE = ("How many credits is CS301 worth?", ("CS301",), ())
COURSE_ZH = ("CS301有几个学分？", ("CS301",), ())
BORN = ("Where was Hans Zimmer born?", ("Hans Zimmer",), ())
NOTHING = ("What is the deadline?", (), ())

CASES = [
    Case("he", *DIRECTOR, "Where was he born?", "Where was Christopher Nolan born?"),
    Case("his", *DIRECTOR, "What was his first film?", "What was Christopher Nolan's first film?"),
    Case("him", *DIRECTOR, "Who taught him?", "Who taught Christopher Nolan?"),
    Case("her before a noun", *DIRECTOR, "What is her first film?", "What is Christopher Nolan's first film?"),
    Case("her alone", *DIRECTOR, "Who taught her?", "Who taught Christopher Nolan?"),
    Case("it", *DIRECTOR, "When was it released?", "When was Inception released?"),
    Case("its", *DIRECTOR, "Who composed its score?", "Who composed Inception's score?"),
    Case("this film", *DIRECTOR, "Who shot this film?", "Who shot Inception?"),
    Case("person and thing", *DIRECTOR, "Did he also write it?", "Did Christopher Nolan also write Inception?"),
    Case("person without an answer", *BORN, "Did he win a prize?", "Did Hans Zimmer win a prize?"),
    Case("this course", *COURSE, "Who teaches this course?", "Who teaches CS301?"),
    Case("他", *DIRECTOR_ZH, "他出生在哪里？", "克里斯托弗·诺兰出生在哪里？"),
    Case("他的", *DIRECTOR_ZH, "他的第一部电影是什么？", "克里斯托弗·诺兰的第一部电影是什么？"),
    Case("它", *DIRECTOR_ZH, "它是哪年上映的？", "盗梦空间是哪年上映的？"),
    Case("这部电影", *DIRECTOR_ZH, "这部电影的作曲是谁？", "盗梦空间的作曲是谁？"),
    Case("这门课", *COURSE_ZH, "这门课由谁主讲？", "CS301由谁主讲？"),
    Case("another language", *DIRECTOR, "他出生在哪里？", "Christopher Nolan出生在哪里？"),
    Case("and a new name", *DIRECTOR, "And Interstellar?", "Who directed Interstellar?"),
    Case("what about a new name", *DIRECTOR, "What about The Dark Knight?", "Who directed The Dark Knight?"),
    Case("and of a new name", *DIRECTOR, "And of Oppenheimer?", "Who directed Oppenheimer?"),
    Case("和新名字", *DIRECTOR_ZH, "那《星际穿越》呢？", "谁执导了《星际穿越》？"),
    Case("and a new thing asked", *COURSE, "And the teacher?", "The teacher of CS301?"),
    Case("那新问题", *COURSE_ZH, "那先修课呢？", "CS301的先修课？"),
    Case("stands alone", *DIRECTOR, "Who directed Parasite?", "Who directed Parasite?"),
    Case("stands alone zh", *DIRECTOR_ZH, "《寄生虫》的导演是谁？", "《寄生虫》的导演是谁？"),
    Case("nothing to lean on", *NOTHING, "Where was he born?", "Where was he born?"),
    Case("no word within a word", *DIRECTOR, "Which theatre showed items?", "Which theatre showed items?"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_a_message_leaves_out_is_put_in(case: Case) -> None:
    previous = PreviousTurn(case.before, Focus(asked=case.asked, answered=case.answered))
    assert standalone(case.message, previous) == case.alone


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_first_message_is_left_as_it_is(case: Case) -> None:
    assert standalone(case.message, None) == case.message


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_stands_alone_is_not_changed_again(case: Case) -> None:
    if case.asked:
        previous = PreviousTurn(case.before, Focus(asked=case.asked, answered=case.answered))
        alone = standalone(case.alone, previous)
        assert alone == case.alone


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "message",
    [
        "and " * 8_000,
        "那" * 32_000,
        "他" * 32_000,
        "A " * 16_000,
        "《" * 32_000,
        "it " * 10_000,
        "A" * 32_000,
        " " * 32_000,
    ],
    ids=lambda message: ascii(message[:4]),
)
def test_the_longest_message_is_read_in_reasonable_time(message: str) -> None:
    previous = PreviousTurn(DIRECTOR[0], Focus(asked=DIRECTOR[1], answered=DIRECTOR[2]))
    assert len(standalone(message, previous)) <= len(message) + 100
