"""Planning by rule: what the best passages do not say yet, and what may lead to it."""

import pytest

from clew.retrieval.evidence import EntityRef, Fact, Passage
from clew.retrieval.research.planner import Assessment, Findings, FollowUp
from clew.retrieval.research.rule_planner import FOLLOWED_AT_ONCE, LOOKED_AT, RulePlanner
from tests.unit.retrieval.small_reader import ANG_LEE, BORN, BORN_ZH, COMPOSED, DIRECTED, INCEPTION, MADE, TIGER


def passage(text: str, title: str = "") -> Passage:
    return Passage(id=text, document_id=text, title=title, text=text)


def fact(source: str, target: str, said: str = "") -> Fact:
    return Fact(source=source, relation="CO_MENTION", target=target, said=said, passage_ids=("p",))


BY_COMPOSER = fact("Inception", "Hans Zimmer", COMPOSED)
BY_DIRECTOR = fact("Inception", "Christopher Nolan", DIRECTED)
BY_COMPOSER_ZH = fact("卧虎藏龙", "谭盾", "谭盾为《卧虎藏龙》作曲。")
BY_DIRECTOR_ZH = fact("卧虎藏龙", "李安", "《卧虎藏龙》由李安执导。")


def planned(
    question: str, linked: EntityRef, texts: list[str], facts: list[Fact], followed: frozenset[str] = frozenset()
) -> Assessment:
    passages = tuple(passage(text) for text in texts)
    return RulePlanner().assess(Findings(question, (linked,), passages, tuple(facts), followed=followed))


@pytest.mark.parametrize(
    ("question", "linked", "texts"),
    [
        ("Where was the composer of Inception born?", INCEPTION, [COMPOSED, BORN]),
        ("Where was the composer of Inception born?", INCEPTION, ["他为《盗梦空间》作曲。", "他出生于法兰克福。"]),
        ("《卧虎藏龙》的作曲者出生在哪里？", TIGER, [MADE, BORN_ZH]),
        ("《卧虎藏龙》的作曲者出生在哪里？", TIGER, ["The music was composed and Tan Dun was born."]),
        ("Inception", INCEPTION, []),
        ("卧虎藏龙", TIGER, []),
    ],
)
def test_when_all_that_is_asked_is_said_in_either_language_nothing_is_missing(
    question: str, linked: EntityRef, texts: list[str]
) -> None:
    assert planned(question, linked, texts, [BY_COMPOSER, BY_COMPOSER_ZH]) == Assessment()


@pytest.mark.parametrize(
    ("question", "linked", "texts", "facts", "missing", "follow_up"),
    [
        (
            "Where was the composer of Inception born?",
            INCEPTION,
            [COMPOSED],
            [BY_DIRECTOR, BY_COMPOSER],
            ("born",),
            FollowUp("Hans Zimmer born", "Hans Zimmer"),
        ),
        (
            "《卧虎藏龙》的作曲者出生在哪里？",
            TIGER,
            [MADE],
            [BY_DIRECTOR_ZH, BY_COMPOSER_ZH],
            ("出生",),
            FollowUp("谭盾 出生", "谭盾"),
        ),
        (
            "《卧虎藏龙》的导演毕业于哪所大学？",
            TIGER,
            [MADE],
            [BY_COMPOSER_ZH, BY_DIRECTOR_ZH],
            ("毕业", "大学"),
            FollowUp("李安 毕业 大学", "李安"),
        ),
    ],
)
def test_what_is_missing_is_asked_of_what_the_questions_words_stand_beside(
    question: str,
    linked: EntityRef,
    texts: list[str],
    facts: list[Fact],
    missing: tuple[str, ...],
    follow_up: FollowUp,
) -> None:
    assessment = planned(question, linked, texts, facts)
    assert assessment.missing == missing
    assert assessment.follow_ups[0] == follow_up


def test_what_only_a_later_passage_says_is_still_missing() -> None:
    texts = [COMPOSED, *(f"Filler {number}." for number in range(LOOKED_AT - 1)), BORN]
    question = "Where was the composer of Inception born?"
    assert planned(question, INCEPTION, texts, [BY_COMPOSER]).missing == ("born",)
    assert planned(question, INCEPTION, texts[1:], [BY_COMPOSER]).missing == ("composer",)


def test_a_title_says_something_too() -> None:
    found = Findings("Which prize?", (INCEPTION,), (passage("…", "A prize"),), ())
    assert RulePlanner().assess(found) == Assessment()


def test_what_the_question_names_or_what_was_followed_is_not_followed_again() -> None:
    question, facts = "Where was the composer of Inception born?", [BY_COMPOSER, BY_DIRECTOR]
    names = [follow.entity for follow in planned(question, INCEPTION, [COMPOSED], facts).follow_ups]
    assert names == ["Hans Zimmer", "Christopher Nolan"]
    followed = frozenset({"Hans Zimmer"})
    assert [each.entity for each in planned(question, INCEPTION, [COMPOSED], facts, followed).follow_ups] == [
        "Christopher Nolan"
    ]
    everything = frozenset({"Hans Zimmer", "Christopher Nolan"})
    assert planned(question, INCEPTION, [COMPOSED], facts, everything) == Assessment(("born",))


@pytest.mark.parametrize("spelling", ["Ang Lee", "李安"])
def test_no_spelling_of_what_the_question_names_is_followed(spelling: str) -> None:
    facts = [fact(spelling, "卧虎藏龙", "李安执导了《卧虎藏龙》。")]
    assert [each.entity for each in planned("李安得过什么奖？", ANG_LEE, [], facts).follow_ups] == ["卧虎藏龙"]


def test_few_are_followed_at_once() -> None:
    facts = [fact("Inception", f"Person {number}", "…") for number in range(9)]
    assert len(planned("Who wrote Inception?", INCEPTION, [], facts).follow_ups) == FOLLOWED_AT_ONCE


def test_with_nothing_found_the_question_stays_open() -> None:
    assert planned("Who wrote Inception?", INCEPTION, [], []) == Assessment(("wrote",))
