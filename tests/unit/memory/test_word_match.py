"""Word scores over the texts of one conversation."""

from clew.memory.word_match import word_scores

TEXTS = [["dog", "park"], ["dog", "vet"], ["dog", "rain", "rain"], ["dog", "rain"], []]


def test_a_rare_word_counts_more_than_one_that_all_say() -> None:
    scores = word_scores({"dog", "vet"}, TEXTS)
    assert scores[1] > scores[0] > 0
    assert scores[4] == 0


def test_a_word_said_twice_counts_more_but_not_twice_as_much() -> None:
    scores = word_scores({"rain"}, TEXTS)
    assert scores[3] < scores[2] < 2 * scores[3]


def test_the_longer_of_two_texts_has_its_words_count_a_little_less() -> None:
    short, long = word_scores({"dog"}, [["dog"], ["dog", "ran", "and", "barked", "all", "day"]])
    assert long < short < 2 * long


def test_a_chinese_word_that_makes_two_bigrams_counts_like_one_english_word() -> None:
    english, _ = word_scores({"library"}, [["library"], ["x"]])
    chinese, _ = word_scores({"图书", "书馆"}, [["图书", "书馆"], ["x"]])
    assert 0.9 < chinese / english <= 1


def test_no_word_no_text_and_empty_texts_score_nothing() -> None:
    assert word_scores(set(), TEXTS) == [0] * 5
    assert word_scores({"dog"}, []) == []
    assert word_scores({"dog"}, [[], []]) == [0, 0]
    assert word_scores({"cat"}, TEXTS) == [0] * 5
