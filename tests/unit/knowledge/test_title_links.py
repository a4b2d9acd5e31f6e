"""Without links by exact title, names in running text alone lead from one document to another."""

from clew.knowledge.documents import Document
from clew.knowledge.extracted import Extracted
from clew.knowledge.extraction import RuleExtraction
from clew.knowledge.name_book import NameBook

FILM = Document("film", "Inception", "Inception is a film scored by Hans Zimmer. The story is set in Paris.")
COMPOSER = Document("composer", "Hans Zimmer", "He was born in Frankfurt. He also scored Inception for Warner Bros.")
TITLES = ("Inception", "Hans Zimmer")


def read(*documents: Document, title_links: bool) -> tuple[NameBook, list[Extracted]]:
    extraction = RuleExtraction(title_links=title_links)
    names = NameBook(lambda key: f"e:{key}", title_links=extraction.title_links)
    names.collect(documents)
    return names, extraction.extract(list(documents), names)


def test_a_title_of_one_word_is_found_with_the_links_and_not_without() -> None:
    with_links, _ = read(FILM, COMPOSER, title_links=True)
    without, _ = read(FILM, COMPOSER, title_links=False)
    (mention,) = with_links.find("They saw Inception twice.")
    assert mention.entity_id == with_links.of_title("Inception")
    assert without.find("They saw Inception twice.") == []
    assert without.ids_of("Inception") == ()


def test_the_entity_of_a_title_has_no_spelling_that_a_question_could_use() -> None:
    names, _ = read(FILM, COMPOSER, title_links=False)
    for title in TITLES:
        entity = names.entities[names.of_title(title)]
        assert entity.name == ""
        assert entity.all_spellings == {}
        assert entity.forms == frozenset()


def test_a_name_in_running_text_is_not_the_entity_of_the_title_that_reads_the_same() -> None:
    names, _ = read(FILM, COMPOSER, title_links=False)
    (named,) = names.ids_of("Hans Zimmer")
    assert named != names.of_title("Hans Zimmer")
    assert [mention.entity_id for mention in names.find("Hans Zimmer scored it.")] == [named]


def test_documents_are_still_about_something_of_their_own() -> None:
    names, (film, composer) = read(FILM, COMPOSER, title_links=False)
    assert film.subject_id == names.of_title("Inception")
    assert film.subject_id not in composer.mentioned
    assert all(film.subject_id in chunk.mentions for chunk in film.chunks)
    assert {relation.target_id for relation in film.relations if relation.source_id == film.subject_id} | {
        relation.source_id for relation in film.relations if relation.target_id == film.subject_id
    } == set(names.ids_of("Hans Zimmer"))


def test_another_version_loads_the_documents_again() -> None:
    assert RuleExtraction(title_links=False).version != RuleExtraction().version
