"""Loading into a real graph: what changed is written, whole documents at a time, and nothing else."""

from collections.abc import Callable, Iterator

import pytest

from clew.errors import ConfigurationError, ModelThrottledError
from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.documents import Document
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing.knowledge_base import KnowledgeBaseSummary
from tests.integration.graph.engines import WIPE, Engine
from tests.integration.graph.library import Content, Library
from tests.integration.graph.term_embedder import TermEmbedder

WHEN = ("loaded_at",)  # tells when a document was stored, which two loads never share


def document(name: str, title: str, text: str) -> Document:
    return Document(name, title, text, f"test/{name}")


INCEPTION = document(
    "inception",
    "Inception (盗梦空间)",
    "Christopher Nolan (克里斯托弗·诺兰) directed Inception. Hans Zimmer scored it.",
)
ZIMMER = document("zimmer", "Hans Zimmer (汉斯·季默)", "Hans Zimmer was born in Frankfurt. He scored Inception.")
CROUCHING = document(
    "crouching", "卧虎藏龙 (Crouching Tiger, Hidden Dragon)", "《卧虎藏龙》由李安（Ang Lee）执导。谭盾为它作曲。"
)
FILMS = [INCEPTION, ZIMMER, CROUCHING]
NUMBERED = [
    document(f"d{number:02}", f"Film {number}", f"Person Number{number} directed Film {number}.")
    for number in range(1, 41)
]
BREAKS_AT = NUMBERED[24]


@pytest.fixture
def count_writes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """How many write transactions were begun and profiles stored since the last call."""
    seen: list[str] = []
    write, put = Graph.write, KnowledgeBaseRegistry.put

    def counted_write(self: Graph, work: object) -> object:
        seen.append("transaction")
        return write(self, work)  # type: ignore[arg-type]

    def counted_put(self: KnowledgeBaseRegistry, profile: object) -> None:
        seen.append("profile")
        put(self, profile)  # type: ignore[arg-type]

    monkeypatch.setattr(Graph, "write", counted_write)
    monkeypatch.setattr(KnowledgeBaseRegistry, "put", counted_put)

    def take() -> int:
        count = len(seen)
        seen.clear()
        return count

    return take


def stored_documents(library: Library, namespace: Namespace) -> list[str]:
    query = "MATCH (d:Document {kb: $kb}) RETURN d.document_id AS id ORDER BY id"
    return [row["id"] for row in library.engine.graph.read(query, kb=namespace.key)]


def assert_whole(content: Content) -> None:
    """Nothing hangs in the air: every passage has a document, every entity a passage, every spelling an entity."""
    kinds = {"HAS_CHUNK", "MENTIONS", "NAMES"}
    for kind, label in (("HAS_CHUNK", "Chunk"), ("MENTIONS", "Entity"), ("NAMES", "Alias")):
        edges = [edge for edge in content.edges if edge.startswith(f"('{kind}'")]
        nodes = [node for node in content.nodes if f"'{label}'" in node]
        assert nodes, f"no {label}"
        assert len(edges) >= len(nodes), f"some {label} has no {kind}"
    assert {edge.split("'")[1] for edge in content.edges} <= kinds | {"RELATED", "IN_COMMUNITY", "PART_OF"}


def test_a_first_load_stores_documents_and_tells_what_is_there(library: Library, engine: Engine) -> None:
    namespace = engine.namespace()
    report = library.load(namespace, FILMS, TermEmbedder())
    assert (report.added, report.updated, report.unchanged) == (3, 0, 0)
    profile = library.registry(namespace).get(namespace.kb_prefix)
    vectors = {"topic_vectors"}  # the table keeps 32 bits of each number
    assert profile.model_dump(exclude=vectors) == report.profile.model_dump(exclude=vectors)
    assert (profile.documents, profile.chunks, profile.index_state) == (3, 3, "ready")
    assert profile.entities > 3
    assert profile.relations > 0
    assert {"Inception", "盗梦空间", "李安", "Ang Lee", "克里斯托弗·诺兰"} <= set(profile.entity_names)
    assert profile.topic_vectors
    assert_whole(library.content(namespace))


def test_a_second_load_of_the_same_documents_writes_nothing(
    library: Library, namespace: Namespace, count_writes: Callable[[], int]
) -> None:
    first = library.load(namespace, FILMS, TermEmbedder())
    assert count_writes() > 0
    before = library.content(namespace)
    embedder = TermEmbedder()
    second = library.load(namespace, FILMS, embedder)
    assert count_writes() == 0
    assert embedder.texts == 0
    assert (second.added, second.updated, second.unchanged) == (0, 0, 3)
    assert library.content(namespace) == before  # the engine's own ids included: nothing was made anew
    assert second.profile.loaded_at == first.profile.loaded_at


