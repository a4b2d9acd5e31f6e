"""Agents and the reader over a real graph: within their knowledge base, within bounds, whatever is asked."""

import json

import pytest

from clew.errors import ClewError, GraphUnavailableError
from clew.graph.connection import connect
from clew.graph.namespace import Namespace
from clew.graph.schema import Neo4jSchema
from clew.knowledge.documents import Document
from clew.local.ports import free_port
from clew.retrieval.evidence import Passage, RetrievalRun
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.pool import AgentPool
from clew.retrieval.run import run_worker
from clew.routing.decision import RagRunSpec
from clew.routing.worker_name import AGENT_TYPES, build_worker_name
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.term_embedder import TermEmbedder

AGENTS = AGENT_TYPES
FILMS = [
    Document(
        "inception", "Inception (盗梦空间)", "Christopher Nolan directed Inception. Hans Zimmer scored Inception."
    ),
    Document("zimmer", "Hans Zimmer (汉斯·季默)", "Hans Zimmer was born in Frankfurt. His father was an engineer."),
    Document("wohu", "卧虎藏龙 (Crouching Tiger, Hidden Dragon)", "《卧虎藏龙》由李安（Ang Lee）执导，谭盾作曲。"),
]
BOOKS = [Document("dune", "Dune", "Frank Herbert wrote Dune. Hans Zimmer never read Dune, says Frank Herbert.")]
INJECTIONS = [
    "",
    "   ",
    "?",
    "who",
    "的",
    'Inception AND NOT (director:* OR "Hans Zimmer"~2) +x -y [a TO z] {b} ^2 \\ /re/',
    "Inception') YIELD node MATCH (n) DETACH DELETE n //",
    "Inception`) DETACH DELETE (n) RETURN `x",
    '\'; DROP INDEX "Chunk[terms]"; --',
    "$id {id: 1} ${jndi:ldap://x} %s %n {0}",
    "盗梦空间* 导演~ ！（）【】",
    "\x00Inception\x00",
    "\ud83c\udfac Inception \U0001f3ac",
    "Inception\n\r\t\u2028Hans Zimmer",
    "a" * 30_000,
    "Hans Zimmer " * 2_500,
    "汉斯·季默" * 6_000,
    "OR " * 10_000,
]


@pytest.fixture(scope="module")
def shelves(engine: Engine, library: Library) -> dict[str, Namespace]:
    """Two knowledge bases of one tenant and one of another."""
    found = {
        "films": engine.namespace("films", "acme"),
        "books": engine.namespace("books", "acme"),
        "theirs": engine.namespace("films", "other"),
    }
    library.load(found["films"], FILMS, TermEmbedder())
    library.load(found["books"], BOOKS, TermEmbedder())
    library.load(found["theirs"], [*BOOKS, *FILMS], TermEmbedder())
    return found


@pytest.fixture(scope="module")
def pool(library: Library, shelves: dict[str, Namespace]) -> AgentPool:
    tenant = shelves["films"].tenant_id
    return AgentPool(lambda prefix: library.reader(Namespace(tenant, prefix)), TermEmbedder())


def run(pool: AgentPool, agent: str, query: str, kb: str = "films") -> RetrievalRun:
    return run_worker(pool, RagRunSpec(agent_type=agent, worker_name=build_worker_name(kb, agent)), query, "s1")


def ids(passages: tuple[Passage, ...]) -> set[str]:
    return {passage.document_id for passage in passages}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Who directed Inception?", "inception"),
        ("《盗梦空间》是谁导演的？", "inception"),
        ("Where was Hans Zimmer born?", "zimmer"),
        ("谁执导了《卧虎藏龙》？", "wohu"),
        ("Who made Crouching Tiger, Hidden Dragon?", "wohu"),
    ],
)
def test_every_agent_finds_what_the_question_is_about(
    pool: AgentPool, agent: str, question: str, document: str
) -> None:
    found = run(pool, agent, question)
    assert document in ids(found.passages)
    assert all(passage.found_by[0] == agent for passage in found.passages)
    assert [passage.score for passage in found.passages] == sorted((p.score for p in found.passages), reverse=True)


def test_the_graph_agent_walks_to_what_the_question_does_not_name(pool: AgentPool) -> None:
    found = run(pool, "graph_agent", "Where was the composer of Inception born?")
    assert "Inception" in {entity.name for entity in found.reference.linked}
    (zimmer,) = [passage for passage in found.passages if passage.document_id == "zimmer"]
    assert "Hans Zimmer" in {hop.target for hop in zimmer.path} | {hop.source for hop in zimmer.path}


@pytest.mark.parametrize("agent", AGENTS)
def test_evidence_comes_from_the_workers_own_knowledge_base(pool: AgentPool, agent: str) -> None:
    for question in ("Dune", "Frank Herbert", "Who wrote Dune?", "Hans Zimmer"):
        assert ids(run(pool, agent, question, "films").passages) <= {document.id for document in FILMS}
        assert ids(run(pool, agent, question, "books").passages) <= {"dune"}


