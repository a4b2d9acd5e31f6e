"""Where sentences end, and where a full stop does not end one."""

from dataclasses import dataclass

import pytest

from clew.text.sentences import split_sentences


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    sentences: tuple[str, ...]


CASES = [
    Case("two", "It rains. We stay.", ("It rains.", "We stay.")),
    Case("title", "Dr. Lin teaches it. Mr. Zhou does not.", ("Dr. Lin teaches it.", "Mr. Zhou does not.")),
    Case("initials", "J. R. R. Tolkien wrote it. It sold.", ("J. R. R. Tolkien wrote it.", "It sold.")),
    Case("latin abbreviations", "Bring food, e.g. bread. Come.", ("Bring food, e.g. bread.", "Come.")),
    Case(
        "decimal", "A GPA of 2.7 is needed. See rule 3.1.2 first.", ("A GPA of 2.7 is needed.", "See rule 3.1.2 first.")
    ),
    Case("domain", "Ask at linhai.example today. Or call.", ("Ask at linhai.example today.", "Or call.")),
    Case("marks", "Really?! Yes! Good.", ("Really?!", "Yes!", "Good.")),
    Case("quote", 'He said "Stop." Then he left.', ('He said "Stop."', "Then he left.")),
    Case("no end", "An unfinished thought", ("An unfinished thought",)),
    Case("lines", "# Heading\nText follows", ("# Heading", "Text follows")),
    Case("chinese", "今天下雨。我们在家！好吗？", ("今天下雨。", "我们在家！", "好吗？")),
    Case("chinese quotes", "他说：“走吧。”然后他走了。", ("他说：“走吧。”", "然后他走了。")),
    Case("corner quotes", "她问：「谁？」没人答。", ("她问：「谁？」", "没人答。")),
    Case("parenthesis", "（他走了。）她留下。", ("（他走了。）", "她留下。")),
    Case("chinese decimal", "绩点须达2.7。否则警告。", ("绩点须达2.7。", "否则警告。")),
    Case("ellipsis", "他想了想……走了。", ("他想了想……", "走了。")),
    Case("mixed", "由 J. K. 作曲。It won.", ("由 J. K. 作曲。", "It won.")),
    Case("blank", " \n\t ", ()),
    Case("empty", "", ()),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_sentences_end_where_they_end(case: Case) -> None:
    assert tuple(sentence.text for sentence in split_sentences(case.text)) == case.sentences


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_places_point_into_the_text_and_nothing_but_blanks_is_lost(case: Case) -> None:
    sentences = split_sentences(case.text)
    assert all(case.text[each.start : each.end] == each.text for each in sentences)
    kept = "".join(each.text for each in sentences)
    assert "".join(kept.split()) == "".join(case.text.split())
