"""A picture of a real graph's neighbourhood: from a name in either language to the file's bytes."""

import pytest

from clew.drawing.lookup import find_entities
from clew.drawing.neighbourhood import read_neighbourhood
from clew.drawing.picture import draw
from clew.errors import EntityNotFoundError
from clew.knowledge.documents import Document
from clew.retrieval.graph_reader import GraphReader
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.term_embedder import TermEmbedder

FILMS = [
    Document(
        "inception",
        "Inception (盗梦空间)",
        "Christopher Nolan (克里斯托弗·诺兰) directed Inception. Hans Zimmer (汉斯·季默) scored Inception.",
    ),
    Document("zimmer", "Hans Zimmer", "Hans Zimmer also scored Dune Part One. Inception made Hans Zimmer known."),
    Document("nolan", "Jonathan Nolan (乔纳森·诺兰)", "Jonathan Nolan is the brother of Christopher Nolan."),
]


@pytest.fixture(scope="module")
def reader(engine: Engine, library: Library) -> GraphReader:
    namespace = engine.namespace("films")
    library.load(namespace, FILMS, TermEmbedder())
    return library.reader(namespace)


def test_an_entity_is_drawn_with_what_is_related_to_it(reader: GraphReader) -> None:
    (found,) = find_entities(reader, "films", "盗梦空间")
    shown = read_neighbourhood(reader, found.entity, 2, 30)
    distances = {node.entity.name: node.hops for node in shown.nodes}
    assert distances == {
        "Inception": 0,
        "Hans Zimmer": 1,
        "Christopher Nolan": 1,
        "Dune Part One": 2,
        "Jonathan Nolan": 2,
    }
    names = {node.entity.id: node.entity.name for node in shown.nodes}
    weights = {frozenset((names[edge.source], names[edge.target])): edge.weight for edge in shown.edges}
    assert weights == {
        frozenset({"Inception", "Hans Zimmer"}): 2,  # a sentence in each of two documents
        frozenset({"Inception", "Christopher Nolan"}): 1,
        frozenset({"Hans Zimmer", "Dune Part One"}): 1,
        frozenset({"Christopher Nolan", "Jonathan Nolan"}): 1,
    }
    svg = draw(shown, found.spelling, "films", "svg").content.decode()
    assert all(text in svg for text in (">盗梦空间<", ">Inception<", ">汉斯·季默<", "4 个相关实体，4 条关系"))


def test_a_name_of_two_lists_them_with_their_documents(reader: GraphReader) -> None:
    found = find_entities(reader, "films", "Nolan")
    assert [each.entity.name for each in found] == ["Christopher Nolan", "Jonathan Nolan"]
    assert all(each.titles for each in found)


def test_a_name_of_none_suggests_those_that_share_a_word(reader: GraphReader) -> None:
    with pytest.raises(EntityNotFoundError, match=r"Hans Zimmer \(汉斯·季默\)"):
        find_entities(reader, "films", "Zimmer Quartet")
