"""The glossary: what a word of a question may be called in the other language."""

import pytest

from clew.text.glossary import synonyms, translated_groups
from clew.text.terms import content_terms


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Who directed it?", "导演"),
        ("Who composed the music?", "作曲"),
        ("Where was she born?", "出生"),
        ("What is the deadline?", "截止"),
        ("Who teaches the course?", "主讲"),
        ("Which prize did it win?", "获奖"),
    ],
)
def test_english_and_chinese_words_of_questions_stand_for_each_other(english: str, chinese: str) -> None:
    to_chinese = set().union(*translated_groups(english, "en"))
    assert set(content_terms(chinese)) & to_chinese
    to_english = set().union(*translated_groups(chinese, "zh"))
    assert set(content_terms(english)) & to_english


def test_words_that_say_nothing_have_no_translation() -> None:
    assert translated_groups("Xyzzy plugh", "en") == ()
    assert translated_groups("囧囧", "zh") == ()


def test_a_term_is_its_own_synonym_and_synonyms_keep_the_language() -> None:
    assert synonyms("xyzzy") == {"xyzzy"}
    (term,) = content_terms("composer")
    assert term in synonyms(term)
    assert all(word.isascii() for word in synonyms(term))
    assert not any(word.isascii() for word in synonyms("作曲"))
