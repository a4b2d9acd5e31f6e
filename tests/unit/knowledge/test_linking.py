"""Names that come later: which stored passages they stand in, and documents put together again from chunks."""

import pytest

from clew.knowledge.chunking import split_chunks
from clew.knowledge.documents import Document
from clew.knowledge.linking import ChangedForms, differences
from clew.knowledge.name_book import NameBook
from clew.knowledge.stored_documents import StoredEntity, put_together
from clew.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("dune", "He saw Dune."),
        ("dune part two", "It is Dune: Part Two!"),
        ("李安", "《卧虎藏龙》由李安执导。"),
        ("克里斯托弗诺兰", "导演克里斯托弗·诺兰出生于伦敦。"),
        ("《活着》", "他看了《活着》。"),
        ("cs201 data structures", "Take CS201 Data Structures first."),
        ("zoe", "Zoë left."),
    ],
)
def test_a_changed_name_is_found_where_it_stands(form: str, text: str) -> None:
    assert ChangedForms(["something else", form]).stand_in(text)


@pytest.mark.parametrize(
    ("form", "text"),
    [("dune", "The dunes are high."), ("part two", "Two parts."), ("李安", "安李"), ("dune", ""), ("a b", "a. x b")],
)
def test_its_parts_alone_are_not_the_name(form: str, text: str) -> None:
    assert not ChangedForms([form]).stand_in(text)


def test_without_changes_there_is_nothing_to_look_for() -> None:
    assert not ChangedForms([])
    assert not ChangedForms([""])


def book(*titles: str) -> NameBook:
    names = NameBook(lambda key: f"e:{key}")
    names.collect([Document(title, title, "x") for title in titles])
    return names


def stored(names: NameBook) -> list[StoredEntity]:
    return [StoredEntity(each.id, each.name, each.aliases, each.forms) for each in names.entities.values()]


def test_the_same_names_differ_in_nothing() -> None:
    found = differences(stored(book("Dune", "李安（Ang Lee）")), book("李安（Ang Lee）", "Dune"))
    assert not found.forms
    assert found.entities == []


def test_new_and_gone_names_mean_something_else_now() -> None:
    found = differences(stored(book("Dune", "Heat")), book("Dune", "Alien"))
    assert found.forms.stand_in("Alien")
    assert found.forms.stand_in("Heat")
    assert not found.forms.stand_in("Dune")
    assert found.entities == []  # none is held under other spellings


def test_an_entity_under_other_spellings_is_told() -> None:
    (plain,) = stored(book("李安"))
    names = book("李安")
    names.collect([Document("x", "A note", "李安（Ang Lee）执导。")])
    found = differences([plain], names)
    assert [entity.name for entity in found.entities] == ["李安"]
    assert found.forms.stand_in("Ang Lee")
    assert not found.forms.stand_in("李安")  # it names the same as before


def test_nothing_is_looked_for_in_an_empty_graph() -> None:
    assert not differences([], book("Dune")).forms


@pytest.mark.parametrize(
    "text",
    [
        "One sentence. " * 300,
        "\n\n# Heading\n\nA line\n\n\nAnother line without an end\n" * 60,
        "一句话。两句话！" * 300,
        "  He said: “Stop.”\t\tThen left.  " * 120,
        "word " * 2_000,
        "字" * 3_000,
        "Mr. J. R. R. Tolkien wrote. " * 150 + "\n",
    ],
    ids=["english", "lines", "chinese", "quotes", "one sentence", "no space", "abbreviations"],
)
def test_a_document_put_together_from_its_chunks_reads_the_same(text: str) -> None:
    chunks = split_chunks(text)
    assert len(chunks) > 1
    row = {"document_id": "d", "title": "T", "source": None}
    whole = put_together([row | {"text": each.text, "start": each.start, "end": each.end} for each in chunks])
    assert split_chunks(whole.text) == chunks
    assert split_sentences(whole.text) == split_sentences(text)
