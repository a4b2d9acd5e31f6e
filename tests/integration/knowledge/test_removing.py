"""Taking documents and whole knowledge bases out of a real graph: what was theirs goes, and nothing else."""

import pytest

from clew.errors import ConfigurationError, GraphError, InvalidRequestError, UnknownKnowledgeBaseError
from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.term_embedder import TermEmbedder
from tests.integration.knowledge.test_history import graph_lost_after
from tests.integration.knowledge.test_loading import FILMS, INCEPTION, NUMBERED, ZIMMER, stored_documents


@pytest.fixture
def neighbours(library: Library, engine: Engine) -> tuple[Namespace, list[Namespace]]:
    """A knowledge base, and others of which one is the tenant's and one has the same prefix."""
    mine = engine.emptied("films", "ours")
    others = [engine.emptied("books", "ours"), engine.emptied("films", "theirs")]
    for namespace in (mine, *others):
        library.load(namespace, FILMS, TermEmbedder())
    return mine, others


def test_a_removed_document_takes_along_what_was_its_alone(
    library: Library, neighbours: tuple[Namespace, list[Namespace]]
) -> None:
    mine, others = neighbours
    before = [library.content(each) for each in others]
    report = library.remove(mine, "crouching", embedder=TermEmbedder())
    assert report.removed == 1
    profile = library.registry(mine).get("films")
    assert (profile.documents, profile.index_state) == (2, "ready")
    assert profile.model_dump(exclude={"topic_vectors"}) == report.profile.model_dump(exclude={"topic_vectors"})
    assert "李安" not in profile.entity_names
    assert "汉斯·季默" in profile.entity_names
    content = library.content(mine)
    assert "李安" not in str(content.nodes)
    assert "Crouching" not in str(content.nodes | content.edges)
    assert [library.content(each) for each in others] == before
    assert library.registry(others[1]).get("films").documents == 3


def test_the_last_document_takes_everything_along(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    library.remove(namespace, *(each.id for each in FILMS), embedder=TermEmbedder())
    profile = library.registry(namespace).get(namespace.kb_prefix)
    assert (profile.documents, profile.entities, profile.entity_names, profile.index_state) == (0, 0, (), "ready")
    assert library.content(namespace).nodes == frozenset()


def test_an_unknown_document_is_named_and_nothing_is_removed(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    before = library.content(namespace)
    with pytest.raises(InvalidRequestError, match=r"no document 'nothing', 'no`\{more'; nothing was removed"):
        library.remove(namespace, "inception", "nothing", "no`{more", embedder=TermEmbedder())
    assert library.content(namespace) == before
    assert library.registry(namespace).get(namespace.kb_prefix).index_state == "ready"


def test_nothing_can_be_removed_from_a_knowledge_base_that_is_not_there(library: Library, namespace: Namespace) -> None:
    with pytest.raises(UnknownKnowledgeBaseError):
        library.remove(namespace, "inception", embedder=TermEmbedder())


def test_another_embedder_removes_nothing(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder(), embedder_name="e5")
    with pytest.raises(ConfigurationError, match="CLEW_EMBEDDER"):
        library.remove(namespace, "inception", embedder=TermEmbedder())
    assert len(stored_documents(library, namespace)) == 3


def test_a_removal_that_broke_off_can_be_repeated(library: Library, namespace: Namespace) -> None:
    library.load(namespace, NUMBERED, TermEmbedder())
    gone = [each.id for each in NUMBERED[:35]]
    with graph_lost_after(2), pytest.raises(RuntimeError):
        library.remove(namespace, *gone, embedder=TermEmbedder())
    assert 5 < len(stored_documents(library, namespace)) < 40
    assert library.registry(namespace).get(namespace.kb_prefix).index_state == "loading"
    report = library.remove(namespace, *gone, embedder=TermEmbedder())
    assert stored_documents(library, namespace) == [each.id for each in NUMBERED[35:]]
    assert (report.profile.index_state, report.profile.documents) == ("ready", 5)


def test_pruning_removes_what_is_not_among_the_documents(library: Library, namespace: Namespace) -> None:
    library.load(namespace, [*FILMS, *NUMBERED[:20]], TermEmbedder())
    report = library.load(namespace, [INCEPTION, NUMBERED[30]], TermEmbedder(), prune=True)
    assert (report.added, report.unchanged, report.removed) == (1, 1, 22)
    assert stored_documents(library, namespace) == ["d31", "inception"]
    again = library.load(namespace, [INCEPTION, NUMBERED[30]], TermEmbedder(), prune=True)
    assert (again.unchanged, again.removed) == (2, 0)


def test_pruning_without_a_document_is_refused(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    with pytest.raises(InvalidRequestError, match="empty the knowledge base"):
        library.load(namespace, [], TermEmbedder(), prune=True)
    assert len(stored_documents(library, namespace)) == 3


def test_a_deleted_knowledge_base_leaves_nothing_and_the_others_alone(
    library: Library, neighbours: tuple[Namespace, list[Namespace]]
) -> None:
    mine, others = neighbours
    before = [library.content(each) for each in others]
    assert library.delete(mine, TermEmbedder()) > 3
    assert library.content(mine).nodes == frozenset()
    assert library.registry(mine).find("films") is None
    assert library.engine.schema.dimensions(mine) is None
    with pytest.raises(GraphError):
        library.reader(mine).matching("Inception", 5)
    assert [library.content(each) for each in others] == before
    for each in others:
        assert library.reader(each).matching("Inception", 5)
        assert library.reader(each).nearest(TermEmbedder().embed_query("Inception"), 5)


def test_a_deleted_knowledge_base_can_be_loaded_again(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    library.delete(namespace, TermEmbedder())
    report = library.load(namespace, [ZIMMER], TermEmbedder())
    assert (report.added, report.profile.documents) == (1, 1)
    assert list(library.reader(namespace).matching("Frankfurt", 5))


@pytest.mark.parametrize("writes", [0, 1, 3, 6])
def test_a_deletion_that_broke_off_is_finished_by_another(
    library: Library, namespace: Namespace, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.knowledge.graph_writer.PAGE", 2)
    library.load(namespace, FILMS, TermEmbedder())
    with graph_lost_after(writes), pytest.raises(RuntimeError):
        library.delete(namespace, TermEmbedder())
    assert library.registry(namespace).find(namespace.kb_prefix) is None  # nobody is routed to what is left
    library.delete(namespace, TermEmbedder())
    assert library.content(namespace).nodes == frozenset()
    with pytest.raises(UnknownKnowledgeBaseError):
        library.delete(namespace, TermEmbedder())


def test_a_deletion_that_broke_off_before_its_indexes_is_finished_too(
    library: Library, namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    with monkeypatch.context() as patch:
        patch.setattr(type(library.engine.schema), "drop", lambda *_: (_ for _ in ()).throw(RuntimeError("gone")))
        with pytest.raises(RuntimeError):
            library.delete(namespace, TermEmbedder())
    assert library.engine.schema.dimensions(namespace) is not None
    library.delete(namespace, TermEmbedder())
    assert library.engine.schema.dimensions(namespace) is None


@pytest.mark.parametrize("prefix", ["Films", "a b", "x" * 33, "`x`", "general", ""], ids=repr)
def test_a_prefix_that_can_name_no_knowledge_base_never_reaches_the_graph(
    library: Library, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    monkeypatch.setattr(Graph, "read", lambda *_, **__: pytest.fail("the graph was asked"))
    with pytest.raises(InvalidRequestError, match="cannot name a knowledge base"):
        Namespace("acme", prefix)
