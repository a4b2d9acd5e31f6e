"""What a community is called and what is said of it, in English and in Chinese."""

import pytest

from clew.knowledge.community_summary import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    Statement,
    by_centrality,
    main_language,
    make_summary,
    make_title,
    standing_alone,
    telling_sentences,
)

NOLAN = ("Christopher Nolan", "克里斯托弗·诺兰", "Nolan")
INCEPTION = ("Inception", "盗梦空间")
ZIMMER = ("Hans Zimmer", "汉斯·季默")

DIRECTED = Statement("Inception was directed by Christopher Nolan.", INCEPTION, NOLAN)
SCORED = Statement("Hans Zimmer composed the score of Inception.", ZIMMER, INCEPTION)
CHINESE = Statement("《盗梦空间》由克里斯托弗·诺兰（Christopher Nolan）编剧并执导。", INCEPTION, NOLAN)


def test_the_most_central_entity_has_the_heaviest_relations() -> None:
    central = by_centrality([(1, 2, 1.0, 0), (1, 3, 1.0, 0), (4, 3, 5.0, 0)])
    assert list(central.items()) == [(3, 6.0), (4, 5.0), (1, 2.0), (2, 1.0)]


def test_sentences_are_told_that_together_name_the_most() -> None:
    """After the sentence on 1, 2 and 3 comes the one that has something new, not another on 1 and 2."""
    relations = [
        (1, 2, 3.0, 100),
        (1, 3, 3.0, 100),
        (1, 2, 2.0, 101),
        (1, 4, 1.0, 102),
    ]
    assert [sentence for _, _, _, sentence in telling_sentences(relations, 3)] == [100, 102, 101]
    assert telling_sentences(relations, 1) == [(1, 2, 3.0, 100)]


def test_telling_from_nothing_is_nothing() -> None:
    assert telling_sentences([], 5) == []


@pytest.mark.parametrize(
    ("names", "language", "title"),
    [
        (
            ["Christopher Nolan", "Inception", "Hans Zimmer", "Dunkirk"],
            "en",
            "Christopher Nolan, Inception, Hans Zimmer",
        ),
        (["张艺谋", "英雄", "章子怡"], "zh", "张艺谋、英雄、章子怡"),
        (["Haiming Grant", "The Haiming Grant", "Bai Lu"], "en", "Haiming Grant, Bai Lu"),
        (["The School of Economics", "School of Economics", "BA"], "en", "The School of Economics, BA"),
        (["Ann", "Annie Hall"], "en", "Ann, Annie Hall"),
        ([], "en", ""),
    ],
)
def test_a_title_is_the_first_names_without_their_variants(names: list[str], language: str, title: str) -> None:
    assert make_title(names, "zh" if language == "zh" else "en") == title


def test_the_language_is_that_of_most_sentences_whatever_names_they_hold() -> None:
    foreign = Statement(
        "莫言有《丰乳肥臀》（Big Breasts and Wide Hips）和《生死疲劳》（Life and Death Are Wearing Me Out）。",
        ("莫言",),
        ("生死疲劳",),
    )
    assert main_language([foreign]) == "zh"
    assert main_language([foreign, CHINESE, DIRECTED]) == "zh"
    assert main_language([CHINESE, DIRECTED, SCORED]) == "en"
    assert main_language([]) == "en"


def test_a_summary_keeps_both_languages_the_main_one_first() -> None:
    in_english = make_summary([CHINESE, DIRECTED, SCORED], "en")
    assert in_english == f"{DIRECTED.text} {SCORED.text}\n{CHINESE.text}"
    assert make_summary([DIRECTED, CHINESE], "zh") == f"{CHINESE.text}\n{DIRECTED.text}"


def test_sentences_on_the_same_entities_that_say_something_else_stay() -> None:
    dunkirk = Statement("Dunkirk was directed by Christopher Nolan.", ("Dunkirk",), NOLAN)
    scored = Statement("汉斯·季默为《盗梦空间》作曲。", ZIMMER, INCEPTION)
    directed = Statement("《盗梦空间》由诺兰执导。", INCEPTION, ("诺兰",))
    assert make_summary([DIRECTED, dunkirk], "en") == f"{DIRECTED.text} {dunkirk.text}"
    assert make_summary([scored, directed], "zh") == scored.text + directed.text