def test_a_load_in_another_order_changes_nothing(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    before = library.content(namespace)
    library.load(namespace, FILMS[::-1], TermEmbedder())
    assert library.content(namespace) == before


def test_the_same_documents_make_the_same_graph_in_another_place(library: Library, engine: Engine) -> None:
    """Ids differ by namespace; how much there is does not."""
    reports = [library.load(engine.namespace(), FILMS, TermEmbedder()) for _ in range(2)]
    counts = [
        (profile.documents, profile.chunks, profile.entities, profile.relations)
        for profile in (report.profile for report in reports)
    ]
    assert counts[0] == counts[1]


def test_a_new_document_leaves_the_others_untouched(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS[:2], TermEmbedder())
    before = library.content(namespace)
    embedder = TermEmbedder()
    report = library.load(namespace, [*FILMS[:2], NUMBERED[0]], embedder)
    assert (report.added, report.updated, report.unchanged) == (1, 0, 2)
    assert embedder.texts >= 1
    after = library.content(namespace)
    assert before.nodes <= after.nodes
    assert before.edges <= after.edges
    assert before.elements <= after.elements


def test_an_update_replaces_passages_and_relations_of_its_document_alone(
    library: Library, namespace: Namespace
) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    changed = document(
        "zimmer", "Hans Zimmer (汉斯·季默)", "Hans Zimmer was born in Frankfurt. He scored Dune Part One."
    )
    report = library.load(namespace, [INCEPTION, changed, CROUCHING], TermEmbedder())
    assert (report.added, report.updated, report.unchanged) == (0, 1, 2)

    graph, kb = library.engine.graph, namespace.key
    texts = graph.read("MATCH (c:Chunk {kb: $kb}) RETURN c.document_id AS id, c.text AS text", kb=kb)
    assert {row["id"]: row["text"] for row in texts} == {
        "inception": INCEPTION.text,
        "zimmer": changed.text,
        "crouching": CROUCHING.text,
    }
    said = graph.read("MATCH (a {kb: $kb})-[r:RELATED]->() RETURN r.description AS text", kb=kb)
    sentences = {row["text"] for row in said}
    assert "He scored Inception." not in sentences
    assert "Hans Zimmer scored it." in sentences or "Christopher Nolan" in str(sentences)
    assert "He scored Dune Part One." in sentences


def test_an_update_and_its_reversal_leave_what_was_there(library: Library, namespace: Namespace) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    before = library.content(namespace, without=WHEN)
    changed = document("zimmer", "Someone Else", "Someone Else met Another Person in Paris Texas.")
    library.load(namespace, [changed], TermEmbedder())
    assert library.content(namespace, without=WHEN) != before
    library.load(namespace, [ZIMMER], TermEmbedder())
    after = library.content(namespace, without=WHEN)
    assert (after.nodes, after.edges) == (before.nodes, before.edges)  # what was made anew may have other ids


def test_an_update_leaves_no_orphans(library: Library, namespace: Namespace) -> None:
    library.load(namespace, [NUMBERED[0]], TermEmbedder())
    library.load(namespace, [document("d01", "Film 1", "Nobody made it.")], TermEmbedder())
    content = library.content(namespace)
    assert "Number1" not in str(content.nodes)
    assert_whole(content)


def test_other_knowledge_bases_and_tenants_are_untouched(library: Library, engine: Engine) -> None:
    mine, sister, stranger = (
        engine.emptied("films", "ours"),
        engine.emptied("books", "ours"),
        engine.emptied("films", "theirs"),
    )
    for namespace in (mine, sister, stranger):
        library.load(namespace, FILMS, TermEmbedder())
    before = [library.content(namespace) for namespace in (sister, stranger)]
    changed = document("inception", "Inception (盗梦空间)", "Nobody directed Inception.")
    library.load(mine, [changed, *NUMBERED[:2]], TermEmbedder())
    assert [library.content(namespace) for namespace in (sister, stranger)] == before
    assert library.registry(stranger).get("films").documents == 3
    assert library.registry(mine).get("films").documents == 5


@pytest.mark.parametrize(
    "error", [RuntimeError("out of memory"), ModelThrottledError("too much"), KeyboardInterrupt()], ids=repr
)
def test_a_load_that_breaks_off_leaves_whole_documents_and_goes_on_where_it_stopped(
    library: Library, namespace: Namespace, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        library.load(namespace, NUMBERED, TermEmbedder(breaks_at=BREAKS_AT.text, error=error))
    stored = stored_documents(library, namespace)
    assert 0 < len(stored) < 25
    assert stored == [each.id for each in NUMBERED[: len(stored)]]
    assert_whole(library.content(namespace))
    assert library.registry(namespace).get(namespace.kb_prefix).index_state == "loading"

    report = library.load(namespace, NUMBERED, TermEmbedder())
    assert (report.added, report.updated, report.unchanged) == (40 - len(stored), 0, len(stored))
    assert stored_documents(library, namespace) == [each.id for each in NUMBERED]
    assert (report.profile.index_state, report.profile.documents) == ("ready", 40)


def test_a_load_that_broke_off_comes_to_the_same_as_one_that_did_not(library: Library, namespace: Namespace) -> None:
    with pytest.raises(RuntimeError):
        library.load(namespace, NUMBERED, TermEmbedder(breaks_at=BREAKS_AT.text))
    library.load(namespace, NUMBERED, TermEmbedder())
    resumed = library.content(namespace, without=WHEN)
    library.engine.graph.write(lambda transaction: transaction.run(WIPE, kb=namespace.key).consume())
    library.load(namespace, NUMBERED, TermEmbedder())
    in_one_go = library.content(namespace, without=WHEN)
    assert (resumed.nodes, resumed.edges) == (in_one_go.nodes, in_one_go.edges)


@pytest.mark.parametrize("number", [0, 39], ids=["first", "last"])
def test_one_that_breaks_off_at_an_update_keeps_every_document_in_one_version_or_the_other(
    library: Library, namespace: Namespace, number: int
) -> None:
    library.load(namespace, NUMBERED, TermEmbedder())
    changed = [document(each.id, each.title, each.text.replace("directed", "wrote")) for each in NUMBERED]
    with pytest.raises(RuntimeError):
        library.load(namespace, changed, TermEmbedder(breaks_at=changed[number].text))
    query = "MATCH (d:Document {kb: $kb})-[:HAS_CHUNK]->(c:Chunk) RETURN d.document_id AS id, c.text AS text"
    rows = library.engine.graph.read(query, kb=namespace.key)
    assert sorted(row["id"] for row in rows) == [each.id for each in NUMBERED]
    texts = {each.id: {each.text, new.text} for each, new in zip(NUMBERED, changed, strict=True)}
    assert all(row["text"] in texts[row["id"]] for row in rows)


def test_another_embedder_is_refused_before_anything_is_written(
    library: Library, namespace: Namespace, count_writes: Callable[[], int]
) -> None:
    library.load(namespace, FILMS, TermEmbedder(), embedder_name="e5")
    count_writes()
    with pytest.raises(ConfigurationError, match="CLEW_EMBEDDER"):
        library.load(namespace, NUMBERED, TermEmbedder(), embedder_name="titan")
    assert count_writes() == 0


def test_a_new_description_reaches_the_profile_without_touching_the_graph(
    library: Library, namespace: Namespace
) -> None:
    library.load(namespace, FILMS, TermEmbedder())
    before = library.content(namespace)
    summary = KnowledgeBaseSummary(prefix=namespace.kb_prefix, title="Films", description="Who directed what.")
    library.load(namespace, FILMS, TermEmbedder(), summary=summary)
    profile = library.registry(namespace).get(namespace.kb_prefix)
    assert (profile.title, profile.description) == ("Films", "Who directed what.")
    assert library.content(namespace).elements == before.elements


def test_progress_tells_each_step_from_its_beginning_to_its_end(library: Library, namespace: Namespace) -> None:
    told: dict[str, list[tuple[int, int]]] = {}

    def progress(step: str, done: int, whole: int) -> None:
        told.setdefault(step, []).append((done, whole))

    library.load(namespace, NUMBERED, TermEmbedder(), progress=progress)
    assert list(told)[:3] == ["comparing", "reading names", "loading"]
    assert list(told)[-1] == "profile"
    assert all(steps == sorted(steps) for steps in told.values())
    assert all(told[step][-1] == (40, 40) for step in ("comparing", "reading names", "loading"))
    assert told["loading"][0] == (0, 40)


@pytest.mark.parametrize(
    "text",
    ['it\'s "quoted" `back` \\ticked\\ {brace} $id', "𝄞🎬" * 50, "word " * 3_000, "字" * 5_000, "a" * 20_000],
    ids=["quotes", "astral", "many words", "one long sentence", "one long word"],
)
def test_any_text_can_be_loaded_and_read_back(library: Library, namespace: Namespace, text: str) -> None:
    odd = document("odd`'\"{id}", "A `title` with 'quotes' {x}", text)
    library.load(namespace, [odd], TermEmbedder())
    query = "MATCH (c:Chunk {kb: $kb}) RETURN c.start AS start, c.end AS end, c.text AS text"
    rows = library.engine.graph.read(query, kb=namespace.key)
    assert rows
    assert all(row["text"] == text[row["start"] : row["end"]] for row in rows)
    assert library.load(namespace, [odd], TermEmbedder()).unchanged == 1
    assert library.remove(namespace, odd.id, embedder=TermEmbedder()).removed == 1
    assert library.engine.graph.read(query, kb=namespace.key) == []
