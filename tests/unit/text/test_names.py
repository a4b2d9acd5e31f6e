"""Names as keys, and the stretches of a text that may be names."""

import pytest

from clew.text.names import MAX_UNITS, candidate_spans, name_key, units


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ludwig Göransson", "ludwig goransson"),
        ("Sense & Sensibility", "sense  sensibility"),
        ("Feyd-Rautha", "feyd rautha"),
        ("克里斯托弗·诺兰", "克里斯托弗诺兰"),
        ("《盗梦空间》", "盗梦空间"),
        ("Ｄｕｎｅ", "dune"),
        ("CS301", "cs301"),
        ("2001：太空漫游", "2001太空漫游"),
    ],
)
def test_one_name_has_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Dune", "Dune Part Two"), ("ab c", "a bc"), ("李安", "安李"), ("CS 301", "CS301"), ("Film 1", "Film 11")],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_what_is_no_name_has_no_key() -> None:
    assert name_key("?! …") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Who directed The Dark Knight (黑暗骑士)?",
        "«½» hour, ﬁlm导ﬁ演, ⑽ Straße ß导",
        "İstanbul 𝄞 𠀀 e\u0301te\u0301 가나",
        "ﬃ" * 50 + "导演",
    ],
)
def test_places_point_into_the_text_itself(text: str) -> None:
    for piece in (*units(text), *candidate_spans(text)):
        assert 0 <= piece.start < piece.end <= len(text)


def test_a_span_is_where_the_name_stands() -> None:
    text = "Who scored ½ of 盗梦空间 and The Dark Knight?"
    spans = {span.key: text[span.start : span.end] for span in candidate_spans(text)}
    assert spans[name_key("盗梦空间")] == "盗梦空间"
    assert spans[name_key("The Dark Knight")] == "The Dark Knight"


def test_the_longest_comes_first_at_each_place() -> None:
    spans = list(candidate_spans("The Dark Knight"))
    first = [span for span in spans if span.start == 0]
    assert [span.end for span in first] == sorted((span.end for span in first), reverse=True)


def test_stop_words_and_single_letters_are_no_names() -> None:
    assert [span.key for span in candidate_spans("who was it a")] == []
    assert [span.key for span in candidate_spans("x")] == []
    assert [span.key for span in candidate_spans("戒")] == []


@pytest.mark.parametrize(
    "text", ["word " * 6_400, "字" * 32_000, "a1" * 16_000], ids=["words", "characters", "one run"]
)
def test_the_longest_message_gives_a_bounded_number_of_spans(text: str) -> None:
    spans = list(candidate_spans(text, limit=4_000))
    assert len(spans) <= 4_000
    assert all(len(span.key.split()) <= MAX_UNITS for span in spans)