def test_chinese_sentences_are_joined_without_a_space() -> None:
    other = Statement("汉斯·季默为《盗梦空间》作曲。", ZIMMER, INCEPTION)
    assert make_summary([CHINESE, other], "zh") == CHINESE.text + other.text


def test_a_sentence_that_says_the_same_is_left_out() -> None:
    again = Statement("The film Inception was directed by the British Christopher Nolan.", INCEPTION, NOLAN)
    assert make_summary([DIRECTED, again, SCORED], "en") == f"{DIRECTED.text} {SCORED.text}"


def test_a_summary_is_short() -> None:
    verbs = ("wrote", "produced", "praised", "edited", "financed", "watched", "remembered", "defended")
    statements = [Statement(f"Nolan {verb} {verb[::-1] * 3}.", NOLAN, INCEPTION) for verb in verbs]
    assert make_summary(statements, "en").count("Nolan") == MAX_SENTENCES
    long = [Statement(f"Nolan {verb} {' '.join(f'{verb}{n}' for n in range(25))}.", NOLAN, NOLAN) for verb in verbs]
    assert 0 < len(make_summary(long, "en")) <= MAX_CHARACTERS


def test_the_first_sentence_stays_however_long_it_is() -> None:
    endless = Statement("Nolan " + "talked and " * 100 + "left.", NOLAN, NOLAN)
    assert make_summary([endless, DIRECTED], "en") == endless.text


def test_a_sentence_without_its_subject_is_given_it() -> None:
    assert standing_alone(Statement("He also wrote Inception.", NOLAN, INCEPTION)) == (
        "Christopher Nolan: He also wrote Inception."
    )
    assert standing_alone(Statement("他还编写了《盗梦空间》。", NOLAN, INCEPTION)) == (
        "克里斯托弗·诺兰：他还编写了《盗梦空间》。"
    )


def test_a_sentence_that_names_neither_is_given_both() -> None:
    assert standing_alone(Statement("He directed it.", NOLAN, INCEPTION)) == (
        "Christopher Nolan – Inception: He directed it."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Nolan directed Inception.",
        "诺兰（Christopher Nolan）和他人执导了影片。",  # no space between the name and the Chinese around it
        "CHRISTOPHER  NOLAN'S film is Inception.",
        "The film was Christopher Nolan's.",
    ],
)
def test_a_subject_named_in_any_spelling_is_not_named_again(text: str) -> None:
    assert standing_alone(Statement(text, NOLAN, INCEPTION)) == text


def test_part_of_a_longer_word_is_no_name() -> None:
    statement = Statement("Annabel wrote Inception.", ("Anna",), INCEPTION)
    assert standing_alone(statement) == "Anna: Annabel wrote Inception."


def test_sentences_on_one_subject_stand_together_and_name_it_once() -> None:
    born = Statement("He was born in London.", NOLAN, ("London",))
    first = Statement("He studied English literature.", NOLAN, ("English",))
    assert make_summary([born, SCORED, first], "en") == (
        "Christopher Nolan: He was born in London. He studied English literature. "
        "Hans Zimmer composed the score of Inception."
    )


def test_a_whole_sentence_is_preferred_to_one_that_was_cut_off() -> None:
    cut = Statement("Inception, which Christopher Nolan wrote and directed and for which he won", INCEPTION, NOLAN)
    assert make_summary([cut, SCORED], "en").startswith(SCORED.text)
    assert make_summary([cut], "en") == f"{cut.text}…"


def test_a_closing_quotation_mark_ends_no_sentence_by_itself() -> None:
    quoted = Statement('Nolan said: "Inception is a dream."', NOLAN, INCEPTION)
    assert standing_alone(quoted) == quoted.text
    cut = Statement('Nolan directed "Inception"', NOLAN, INCEPTION)
    assert standing_alone(cut) == f"{cut.text}…"


def test_a_summary_of_nothing_is_empty() -> None:
    assert make_summary([], "en") == ""
