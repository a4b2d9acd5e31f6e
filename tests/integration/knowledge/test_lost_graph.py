"""A graph that goes away while documents are loaded or removed."""

import contextlib
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from clew.errors import GraphUnavailableError
from clew.graph.connection import Graph, connect
from clew.graph.namespace import Namespace
from clew.local.ports import LOOPBACK
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.line import Line, line_to
from tests.integration.graph.term_embedder import TermEmbedder
from tests.integration.knowledge.test_loading import FILMS, NUMBERED, assert_whole, stored_documents


@pytest.fixture
def line(engine: Engine) -> Iterator[Line]:
    with line_to(urlsplit(engine.uri).port or 0) as line:
        yield line


@pytest.fixture
def distant(engine: Engine, line: Line) -> Iterator[Graph]:
    """The same graph, at the other end of the line."""
    uri = f"bolt://{LOOPBACK}:{line.port}"
    with contextlib.closing(connect(uri, engine.username, engine.password, engine.database)) as graph:
        yield graph


def cutting(line: Line, step: str, done: int) -> Callable[[str, int, int], None]:
    """Cut the line when so many are done of that step."""

    def progress(told: str, at: int, _: int) -> None:
        if (told, at) == (step, done):
            line.cut()

    return progress


@pytest.mark.parametrize("step", ["reading names", "loading"])
def test_a_load_stops_with_whole_documents_and_goes_on_when_the_graph_is_back(
    library: Library, namespace: Namespace, distant: Graph, line: Line, step: str
) -> None:
    sister = Namespace(namespace.tenant_id, "sister")
    library.load(sister, FILMS, TermEmbedder())
    before = library.content(sister)
    summary = library.load(namespace, [NUMBERED[0]], TermEmbedder()).profile
    ingest = library.ingest(namespace, TermEmbedder(), graph=distant)
    with pytest.raises(GraphUnavailableError, match="does not answer"):
        ingest.load(NUMBERED, summary, cutting(line, step, 16))
    stored = stored_documents(library, namespace)
    assert stored == [each.id for each in NUMBERED[: len(stored)]]
    assert len(stored) == (17 if step == "loading" else 1)
    assert_whole(library.content(namespace))
    assert library.registry(namespace).get(namespace.kb_prefix).index_state == "loading"
    assert library.content(sister) == before

    line.restore()
    report = ingest.load(NUMBERED, summary, lambda *_: None)
    assert (report.added, report.unchanged) == (40 - len(stored), len(stored))
    assert report.profile.index_state == "ready"
    assert library.content(sister) == before


def test_a_removal_and_a_deletion_are_told_to_be_unavailable(
    library: Library, namespace: Namespace, distant: Graph, line: Line
) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    ingest = library.ingest(namespace, TermEmbedder(), graph=distant)
    before = library.content(namespace)
    with pytest.raises(GraphUnavailableError):
        ingest.remove(["inception"], cutting(line, "removing", 0))
    assert library.content(namespace).elements == before.elements
    line.restore()
    assert ingest.remove(["inception"], lambda *_: None).removed == 1
    with pytest.raises(GraphUnavailableError):
        ingest.delete(cutting(line, "deleting", 0))
    line.restore()
    ingest.delete(lambda *_: None)
    assert library.content(namespace).nodes == frozenset()
