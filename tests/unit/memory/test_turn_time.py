"""When turns were said, and where sittings begin."""

from datetime import datetime

import pytest

from clew.memory.turn_time import moment, sittings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-08T13:56:00", datetime(2023, 5, 8, 13, 56)),
        ("2023-05-08T13:56:00Z", datetime(2023, 5, 8, 13, 56)),
        ("2023-05-09T01:56:00+12:00", datetime(2023, 5, 8, 13, 56)),
        ("2023-05-08", datetime(2023, 5, 8)),
        ("Monday, 8 May, 2023", datetime(2023, 5, 8)),
        ("at 14:05 on the 8th of May 2023", datetime(2023, 5, 8)),
        ("May 8th, 2023, in the evening", datetime(2023, 5, 8)),
        ("Sept. 3, 2023", datetime(2023, 9, 3)),
        ("2023年5月8日 星期一", datetime(2023, 5, 8)),
        ("2023/5/8 14:05", datetime(2023, 5, 8)),
        ("session 3", None),
        ("31 June 2023", None),
        ("8 Mayor 2023", None),
        ("", None),
    ],
)
def test_moments_are_read_from_the_forms_that_people_write(text: str, expected: datetime | None) -> None:
    assert moment(text) == expected


def test_a_long_silence_begins_another_sitting() -> None:
    times = ["2023-05-08T22:00", "2023-05-09T00:30", "2023-05-09T06:29", "2023-05-09T12:29", "2023-05-09T12:30"]
    assert sittings(times) == [0, 0, 0, 1, 1]


def test_turns_on_one_day_are_one_sitting_where_only_the_day_can_be_read() -> None:
    assert sittings(["8 May 2023", "8 May 2023", "9 May 2023"]) == [0, 0, 1]


def test_without_times_that_can_be_read_all_is_one_sitting() -> None:
    assert sittings(["", "", ""]) == [0, 0, 0]
    assert sittings(["10:05 am", "10:06 am", "session 2"]) == [0, 0, 0]
    assert sittings(["2023-05-08", "", "2023-05-08"]) == [0, 0, 0]
    assert sittings([]) == []
