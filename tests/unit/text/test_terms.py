"""The terms of search: the same for both languages, and harmless to a search engine's query language."""

import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.text import terms
from clew.text.terms import content_terms, fold, index_terms, index_text, search_query

LUCENE = ["+must -not", "a AND b OR NOT c", 'field:"phrase"~2^3', "wild* c?rd", "(a [b TO c] {d})", "a/b\\c && d || !e"]


def test_english_words_of_one_stem_are_one_term() -> None:
    assert content_terms("Directed") == content_terms("directing") == content_terms("directs")
    assert content_terms("director") != content_terms("direction")


def test_stop_words_stay_in_the_index_and_leave_the_question() -> None:
    assert index_terms("The Who") == ["the", "who"]
    assert content_terms("Who is it that wrote this?") == ["wrote"]


def test_chinese_becomes_bigrams() -> None:
    assert index_terms("盗梦空间") == ["盗梦", "梦空", "空间"]
    assert index_terms("戒") == ["戒"]


def test_function_words_leave_a_chinese_question() -> None:
    terms = content_terms("请问盗梦空间的导演是谁？")
    assert {"盗梦", "空间", "导演"} <= set(terms)
    assert not {"请问", "是谁", "的导", "演是"} & set(terms)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Göransson", "Goransson"),
        ("ＡＢＣ１２３", "abc123"),
        ("Straße", "STRASSE"),
        ("Jóhann", "JOHANN"),
        ("ﬁlm", "film"),
    ],
)
def test_spellings_that_differ_in_form_alone_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_question_finds_what_was_indexed() -> None:
    indexed = set(index_text("李安执导了《卧虎藏龙》，Tan Dun composed its score.").split())
    for question in ("《卧虎藏龙》是谁执导的？", "Who composed the score?", "谁是Tan Dun？"):
        assert indexed & set(search_query(content_terms(question)).split()), question


@pytest.mark.parametrize("text", ["李安执导", "Ang Lee", "かな", "한국", "𠀀x", *LUCENE])
def test_the_index_is_given_words_of_ascii_letters_and_digits_alone(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9]*( [a-z0-9]+)*", index_text(text))


def test_two_chinese_words_never_become_one_word_of_the_index() -> None:
    words = ["导演", "演导", "空间", "间空", "一丁", "丁一"]
    assert len({index_text(word) for word in words}) == len(words)


@pytest.mark.parametrize("text", [*LUCENE, "盗梦* 空间~ AND (导演:李安)", "\x00\n\t`'\";--"])
def test_no_operator_gets_into_a_query(text: str) -> None:
    for query in (search_query(index_terms(text)), search_query(content_terms(text))):
        assert re.fullmatch(r"[a-z0-9]*( [a-z0-9]+)*", query)
        assert not {"AND", "OR", "NOT", "TO"} & set(query.split())  # operators are upper case alone


@pytest.mark.parametrize("terms", [["a b"], ["title:x"], ["x*"], ["AND"], ["导演", "x y"]])
def test_terms_are_made_by_this_package_and_repeated_ones_are_asked_once(terms: list[str]) -> None:
    made = [term for text in terms for term in index_terms(text)]
    query = search_query([*made, *made])
    assert len(query.split()) == len(set(made))


def test_nothing_to_ask_is_an_empty_query() -> None:
    assert search_query(content_terms("？！ ...")) == ""
    assert search_query(content_terms("Who is it?")) == ""


def test_threads_that_stem_at_once_get_their_own_stems(monkeypatch: pytest.MonkeyPatch) -> None:
    stems, ends = ("direct", "relat", "nation", "organis"), ("ation", "iness", "fully", "ed")
    words = [stem + end for stem in stems for end in ends]
    alone = {word: content_terms(word) for word in words}
    barrier, interval = threading.Barrier(4), sys.getswitchinterval()
    monkeypatch.setattr(terms, "_stem", terms._stem.__wrapped__)  # nothing is remembered

    def stemmed(_: int) -> bool:
        barrier.wait(20)
        return all(content_terms(word) == alone[word] for _ in range(50) for word in words)

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(stemmed, range(4)))
    finally:
        sys.setswitchinterval(interval)
