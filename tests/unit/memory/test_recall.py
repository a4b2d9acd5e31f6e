"""Ranking the turns of a conversation: what each of words, meaning, neighbours, speaker, time and length does."""

import time
from collections.abc import Sequence

import pytest

from clew.memory.recall import Candidate, match_words, rank
from clew.text.terms import content_terms


def said(*texts: str, cosines: Sequence[float] = (), speakers: str = "", times: Sequence[str] = ()) -> list[Candidate]:
    """Turns numbered from 1; ``speakers`` is a letter for each, A for Anna and B for Boris."""
    names = {"A": "Anna", "B": "Boris", "": ""}
    return [
        Candidate(
            place + 1,
            cosines[place] if cosines else 0.8,
            content_terms(text),
            names[speakers[place : place + 1]],
            times[place] if times else "",
        )
        for place, text in enumerate(texts)
    ]


def order(question: str, turns: Sequence[Candidate], asked_at: str = "") -> list[int]:
    return [each.seq for each in rank(question, turns, asked_at)]


BEAGLE = ("We brought a beagle home.", "It rained the whole week.", "My boss went to Rome.", "Dinner was burnt again.")


def test_the_turn_with_the_questions_words_comes_first() -> None:
    assert order("Where did the boss go?", said(*BEAGLE))[0] == 3


def test_the_turn_that_means_the_same_comes_first_where_no_word_is_shared() -> None:
    assert order("Who adopted a pet?", said(*BEAGLE, cosines=(0.84, 0.8, 0.79, 0.8)))[0] == 1


def test_meaning_and_words_together_beat_either_alone() -> None:
    turns = said("The beagle ate it.", "A beagle came home.", "A puppy moved in.", cosines=(0.78, 0.83, 0.84))
    assert order("When did the beagle move in?", turns)[0] == 2


def test_turns_beside_a_turn_that_matches_gain_from_it_and_more_the_nearer_they_are() -> None:
    plain = "Rain and wind today"
    scores = dict(rank("beagle", said(plain, plain, plain, "A beagle barked", plain, plain, plain)))
    assert scores[3] == pytest.approx(scores[5])
    assert scores[3] > scores[2] > scores[1]
    assert scores[6] > scores[7]
    assert scores[1] == pytest.approx(scores[7])


def test_what_was_said_in_another_sitting_is_no_neighbour() -> None:
    times = ["2024-05-01T10:00"] * 2 + ["2024-05-09T10:00"] * 2
    scores = dict(rank("beagle", said("Rain today", "A beagle barked", "Rain today", "Rain today", times=times)))
    assert scores[1] > scores[3]
    assert scores[3] == pytest.approx(scores[4])


def test_a_turn_of_whom_the_question_names_is_preferred() -> None:
    turns = said("I got a dog.", "I got a dog.", "Nice.", "Nice.", speakers="ABAB")
    assert order("What did Boris get?", turns)[0] == 2
    assert order("What did Anna get?", turns)[0] == 1


def test_no_speaker_is_preferred_where_the_question_names_both_or_none() -> None:
    turns = said("I got a dog.", "I got a dog.", speakers="AB")
    for question in ("What did Anna give Boris?", "Who got a dog?"):
        first, second = rank(question, turns)
        assert (first.seq, second.seq) == (1, 2)
        assert first.score == pytest.approx(second.score)


def test_the_whole_name_decides_between_speakers_who_share_a_part_of_it() -> None:
    turns = [Candidate(1, 0.8, ["dog"], "Anna Lind"), Candidate(2, 0.8, ["dog"], "Anna Berg")]
    assert order("What did Anna Berg get?", turns) == [2, 1]


def test_a_question_that_names_the_wrong_speaker_still_finds_what_has_all_its_words() -> None:
    turns = said(
        "I bought the blue canoe in Oslo.",
        "How lovely!",
        "We had soup.",
        "I was tired.",
        "Good night.",
        speakers="ABABA",
    )
    assert order("Where did Boris buy the blue canoe?", turns)[0] == 1


