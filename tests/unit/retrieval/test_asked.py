"""What a question asks of the things it names: words, synonyms and translations, in either language."""

import pytest

from clew.retrieval.asked import asked_of, share_said, share_said_of
from tests.unit.retrieval.small_reader import INCEPTION, TIGER


def words(query: str) -> list[str]:
    return [need.word for need in asked_of(query, [INCEPTION, TIGER])]


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("Who composed the music of Inception?", ["composed", "music"]),
        ("In which cities were scenes of 盗梦空间 shot?", ["cities", "scenes", "shot"]),
        ("《卧虎藏龙》是谁导演的？", ["导演"]),
        ("Crouching Tiger, Hidden Dragon 的作曲者是谁？", ["作曲者"]),
        ("《盗梦空间》的 composer 是谁？", ["composer"]),
        ("Inception", []),
        ("盗梦空间", []),
        ("", []),
    ],
)
def test_it_is_what_the_question_says_besides_names_as_it_is_written(query: str, asked: list[str]) -> None:
    assert words(query) == asked


@pytest.mark.parametrize(
    ("query", "forms"),
    [
        ("Who composed Inception?", {"compos", "music", "score", "作曲", "配乐"}),
        ("《卧虎藏龙》是谁作曲的？", {"作曲", "配乐", "compos", "music"}),
        ("《卧虎藏龙》的作曲者是谁？", {"作曲", "配乐", "compos", "music"}),
        ("《卧虎藏龙》得过奥斯卡吗？", {"奥斯", "斯卡", "获奖", "oscar", "award"}),
        ("《盗梦空间》的 composer 是谁？", {"compos", "music", "作曲", "配乐"}),
    ],
)
def test_a_word_with_its_synonyms_and_translations_is_one_need(query: str, forms: set[str]) -> None:
    assert [need for need in asked_of(query, [INCEPTION, TIGER]) if forms & need.forms] == [
        need for need in asked_of(query, [INCEPTION, TIGER]) if forms <= need.forms
    ]
    assert sum(forms <= need.forms for need in asked_of(query, [INCEPTION, TIGER])) == 1


def test_a_word_asked_twice_is_one_need() -> None:
    assert words("Born where, and born when, and 出生 in 出生?") == ["born", "出生"]


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("《卧虎藏龙》的导演毕业于哪所大学？", ["导演", "毕业", "大学"]),  # 演毕 is no word
        ("盗梦空间导演是谁？", ["导演"]),  # 间导 neither
        ("勤工俭学报酬是多少？", ["勤工俭学", "报酬"]),
        ("《卧虎藏龙》凭什么得奖？", ["得奖"]),
    ],
)
def test_chinese_words_are_told_apart(query: str, asked: list[str]) -> None:
    assert words(query) == asked


def test_an_unknown_chinese_word_is_said_by_any_part_of_it() -> None:
    (need,) = asked_of("戛纳国际电影节", [])[:1]
    assert share_said([need], "他去过戛纳。") == share_said([need], "一个国际组织。") == 1.0


@pytest.mark.parametrize(
    ("query", "text", "share"),
    [
        ("Who directed and produced Inception?", "Nolan directed it.", 0.5),
        ("Who directed and produced Inception?", "诺兰执导并制作了它。", 1.0),
        ("《盗梦空间》的导演毕业于哪所大学？", "Nolan, the director, went to college.", 1.0),
        ("《盗梦空间》的导演毕业于哪所大学？", "The sea is blue.", 0.0),
        ("Inception", "Nolan directed it.", 0.0),
    ],
)
def test_the_share_of_what_is_asked_that_a_text_says(query: str, text: str, share: float) -> None:
    assert share_said(asked_of(query, [INCEPTION]), text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("query", "sentence", "meant", "other"),
    [
        (
            "Who composed the music?",
            "The film was written by Lee Hall and directed by Stephen Daldry, with music composed by Stephen Warbeck.",
            "Stephen Warbeck",
            "Lee Hall",
        ),
        (
            "Who composed the music?",
            "With music composed by Stephen Warbeck, it tells of a boy from a mining town and was directed by "
            "Stephen Daldry.",
            "Stephen Warbeck",
            "Stephen Daldry",
        ),
        ("谁作曲？", "《卧虎藏龙》由李安执导，谭盾作曲。", "谭盾", "李安"),
        ("谁执导？", "《卧虎藏龙》由李安执导，谭盾作曲。", "李安", "谭盾"),
    ],
)
def test_what_a_sentence_says_of_a_name_stands_beside_it(query: str, sentence: str, meant: str, other: str) -> None:
    asked = asked_of(query, [])
    assert share_said_of(asked, sentence, meant) == 1.0
    assert 0 < share_said_of(asked, sentence, other) < 1.0


def test_of_a_name_that_is_spelt_otherwise_the_whole_sentence_speaks() -> None:
    asked = asked_of("谁作曲？", [])
    assert share_said_of(asked, "由李安执导，谭盾作曲。", "Tan Dun") == 1.0
    assert share_said_of(asked, "由李安执导。", "李安") == 0.0
