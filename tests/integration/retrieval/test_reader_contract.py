"""Agents and the reader over a real graph: within their knowledge base, within bounds, whatever is asked."""

import json
import logging

import pytest

from clew.errors import ClewError, GraphUnavailableError, ModelThrottledError
from clew.graph.connection import connect
from clew.graph.namespace import Namespace
from clew.graph.schema import Neo4jSchema
from clew.knowledge.documents import Document
from clew.knowledge.graph_model import ReadEntity, ReadGraph, ReadRelation
from clew.knowledge.model_extraction import ModelExtraction
from clew.local.ports import free_port
from clew.retrieval.evidence import Passage, RetrievalRun
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.pool import AgentPool
from clew.retrieval.run import run_worker
from clew.routing.decision import RagRunSpec
from clew.routing.planning import MAX_PLAN
from clew.routing.worker_name import AGENT_TYPES, build_worker_name
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.term_embedder import TermEmbedder
from tests.integration.retrieval.stories import DOCUMENTS, TEXTS

AGENTS = AGENT_TYPES
STATE_BYTES = 256 * 1024  # what a workflow's state may hold
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


@pytest.fixture(scope="module")
def stories(engine: Engine, library: Library) -> Namespace:
    """Questions of several steps, and themes, in both languages."""
    namespace = engine.namespace("stories")
    library.load(namespace, DOCUMENTS, TermEmbedder())
    return namespace


@pytest.fixture(scope="module")
def story_pool(library: Library, stories: Namespace) -> AgentPool:
    return AgentPool(lambda _: library.reader(stories), TermEmbedder())


@pytest.fixture(scope="module")
def big(engine: Engine, library: Library) -> AgentPool:
    """Long documents in both languages, full of names: more of everything than a worker may return."""
    namespace = engine.namespace("big")
    people = [f"Ann{number} Person{number}" for number in range(40)]
    text = " ".join(f"{person} scored The Big Film with 钟声 {person}." for person in people * 6)
    chinese = "".join(
        f"《大电影》的第{number}段配乐由钟声·林{number}作曲，灵感来自山间的雾与海上的风。" for number in range(200)
    )
    documents = [Document(f"d{number}", f"The Big Film {number}", text) for number in range(3)]
    documents += [Document(f"z{number}", f"大电影（{number}）", chinese) for number in range(3)]
    library.load(namespace, documents, TermEmbedder())
    return AgentPool(lambda _: library.reader(namespace), TermEmbedder())


class Reranker:
    """Turns the order around, or fails; ``shown`` are the texts that it was given."""

    def __init__(self, error: Exception | None = None) -> None:
        self.shown: list[str] = []
        self._error = error

    def rerank(self, query: str, texts: list[str]) -> list[float]:
        if self._error:
            raise self._error
        self.shown = texts
        return [place / len(texts) for place in range(len(texts))]


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


class Director:
    """Reads one relation, which leads from a person to a film."""

    name = "scripted"

    def read(self, title: str, text: str) -> ReadGraph:
        stated = ReadRelation("Christopher Nolan", "Inception", "DIRECTED", "Christopher Nolan directed Inception.")
        return ReadGraph((ReadEntity("Christopher Nolan"), ReadEntity("Inception")), (stated,))


@pytest.mark.parametrize("question", ["Who directed Inception?", "Which film did Christopher Nolan direct?"])
def test_a_relation_is_told_as_it_was_stated_from_whichever_end_it_is_walked(
    engine: Engine, library: Library, question: str
) -> None:
    namespace = engine.namespace("directed")
    library.load(namespace, FILMS[:1], TermEmbedder(), extraction=ModelExtraction(Director()))
    pool = AgentPool(lambda _: library.reader(namespace), TermEmbedder())
    (fact,) = run(pool, "graph_agent", question, "directed").reference.facts
    assert (fact.source, fact.relation, fact.target) == ("Christopher Nolan", "DIRECTED", "Inception")


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
        for agent in ("fusion_agent", "deep_research_agent"):  # between them they make every search there is
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


