"""What the rules of rewriting see in a text: names, what they stand for, lists, and talk that asks nothing."""

import pytest

from clew.answering.focus import Focus
from clew.answering.rewriting.kinds import Kind, kind_by_spelling
from clew.answering.rewriting.language import spoken
from clew.answering.rewriting.listing import lists_in, without_aliases
from clew.answering.rewriting.mentions import TurnNames
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.repeating import asks_again
from clew.answering.rewriting.rewriter import PreviousTurn
from clew.answering.rewriting.small_talk import is_small_talk


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Did Hans Zimmer compose Inception?", ["Hans Zimmer", "Inception"]),
        ("In Dune: Part Two, who plays Chani?", ["Dune: Part Two", "Chani"]),
        ("Back to Inception: Who composed it?", ["Inception"]),
        ("Which courses need CS201?", ["CS201"]),
        ("Dunkirk?", ["Dunkirk"]),
        ("Really good films", []),
        ("What is the GPA in English?", []),
        ("《活着》和“听潮号”", ["《活着》", "听潮号"]),
        ("由丹尼斯·维伦纽瓦执导", ["丹尼斯·维伦纽瓦"]),
        ("华为Mate 60的价格", ["Mate 60"]),
    ],
)
def test_names_are_told_by_how_they_are_written(text: str, names: list[str]) -> None:
    found = [name.text for name in names_in(text, ("丹尼斯·维伦纽瓦",) if "·" in text else ())]
    assert found == names


def test_a_known_name_counts_however_it_is_written_but_not_within_a_word() -> None:
    assert [name.text for name in names_in("who shot inception in 观澜图书馆", ("Inception", "观澜图书馆"))] == [
        "inception",
        "观澜图书馆",
    ]
    assert names_in("an inceptionist", ("Inception",)) == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CS301 Operating Systems", Kind.COURSE),
        ("BSc in Computer Science", Kind.PROGRAMME),
        ("海洋科学本科专业", Kind.PROGRAMME),
        ("the Haiming Grant", Kind.GRANT),
        ("蓝海奖学金", Kind.GRANT),
        ("School of Economics and Management", Kind.ORGANISATION),
        ("教务处", Kind.ORGANISATION),
        ("Qiming Hall", Kind.PLACE),
        ("明德楼", Kind.PLACE),
        ("何建国", Kind.UNKNOWN),
        ("希里安·墨菲", Kind.PERSON),
        ("《马可·波罗》", Kind.WORK),
        ("Monday of September", Kind.TIME),
        ("Inception", Kind.UNKNOWN),
    ],
)
def test_some_names_give_their_kind_away(name: str, kind: Kind) -> None:
    assert kind_by_spelling(name) is kind


@pytest.mark.parametrize(
    ("question", "answer", "asked", "answered", "kinds"),
    [
        (
            "Who directed Inception?",
            "Inception was written and directed by Christopher Nolan.",
            "Inception",
            "Christopher Nolan",
            (Kind.FILM, Kind.PERSON),
        ),
        (
            "《红高粱》改编自哪部小说？",
            "《红高粱》改编自莫言的小说《红高粱家族》。",
            "红高粱",
            "红高粱家族",
            (Kind.FILM, Kind.BOOK),
        ),
        (
            "Where was Hans Zimmer born?",
            "Hans Zimmer was born in Frankfurt.",
            "Hans Zimmer",
            "Frankfurt",
            (Kind.PERSON, Kind.PLACE),
        ),
        (
            "OC101由谁主讲？",
            "OC101海洋学导论的主讲教师是何建国（He Jianguo）。",
            "OC101",
            "何建国",
            (Kind.COURSE, Kind.PERSON),
        ),
        (
            "Who is in The Prestige?",
            "Hugh Jackman plays the magician Robert Angier.",
            "The Prestige",
            "Robert Angier",
            (Kind.UNKNOWN, Kind.CHARACTER),
        ),
    ],
)
def test_a_turn_tells_what_its_names_stand_for(
    question: str, answer: str, asked: str, answered: str, kinds: tuple[Kind, Kind]
) -> None:
    turn = TurnNames(PreviousTurn(question, Focus(asked=(asked,), answered=(answered,)), answer), age=0)
    assert tuple(mention.kind for mention in turn.mentions) == kinds


@pytest.mark.parametrize(
    ("answer", "listed"),
    [
        ("He directed Memento, The Prestige and Inception. [1]", [["Memento", "The Prestige", "Inception"]]),
        (
            "Okja (玉子), released in 2017, and Mickey 17 (编号17), released in 2025.",
            [["Okja", "Mickey 17"]],
        ),
        ("《饮食男女》《理智与情感》和《断背山》", [["《饮食男女》", "《理智与情感》", "《断背山》"]]),
        ("编剧是王蕙玲、詹姆斯·沙姆斯和蔡国荣。", [["王蕙玲", "詹姆斯·沙姆斯", "蔡国荣"]]),
        ("包括OC101、OC201和MA101。", [["OC101", "OC201", "MA101"]]),
        ("Films:\n- The Host (2006)\n- Snowpiercer (2013)\n", [["The Host", "Snowpiercer"]]),
        ("代表作：\n1. 《千与千寻》\n2. 《龙猫》", [["《千与千寻》", "《龙猫》"]]),
        ("Inception was directed by Christopher Nolan.", []),
    ],
)
def test_lists_are_found_in_an_answer(answer: str, listed: list[list[str]]) -> None:
    assert lists_in(without_aliases(answer), ("Okja", "王蕙玲", "詹姆斯·沙姆斯")) == listed


@pytest.mark.parametrize(
    "message", ["Hi", "Thanks a lot!", "OK, great", "That's all, bye.", "你好", "好的，谢谢", "没有了", "  ", "嗯嗯"]
)
def test_what_asks_nothing_is_small_talk(message: str) -> None:
    assert is_small_talk(message)


@pytest.mark.parametrize("message", ["Why?", "And Dunkirk?", "that film", "为什么？", "那编剧呢", "CS301", "11?"])
def test_what_asks_is_no_small_talk(message: str) -> None:
    assert not is_small_talk(message)


@pytest.mark.parametrize(
    "message",
    [
        "Say it in Chinese.",
        "In more detail, please",
        "Are you sure?",
        "any others?",
        "再详细一点",
        "用英文说",
        "还有吗",
    ],
)
def test_the_last_answer_may_be_wanted_again(message: str) -> None:
    assert asks_again(message, spoken(message))


@pytest.mark.parametrize(
    "message",
    [
        "Translate this sentence into French.",
        "Tell me more about him.",
        "Explain the grading of CS301.",
        "你能说英语吗？",
        "请用表格比较《英雄》和《十面埋伏》",
        "怎么翻译成绩单？",
    ],
)
def test_a_request_of_its_own_is_no_repetition(message: str) -> None:
    assert not asks_again(message, spoken(message))


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("那 Interstellar 呢？", "zh"),
        ("What about 蓝海奖学金?", "en"),
        ("Who directed 《那山那人那狗》?", "en"),
        ("Christopher Nolan 出生在哪里？", "zh"),
        ("where?", "en"),
    ],
)
def test_small_words_tell_the_language(message: str, language: str) -> None:
    assert spoken(message) == language
