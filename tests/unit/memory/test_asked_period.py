"""The times that a question names."""

from datetime import date

import pytest

from clew.memory.asked_period import asked_periods

ASKED_AT = "2024-03-20T08:30:00+00:00"  # a Wednesday


def covered(question: str, *days: str, asked_at: str = "") -> list[bool]:
    periods = asked_periods(question, asked_at)
    return [any(period.covers(date.fromisoformat(day)) for period in periods) for day in days]


@pytest.mark.parametrize(
    "question",
    [
        "What happened in May 2023?",
        "What was that in may 2023?",
        "And in 2023-05?",
        "2023年5月怎么了？",
        "2023年五月份怎么了？",
        "Early May, 2023: what was it?",
    ],
)
def test_a_month_of_a_year_is_that_month(question: str) -> None:
    assert covered(question, "2023-04-30", "2023-05-01", "2023-05-31", "2023-06-01", "2022-05-10") == [
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("question", ["What did she buy in December?", "十二月她买了什么？", "12月她买了什么？"])
def test_a_month_without_a_year_is_that_of_every_year(question: str) -> None:
    assert covered(question, "2021-12-31", "2023-12-01", "2023-11-30") == [True, True, False]


@pytest.mark.parametrize(
    "question",
    [
        "What did they do on 8 May 2023?",
        "What did they do on May 8th, 2023?",
        "What did they do on the 8th of May, 2023?",
        "2023-05-08?",
        "2023年5月8日他们做了什么？",
        "二〇二三年的事不算，2023年五月八号呢？",
    ],
)
def test_what_happened_on_a_day_may_be_told_within_a_week(question: str) -> None:
    assert covered(question, "2023-05-07", "2023-05-08", "2023-05-15", "2023-05-16", "2022-05-08") == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_day_without_a_year_is_that_of_every_year_and_stops_with_it() -> None:
    assert covered("on 30 December", "2020-12-30", "2022-12-31", "2023-01-02") == [True, True, False]
    assert covered("on 29 February", "2024-02-29", "2023-03-01", "2023-02-28") == [True, True, False]


@pytest.mark.parametrize("question", ["What was new in 2023?", "2023年有什么事？"])
def test_a_year_is_all_of_it(question: str) -> None:
    assert covered(question, "2022-12-31", "2023-01-01", "2023-12-31", "2024-01-01") == [False, True, True, False]


@pytest.mark.parametrize(
    "question",
    [
        "What did April say to June?",
        "May I ask what you march for?",
        "Why did it cost 2023.50?",
        "他三个月前说了什么？",
        "31 April?",
        "13月?",
        "What happened yesterday?",
        "",
    ],
)
def test_what_is_no_date_is_none(question: str) -> None:
    assert asked_periods(question) == []


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("What did I ask today?", "2024-03-20", "2024-03-19"),
        ("我昨天问了什么？", "2024-03-19", "2024-03-20"),
        ("What did I ask the day before yesterday?", "2024-03-18", "2024-03-19"),
        ("What was it last week?", "2024-03-11", "2024-03-18"),
        ("上个星期说的是什么？", "2024-03-17", "2024-03-10"),
        ("What was it last month?", "2024-02-29", "2024-03-01"),
        ("上个月说的是什么？", "2024-02-01", "2024-01-31"),
        ("What did we plan last year?", "2023-12-31", "2024-01-01"),
        ("去年的计划呢？", "2023-01-01", "2022-12-31"),
    ],
)
def test_yesterday_and_its_like_count_from_when_it_was_asked(question: str, inside: str, outside: str) -> None:
    assert covered(question, inside, outside, asked_at=ASKED_AT) == [True, False]


def test_the_month_before_january_is_in_the_year_before() -> None:
    assert covered("last month", "2023-12-15", "2024-12-15", asked_at="2024-01-05T10:00:00Z") == [True, False]
