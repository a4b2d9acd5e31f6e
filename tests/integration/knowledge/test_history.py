"""Whatever was loaded, changed and removed before, the graph is that of the documents that are there now."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.documents import Document
from clew.knowledge.graph_model import ReadEntity, ReadGraph
from clew.knowledge.model_extraction import ModelExtraction
from tests.integration.graph.engines import WIPE, Engine
from tests.integration.graph.library import Content, Library
from tests.integration.graph.term_embedder import TermEmbedder
from tests.integration.knowledge.test_loading import CROUCHING, INCEPTION, WHEN, ZIMMER, document

Step = Callable[[Library, Namespace], None]


@pytest.fixture(scope="module")
def engine(engines: Callable[[str], Engine]) -> Engine:
    """One engine is enough: which names mean what is decided before anything is written.

    How each engine writes and removes is looked at where documents are loaded and removed.
    """
    return engines("arcadedb")


MEMENTO = document(
    "memento", "Memento (记忆碎片)", "Memento was directed by Christopher Nolan, brother of Jonathan Nolan."
)
JONATHAN = document("jonathan", "Jonathan Nolan (乔纳森·诺兰)", "He wrote Memento Mori. 克里斯托弗·诺兰是他的哥哥。")
DUNE = document("dune", "Dune", "Hans Zimmer scored it. Denis Villeneuve directed it.")
NOVEL = document("novel", "A novel", "Frank Herbert wrote Dune before 《沙丘》 was a film.")
PAIR = document("pair", "A note", "《沙丘》（Dune） opened in 2021. Denis Villeneuve (丹尼斯·维伦纽瓦) was there.")
LIVING = document("living", "活着 (To Live)", "《活着》由张艺谋执导。人都想活着。")
DIRECTOR = document("director", "张艺谋 (Zhang Yimou)", "To Live is a film of his. 葛优演活着的人。")
MARKED = document("marked", "书单", "书单里有《活着》和《英雄》。")
ALL = [INCEPTION, ZIMMER, CROUCHING, MEMENTO, JONATHAN, DUNE, NOVEL, PAIR, LIVING, DIRECTOR, MARKED]


def load(*documents: Document) -> Step:
    return lambda library, namespace: _load(library, namespace, list(documents))


def remove(*document_ids: str) -> Step:
    return lambda library, namespace: _remove(library, namespace, document_ids)


def _load(library: Library, namespace: Namespace, documents: list[Document], *, prune: bool = False) -> None:
    library.load(namespace, documents, TermEmbedder(), prune=prune)


def _remove(library: Library, namespace: Namespace, document_ids: tuple[str, ...]) -> None:
    library.remove(namespace, *document_ids, embedder=TermEmbedder())


def at_once(library: Library, namespace: Namespace, documents: list[Document]) -> Content:
    """What the graph holds where these are the only documents that ever were loaded."""
    library.engine.graph.write(lambda transaction: transaction.run(WIPE, kb=namespace.key).consume())
    _load(library, namespace, documents)
    return library.content(namespace, without=WHEN)


def assert_same(found: Content, wanted: Content) -> None:
    assert sorted(found.nodes ^ wanted.nodes) == []
    assert sorted(found.edges ^ wanted.edges) == []


HISTORIES: dict[str, tuple[list[Step], list[Document]]] = {
    "a title that older documents name": ([load(MEMENTO), load(JONATHAN)], [JONATHAN, MEMENTO]),
    "a title of one word in older text": ([load(NOVEL), load(DUNE)], [DUNE, NOVEL]),
    "a pair that joins an older name": ([load(DUNE), load(PAIR)], [DUNE, PAIR]),
    "a pair that joins two older things": ([load(NOVEL), load(PAIR)], [NOVEL, PAIR]),
    "a mark that makes a title need it": ([load(LIVING, DIRECTOR), load(MARKED)], [LIVING, DIRECTOR, MARKED]),
    "a pair is gone": ([load(NOVEL, DUNE, PAIR), remove("pair")], [NOVEL, DUNE]),
    "a title is gone": ([load(*ALL), remove("dune", "jonathan")], [d for d in ALL if d not in (DUNE, JONATHAN)]),
    "a mark is gone": ([load(LIVING, DIRECTOR, MARKED), remove("living", "marked")], [DIRECTOR]),
    "one after the other": (
        [load(each) for each in (MEMENTO, NOVEL, PAIR, JONATHAN, DUNE)],
        [MEMENTO, NOVEL, PAIR, JONATHAN, DUNE],
    ),
    "everything is gone but one": ([load(*ALL), remove(*(each.id for each in ALL[1:]))], ALL[:1]),
    "another title": (
        [load(*ALL), load(document("dune", "Arrakis (沙丘星)", DUNE.text))],
        [*(each for each in ALL if each is not DUNE), document("dune", "Arrakis (沙丘星)", DUNE.text)],
    ),
    "removed and loaded again": ([load(*ALL), remove("inception", "pair"), load(PAIR, INCEPTION)], ALL),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_the_history_does_not_show(library: Library, namespace: Namespace, history: str) -> None:
    steps, documents = HISTORIES[history]
    for step in steps:
        step(library, namespace)
    found = library.content(namespace, without=WHEN)
    profile = library.registry(namespace).get(namespace.kb_prefix)
    assert_same(found, at_once(library, namespace, documents))
    same = {"entity_names", "documents", "chunks", "entities", "relations"}
    wanted = library.registry(namespace).get(namespace.kb_prefix)
    assert profile.model_dump(include=same) == wanted.model_dump(include=same)


class Reader:
    """A model that reads one thing in every text."""

    name = "reader"

    def read(self, title: str, text: str) -> ReadGraph:
        return ReadGraph((ReadEntity("machine learning", ("机器学习",)),))


def test_what_a_model_has_read_is_a_name_in_later_loads(library: Library, namespace: Namespace) -> None:
    taught = document("taught", "A course", "It teaches machine learning (机器学习).")
    library.load(namespace, [taught], TermEmbedder(), extraction=ModelExtraction(Reader()))
    _load(library, namespace, [document("later", "另一门课", "这门课也讲机器学习。")])
    query = """
    MATCH (c:Chunk {kb: $kb})-[:MENTIONS]->(e:Entity {name: 'machine learning'}) RETURN c.document_id AS id ORDER BY id
    """
    rows = library.engine.graph.read(query, kb=namespace.key)
    assert [row["id"] for row in rows] == ["later", "taught"]
    assert library.registry(namespace).get(namespace.kb_prefix).extraction.startswith("rule-")


@contextmanager
def graph_lost_after(writes: int) -> Iterator[None]:
    """The graph takes so many transactions and no more."""
    left = writes
    write = Graph.write

    def limited(self: Graph, work: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError("the graph is gone")
        return write(self, work)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Graph, "write", limited)
        yield


@pytest.mark.parametrize("writes", [0, 1, 2, 3, 5])
def test_a_load_that_breaks_off_anywhere_leaves_no_trace_once_another_has_ended(
    library: Library, namespace: Namespace, writes: int
) -> None:
    """The documents loaded afterwards are others: what broke off is not repeated."""
    _load(library, namespace, [NOVEL, MEMENTO, LIVING])
    with graph_lost_after(writes), pytest.raises(RuntimeError):
        _load(library, namespace, [PAIR, JONATHAN, MARKED, document("memento", "Memento", "Christopher Nolan.")])
    _load(library, namespace, [CROUCHING])
    query = "MATCH (d:Document {kb: $kb}) RETURN d.document_id AS id, d.title AS title"
    titles = {row["id"]: row["title"] for row in library.engine.graph.read(query, kb=namespace.key)}
    stored = [
        each
        for each in (*ALL, document("memento", "Memento", "Christopher Nolan."))
        if titles.get(each.id) == each.title
    ]
    assert len(stored) == len(titles)
    assert_same(library.content(namespace, without=WHEN), at_once(library, namespace, stored))


def test_a_history_by_chance(library: Library, namespace: Namespace) -> None:
    chance = random.Random(1)  # noqa: S311  (a choice, not a secret)
    there: dict[str, Document] = {}
    for _ in range(5):
        if there and chance.random() < 0.4:
            gone = chance.sample(sorted(there), chance.randint(1, len(there)))
            _remove(library, namespace, tuple(gone))
            there = {name: each for name, each in there.items() if name not in gone}
        else:
            new = chance.sample(ALL, chance.randint(1, 5))
            _load(library, namespace, new)
            there |= {each.id: each for each in new}
    found = library.content(namespace, without=WHEN)
    assert_same(found, at_once(library, namespace, list(there.values())))
