"""What the graph will hold of a document: its chunks, what each mentions, what is named together."""

from clew.knowledge.documents import Document
from clew.knowledge.extracted import Extracted
from clew.knowledge.extraction import RuleExtraction
from clew.knowledge.name_book import NameBook


def extracted(*documents: Document) -> list[tuple[Extracted, NameBook]]:
    names = NameBook(lambda key: f"e:{key}")
    names.collect(list(documents))
    return [(each, names) for each in RuleExtraction().extract(list(documents), names)]


def related(of: Extracted, names: NameBook) -> dict[frozenset[str], tuple[int, str]]:
    return {
        frozenset((names.entities[each.source_id].name, names.entities[each.target_id].name)): (
            each.weight,
            each.description,
        )
        for each in of.relations
    }


INCEPTION = Document(
    "inception",
    "Inception (盗梦空间)",
    "Inception was directed by Christopher Nolan. Christopher Nolan also wrote it. "
    "Hans Zimmer composed the score for Christopher Nolan.",
)


def test_the_subject_is_mentioned_in_every_chunk() -> None:
    long = Document("long", "The Long Film", "Somebody did something here. " * 200)
    ((found, names),) = extracted(long)
    assert len(found.chunks) > 1
    assert found.subject_id == names.of_title("The Long Film")
    assert all(found.subject_id in item.mentions for item in found.chunks)


def test_mentions_are_counted_in_the_chunk_where_they_stand() -> None:
    ((found, names),) = extracted(INCEPTION)
    counts = {names.entities[key].name: count for key, count in found.chunks[0].mentions.items()}
    assert counts["Christopher Nolan"] == 3
    assert counts["Hans Zimmer"] == 1
    assert counts["Inception"] >= 1


def test_what_a_sentence_names_is_related_to_the_subject_and_to_each_other() -> None:
    ((found, names),) = extracted(INCEPTION)
    pairs = related(found, names)
    assert pairs[frozenset(("Inception", "Christopher Nolan"))][0] == 3
    assert pairs[frozenset(("Inception", "Hans Zimmer"))][0] == 1
    weight, sentence = pairs[frozenset(("Hans Zimmer", "Christopher Nolan"))]
    assert weight == 1
    assert sentence == "Hans Zimmer composed the score for Christopher Nolan."


def test_chinese_sentences_relate_as_english_ones_do() -> None:
    document = Document("wohu", "卧虎藏龙", "《卧虎藏龙》由李安（Ang Lee）执导。谭盾·作为它作曲。")
    ((found, names),) = extracted(document)
    assert any("李安" in str(pair) or "Ang Lee" in str(pair) for pair in related(found, names))


def test_names_in_different_sentences_are_not_related_to_each_other() -> None:
    document = Document("d", "A Note", "Jane Austen wrote it. Mary Shelley did not.")
    ((found, names),) = extracted(document)
    assert frozenset(("Jane Austen", "Mary Shelley")) not in related(found, names)


def test_a_list_of_many_names_relates_each_to_the_subject_alone() -> None:
    people = [f"Ann Person{letter}" for letter in "abcdefgh"]
    document = Document("d", "The Cast", f"It has {', '.join(people)}.")
    ((found, names),) = extracted(document)
    pairs = related(found, names)
    assert all(frozenset(("The Cast", person)) in pairs for person in people)
    assert len(pairs) == len(people)


def test_nothing_is_related_to_itself() -> None:
    ((found, _),) = extracted(INCEPTION)
    assert all(each.source_id != each.target_id for each in found.relations)


def test_descriptions_are_bounded() -> None:
    document = Document("d", "A Note", "Jane Austen " + "went on and on " * 100 + "to Mary Shelley.")
    ((found, _),) = extracted(document)
    assert all(len(each.description) <= 300 for each in found.relations)


def test_the_same_documents_give_the_same_result() -> None:
    assert extracted(INCEPTION)[0][0] == extracted(INCEPTION)[0][0]