def test_linked_entities_come_from_the_workers_own_knowledge_base(
    library: Library, shelves: dict[str, Namespace]
) -> None:
    text = "Hans Zimmer, Dune, 盗梦空间 and Frank Herbert"
    linked = {name: {link.entity.id for link in library.reader(shelf).link(text)} for name, shelf in shelves.items()}
    assert all(linked.values())
    assert not linked["films"] & linked["books"]
    assert not linked["films"] & linked["theirs"]
    names = {link.entity.name for link in library.reader(shelves["films"]).link(text)}
    assert not names & {"Dune", "Frank Herbert"}


def test_a_reader_given_another_knowledge_bases_ids_finds_no_way_between_them(
    library: Library, shelves: dict[str, Namespace]
) -> None:
    mine = library.reader(shelves["films"])
    theirs = [link.entity.id for link in library.reader(shelves["theirs"]).link("Hans Zimmer Inception")]
    own = {link.entity.id for link in mine.link("Hans Zimmer Inception")}
    assert not own & {step.neighbour_id for step in mine.neighbours(theirs, 100)}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("query", INJECTIONS, ids=lambda query: ascii(query[:24]))
def test_no_query_breaks_out_or_breaks_down(pool: AgentPool, agent: str, query: str) -> None:
    found = run(pool, agent, query)
    assert ids(found.passages) <= {document.id for document in FILMS}
    assert len(found.model_dump_json().encode()) < 40 * 1024


def test_nothing_asked_has_changed_anything(library: Library, shelves: dict[str, Namespace], pool: AgentPool) -> None:
    before = [library.content(shelf) for shelf in shelves.values()]
    for query in INJECTIONS:
        for agent in AGENTS:
            run(pool, agent, query)
    assert [library.content(shelf) for shelf in shelves.values()] == before


@pytest.mark.parametrize("agent", AGENTS)
def test_names_that_look_like_code_are_names(engine: Engine, library: Library, agent: str) -> None:
    namespace = engine.namespace("odd")
    title = 'O\'Brien `x` {id: $id} "The Film" \\ AND *'
    library.load(namespace, [Document("odd'`\"", title, f"{title} was directed by Bobby Tables.")], TermEmbedder())
    pool = AgentPool(lambda prefix: library.reader(Namespace(namespace.tenant_id, prefix)), TermEmbedder())
    found = run(pool, agent, f"Who directed {title}?", "odd")
    assert [(passage.document_id, passage.title) for passage in found.passages] == [("odd'`\"", title)]


@pytest.mark.parametrize("agent", AGENTS)
def test_evidence_is_bounded_however_much_there_is(engine: Engine, library: Library, agent: str) -> None:
    namespace = engine.namespace("big")
    people = [f"Ann{number} Person{number}" for number in range(40)]
    text = " ".join(f"{person} scored The Big Film with 钟声 {person}." for person in people * 6)
    library.load(namespace, [Document(f"d{n}", f"The Big Film {n}", text) for n in range(4)], TermEmbedder())
    pool = AgentPool(lambda prefix: library.reader(Namespace(namespace.tenant_id, prefix)), TermEmbedder())
    found = run(pool, agent, "Who scored The Big Film 2?", "big")
    assert found.passages
    assert len(found.model_dump_json().encode()) < 40 * 1024
    assert len(json.dumps([each.model_dump(mode="json") for each in found.passages]).encode()) < 80 * 1024


@pytest.mark.parametrize("agent", AGENTS)
def test_the_same_question_has_the_same_evidence(pool: AgentPool, agent: str) -> None:
    first = run(pool, agent, "Where was the composer of Inception born?")
    for _ in range(3):
        again = run(pool, agent, "Where was the composer of Inception born?")
        assert again.model_copy(update={"took_ms": 0}) == first.model_copy(update={"took_ms": 0})


@pytest.mark.parametrize("agent", AGENTS)
def test_a_knowledge_base_that_was_never_loaded_is_an_error_of_ours(pool: AgentPool, agent: str) -> None:
    with pytest.raises(ClewError):
        run(pool, agent, "Who directed Inception?", "nothing")


@pytest.mark.timeout(60)
def test_a_graph_that_is_down_is_told_within_seconds() -> None:
    graph = connect(f"bolt://127.0.0.1:{free_port()}", "root", "x", "clew")
    pool = AgentPool(lambda prefix: GraphReader(graph, Neo4jSchema(graph), Namespace("t", prefix)), TermEmbedder())
    try:
        with pytest.raises(GraphUnavailableError):
            run(pool, "graph_agent", "Who directed Inception?")
    finally:
        graph.close()