@pytest.mark.parametrize("question", ["Who scored The Big Film 2?", "《大电影》的配乐由谁作曲？"])
def test_evidence_is_bounded_however_much_there_is(big: AgentPool, question: str) -> None:
    """All that a plan of the most workers may bring fits the workflow's state, in the widest way it may be written."""
    runs = [run(big, agent, question, "big") for agent in AGENTS]
    sizes = sorted(len(json.dumps(each.model_dump(mode="json"), ensure_ascii=True)) for each in runs)
    assert all(each.passages and each.reference.entities for each in runs)
    assert sum(sizes[-MAX_PLAN:]) < STATE_BYTES - 16 * 1024  # beside them the state has the message and the decision
    assert sizes[-1] < 41_000


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("question", ["Who composed the music of Silver Harbour?", "《银色海湾》由谁作曲？"])
def test_passages_and_facts_can_be_looked_up_in_the_documents(story_pool: AgentPool, agent: str, question: str) -> None:
    found = run(story_pool, agent, question, "stories")
    texts = {passage.id: passage.text for passage in found.passages}
    for passage in found.passages:
        assert TEXTS[passage.document_id][passage.start : passage.end] == passage.text
    for fact in found.reference.facts:
        assert set(fact.passage_ids) <= texts.keys()
        assert fact.said in texts[fact.passage_ids[0]]
    for entity in found.reference.entities:
        assert set(entity.passage_ids) <= texts.keys()
    assert set(found.reference.documents) == ids(found.passages)
    assert {entity.name for entity in found.reference.entities} & {"Marta Lind", "林雨荷"}
    related = {(fact.source, fact.target) for fact in found.reference.facts}
    pairs = {("Silver Harbour", "Marta Lind"), ("银色海湾", "林雨荷")}
    assert bool(related & (pairs | {pair[::-1] for pair in pairs})) == (agent != "naive_rag_agent")


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        (
            "What is the population of the town where the teacher of the composer of Silver Harbour was born?",
            ["silver-harbour", "marta-lind", "pavel-novak", "telmark"],
        ),
        (
            "《银色海湾》的作曲者的老师出生的小镇有多少人口？",
            ["yinse-gangwan", "lin-yuhe", "gu-changfeng", "qingshi-zhen"],
        ),
    ],
)
def test_research_reaches_a_third_step_that_one_walk_does_not(
    story_pool: AgentPool, question: str, documents: list[str]
) -> None:
    walked = run(story_pool, "graph_agent", question, "stories")
    assert documents[-1] not in ids(walked.passages[:5])
    researched = run(story_pool, "deep_research_agent", question, "stories")
    assert set(documents) <= ids(researched.passages[:5])
    rounds = researched.reference.rounds
    assert len(rounds) > 1
    assert rounds[0].queries == (question,)
    assert rounds[0].missing
    assert rounds[1].followed
    assert rounds[1].found > 0
    assert [bool(each.stopped) for each in rounds] == [False] * (len(rounds) - 1) + [True]
    assert walked.reference.rounds == ()


@pytest.mark.parametrize(
    ("question", "theme", "members"),
    [
        ("Which deep places were reached by expeditions?", "Alvin Two", {"alvin-two", "blue-lander"}),
        ("有哪些深海考察队？", "探海二号", {"requan-yuan", "tanhai-erhao", "shihui-dong"}),
    ],
)
def test_a_question_that_names_nothing_finds_passages_through_a_community(
    story_pool: AgentPool, question: str, theme: str, members: set[str]
) -> None:
    """Its words stand in the summary, and in none of these passages."""

    def places(agent: str) -> dict[str, int]:
        found = [passage.document_id for passage in run(story_pool, agent, question, "stories").passages]
        return {member: found.index(member) if member in found else len(found) for member in members}

    walked, through_community = places("graph_agent"), places("hybrid_agent")
    assert all(through_community[member] < walked[member] for member in members)
    community = run(story_pool, "hybrid_agent", question, "stories").reference.communities[0]
    assert theme in community.title
    assert community.summary


@pytest.mark.parametrize("question", ["Who composed the music of Silver Harbour?", "《银色海湾》由谁作曲？"])
def test_a_reranker_orders_what_fusion_found(
    library: Library, stories: Namespace, question: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fused(reranker: Reranker | None) -> list[str]:
        pool = AgentPool(lambda _: library.reader(stories), TermEmbedder(), reranker=reranker)
        found = run(pool, "fusion_agent", question, "stories").passages
        return [f"{passage.title}\n{passage.text}" for passage in found]

    order, reranker = fused(None), Reranker()
    turned = fused(reranker)
    assert len(reranker.shown) > len(turned) == len(order)
    assert reranker.shown[: len(order)] == order
    assert turned == reranker.shown[::-1][: len(order)]
    with caplog.at_level(logging.WARNING, "clew"):
        assert fused(Reranker(ModelThrottledError("busy"))) == order
    assert [record.getMessage() for record in caplog.records] == ["not reranked: ModelThrottledError"]


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