def test_names_of_speakers_are_no_words_to_find() -> None:
    turns = said("Thanks, Anna!", "I sold the canoe.", speakers="BA")
    thanks, canoe = match_words("What became of Anna's canoe?", turns)
    assert thanks == 0 < canoe


def test_chinese_words_and_speakers_are_found() -> None:
    turns = [
        Candidate(1, 0.8, content_terms("我把钢琴卖给了邻居。"), "林小满"),
        Candidate(2, 0.8, content_terms("今天下雨了。"), "许博文"),
        Candidate(3, 0.8, content_terms("我养了一条狗。"), "林小满"),
        Candidate(4, 0.8, content_terms("我养了一条狗。"), "许博文"),
    ]
    assert order("谁把钢琴卖了？", turns)[0] == 1
    assert order("许博文养了什么？", turns)[0] == 4
    by_given_name = order("小满养了什么？", turns)
    assert by_given_name.index(3) < by_given_name.index(4)


@pytest.mark.parametrize(
    ("question", "asked_at"),
    [
        ("What was new in May 2023?", ""),
        ("What was new on 9 May?", ""),
        ("2023年5月有什么事？", ""),
        ("What did I say yesterday?", "2023-05-10T12:00:00+00:00"),
        ("上个月我说了什么？", "2023-06-20T12:00:00+00:00"),
    ],
)
def test_turns_of_the_time_that_the_question_names_are_preferred(question: str, asked_at: str) -> None:
    times = ("2023-04-08T09:00:00+00:00", "2023-05-09T09:00:00+00:00", "2023-06-08T09:00:00+00:00")
    assert order(question, said("All quiet", "All quiet", "All quiet", times=times), asked_at)[0] == 2


def test_a_longer_turn_comes_before_one_that_says_little() -> None:
    turns = said("Great!", "Great, the painters finished the kitchen and the hall on Friday.", "Great!")
    assert order("What is new?", turns)[0] == 2


def test_equal_turns_keep_their_order() -> None:
    turns = [Candidate(seq, 0.8, ["same"]) for seq in (4, 9, 11, 30)]
    # Those in the middle have more neighbours, and yet nothing to gain from them.
    assert order("Something else?", turns) == [4, 9, 11, 30]


def test_nothing_to_rank_is_nothing_found() -> None:
    assert rank("Where?", []) == []


@pytest.mark.parametrize("question", ["", "   ", "?", "the of and"])
def test_a_question_without_words_goes_by_meaning(question: str) -> None:
    assert order(question, said(*BEAGLE, cosines=(0.7, 0.7, 0.7, 0.9)))[0] == 4


def test_one_turn_alone_is_found() -> None:
    assert order("Beagle?", said("We brought a beagle home.")) == [1]


def test_turns_without_words_are_ranked_too() -> None:
    assert sorted(order("Beagle?", said("", "", "A beagle"))) == [1, 2, 3]


def test_the_scale_of_similarities_does_not_matter() -> None:
    near = said(*BEAGLE, cosines=(0.84, 0.80, 0.79, 0.81))
    far = said(*BEAGLE, cosines=(0.4, 0.0, -0.1, 0.1))
    assert order("Who came to live there?", near) == order("Who came to live there?", far)


def test_three_thousand_turns_are_ranked_in_a_tenth_of_a_second() -> None:
    words = [f"word{number}" for number in range(400)]
    turns = [
        Candidate(
            place,
            0.7 + place % 97 / 1000,
            [words[(place * 7 + offset * 13) % 400] for offset in range(30)],
            ("Anna", "Boris")[place % 2],
            f"2024-{1 + place // 300:02}-{1 + place % 300 // 11:02}T10:{place % 11:02}:00+00:00",
        )
        for place in range(3_000)
    ]
    question = "What did Anna say of word7 and word13 in May 2024?"
    took = []
    for _ in range(5):
        began = time.process_time()
        rank(question, turns)
        took.append(time.process_time() - began)
    assert min(took) < 0.1
