"""``clew kb`` over HTTP."""

import pytest

from tests.integration.cli.conftest import Command, Stage

MOVIE = {
    "prefix": "movie",
    "title": "Films [all]",
    "title_zh": "电影",
    "description": "Who directed what.",
    "description_zh": "",
    "examples": ["Who directed Inception?", "谁是导演？"],
    "documents": 62,
    "chunks": 64,
    "entities": 438,
    "relations": 813,
    "index_state": "ready",
    "loaded_at": "2026-03-01T12:00:00+00:00",
    "embedder": "e5",
    "extraction": "rule-6",
}
LEVEL = {"name": "level", "question": "Which?", "values": ["bachelor | 本科", "master | 硕士"], "pattern": ""}
TOPIC = {"name": "topic", "question": "Which?", "values": [], "pattern": ""}
INTENTS = [
    {"name": "thesis", "words": ["thesis | 论文"], "slots": [LEVEL, TOPIC]},
    {"name": "fees", "words": ["fee"], "slots": []},
]
EDU = MOVIE | {"prefix": "edu", "title": "Student guide", "index_state": "loading", "intents": INTENTS}


@pytest.fixture(autouse=True)
def two(stage: Stage) -> None:
    stage.says({"knowledge_bases": [MOVIE, EDU]})


def test_they_are_listed_by_prefix_with_their_counts(clew: Command, stage: Stage) -> None:
    result = clew("kb", "list", "--user", "ann")
    assert result.exit_code == 0
    _, edu, movie = result.stdout.strip().splitlines()
    assert edu.split()[0] == "edu"
    assert edu.split()[-1] == "loading"
    assert [*movie.split()[-5:]] == ["62", "64", "438", "813", "ready"]
    assert "Films [all]" in movie
    assert (stage.asked[0].method, stage.asked[0].path) == ("GET", "/api/v1/knowledge-bases")


def test_with_none_it_says_how_to_load_one(clew: Command, stage: Stage) -> None:
    stage.says({"knowledge_bases": []})
    result = clew("kb", "list")
    assert result.exit_code == 0
    assert "clew ingest" in result.stdout


def test_one_is_shown_with_all_that_is_known_of_it(clew: Command) -> None:
    result = clew("kb", "show", "movie")
    assert result.exit_code == 0
    for text in (
        "Films [all]",
        "电影",
        "Who directed what.",
        "谁是导演？",
        "438",
        "ready",
        "2026-03-01",
        "e5",
        "rule-6",
    ):
        assert text in result.stdout
    assert "repeat it" not in result.stdout
    assert "description_zh" not in result.stdout  # empty


def test_intents_are_shown_with_what_is_asked_for(clew: Command) -> None:
    lines = [line.split(maxsplit=1) for line in clew("kb", "show", "edu").stdout.splitlines()]
    assert ["intents", "thesis: level (bachelor, master), topic"] in lines
    assert ["fees"] in lines


def test_one_whose_load_broke_off_is_shown_with_what_to_do(clew: Command) -> None:
    result = clew("kb", "show", "edu")
    assert result.exit_code == 0
    assert "loading" in result.stdout
    assert "broke off; if none is running, repeat it" in result.stdout


def test_an_unknown_one_fails_with_those_that_exist(clew: Command) -> None:
    line = clew.fails("kb", "show", "nothing")
    assert "'nothing'" in line
    assert "edu, movie" in line


@pytest.mark.parametrize("words", [("kb", "list"), ("kb", "show", "movie")], ids=" ".join)
def test_a_refusal_is_told_in_one_line(clew: Command, stage: Stage, words: tuple[str, ...]) -> None:
    stage.says({"detail": "The table does not answer."}, 503, "application/problem+json")
    assert clew.fails(*words) == "clew: The table does not answer."
