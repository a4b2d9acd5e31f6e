"""What Clew asks of a graph engine, in the words of the package: the same on every engine."""

import threading
from concurrent.futures import ThreadPoolExecutor

import neo4j
import pytest

from clew.errors import GraphError, GraphUnavailableError
from clew.graph.connection import connect
from clew.graph.namespace import Namespace
from clew.graph.schema import GENERAL
from clew.local.ports import free_port
from clew.text.terms import index_terms, index_text, search_query
from tests.integration.graph.engines import Engine

PUT = "MERGE (n:Chunk:{label} {{id: $id}}) SET n.kb = $kb, n.terms = $terms, n.embedding = $embedding, n.text = $text"
NEAREST = "CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node, score RETURN node.id AS id, score"
MATCHING = """
CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score
RETURN node.id AS id, score ORDER BY score DESC LIMIT $limit
"""
AXES = {"x": [1.0, 0.0, 0.0], "y": [0.0, 1.0, 0.0], "xy": [0.8, 0.6, 0.0]}


def put(engine: Engine, namespace: Namespace, name: str, text: str = "", embedding: list[float] | None = None) -> str:
    node = namespace.node_id("c", name)
    query = PUT.format(label=namespace.chunk_label)
    values = {"id": node, "kb": namespace.key, "terms": index_text(text), "text": text}
    values["embedding"] = embedding or [0.6, 0.0, 0.8]
    engine.graph.write(lambda transaction: transaction.run(query, values).consume())
    return node


def nearest(engine: Engine, namespace: Namespace, vector: list[float], limit: int = 5) -> dict[str, float]:
    index = engine.schema.vector_index(namespace.chunk_label)
    return {row["id"]: row["score"] for row in engine.graph.read(NEAREST, index=index, limit=limit, vector=vector)}


def matching(engine: Engine, namespace: Namespace, text: str, limit: int = 5) -> list[str]:
    index = engine.schema.fulltext_index(namespace.chunk_label)
    rows = engine.graph.read(MATCHING, index=index, query=search_query(index_terms(text)), limit=limit)
    return [row["id"] for row in rows]


@pytest.fixture
def prepared(engine: Engine, namespace: Namespace) -> Namespace:
    """A knowledge base with its indexes, of vectors of three numbers."""
    engine.schema.prepare(namespace, 3)
    return namespace


def test_the_schema_can_be_prepared_again_without_harm(engine: Engine, prepared: Namespace) -> None:
    node = put(engine, prepared, "one", "green tea")
    engine.schema.prepare(prepared, 3)
    assert matching(engine, prepared, "tea") == [node]
    assert list(nearest(engine, prepared, [0.6, 0.0, 0.8])) == [node]


def test_ids_are_unique(engine: Engine, prepared: Namespace) -> None:
    node = put(engine, prepared, "one")
    create = "CREATE (n:Chunk {id: $id, kb: $kb})"
    with pytest.raises(GraphError):
        engine.graph.write(lambda transaction: transaction.run(create, id=node, kb=prepared.key).consume())
    assert engine.graph.read("MATCH (n:Chunk {id: $id}) RETURN count(n) AS count", id=node) == [{"count": 1}]


def test_vector_search_ranks_by_cosine_and_scores_it_between_0_and_1(engine: Engine, prepared: Namespace) -> None:
    ids = {name: put(engine, prepared, name, embedding=vector) for name, vector in AXES.items()}
    scores = nearest(engine, prepared, AXES["x"])
    assert sorted(scores, key=lambda key: -scores[key]) == [ids["x"], ids["xy"], ids["y"]]
    assert scores[ids["x"]] == pytest.approx(1.0, abs=1e-3)
    assert scores[ids["xy"]] == pytest.approx(0.9, abs=1e-3)
    assert scores[ids["y"]] == pytest.approx(0.5, abs=1e-3)


def test_vector_search_gives_no_more_than_asked_for(engine: Engine, prepared: Namespace) -> None:
    ids = {name: put(engine, prepared, name, embedding=vector) for name, vector in AXES.items()}
    assert list(nearest(engine, prepared, AXES["x"], limit=1)) == [ids["x"]]


def test_full_text_search_finds_any_of_the_terms_best_first(engine: Engine, prepared: Namespace) -> None:
    both = put(engine, prepared, "both", "green tea in the morning")
    one = put(engine, prepared, "one", "green hills")
    put(engine, prepared, "none", "a black horse")
    assert matching(engine, prepared, "green tea") == [both, one]


def test_full_text_search_keeps_chinese_bigrams_whole(engine: Engine, prepared: Namespace) -> None:
    right = put(engine, prepared, "right", "盗梦空间")
    put(engine, prepared, "wrong", "空中花园与梦话")  # shares characters, not bigrams
    assert matching(engine, prepared, "空间") == [right]
    assert matching(engine, prepared, "梦空") == [right]


def test_stop_words_are_found_where_they_were_indexed(engine: Engine, prepared: Namespace) -> None:
    node = put(engine, prepared, "one", "It")
    assert matching(engine, prepared, "it") == [node]


def test_a_changed_node_is_found_by_what_it_says_now(engine: Engine, prepared: Namespace) -> None:
    node = put(engine, prepared, "one", "green tea", AXES["x"])
    assert put(engine, prepared, "one", "black horse", AXES["y"]) == node
    assert matching(engine, prepared, "tea") == []
    assert matching(engine, prepared, "horse") == [node]
    assert nearest(engine, prepared, AXES["y"])[node] == pytest.approx(1.0, abs=1e-3)


def test_a_deleted_node_is_not_found_any_more(engine: Engine, prepared: Namespace) -> None:
    node = put(engine, prepared, "one", "green tea", AXES["x"])
    kept = put(engine, prepared, "two", "green hills", AXES["y"])
    delete = "MATCH (n:Chunk {id: $id}) DETACH DELETE n"
    engine.graph.write(lambda transaction: transaction.run(delete, id=node).consume())
    assert matching(engine, prepared, "green") == [kept]
    assert list(nearest(engine, prepared, AXES["x"])) == [kept]


def test_searches_stay_within_their_knowledge_base(engine: Engine) -> None:
    namespaces = [
        engine.namespace("films", "one"),
        engine.namespace("books", "one"),
        engine.namespace("films", "another"),
    ]
    ids = []
    for namespace in namespaces:
        engine.schema.prepare(namespace, 3)
        ids.append(put(engine, namespace, "one", "green tea", AXES["x"]))
    assert len(set(ids)) == 3
    for namespace, node in zip(namespaces, ids, strict=True):
        assert matching(engine, namespace, "tea") == [node]
        assert list(nearest(engine, namespace, AXES["x"])) == [node]


def test_prefixes_that_read_alike_are_told_apart(engine: Engine) -> None:
    """A label cannot hold every character of a prefix; the prefixes must still not share one."""
    dash, underscore = engine.namespace("a-b", "acme"), engine.namespace("a_b", "acme")
    for namespace in (dash, underscore):
        engine.schema.prepare(namespace, 3)
    node = put(engine, dash, "one", "green tea")
    assert matching(engine, dash, "tea") == [node]
    assert matching(engine, underscore, "tea") == []


@pytest.mark.parametrize(
    "value",
    ["", 'it\'s "quoted" `back` \\ticked\\', "行一\n行二\t«»", "𝄞 emoji 🎬", "{} $id ${x} ; DROP", "a" * 100_000],
    ids=["empty", "quotes", "lines", "astral", "braces", "long"],
)
def test_text_comes_back_as_it_was_stored(engine: Engine, prepared: Namespace, value: str) -> None:
    node = put(engine, prepared, "one", value)
    assert engine.graph.read("MATCH (n:Chunk {id: $id}) RETURN n.text AS text", id=node) == [{"text": value}]


def test_a_write_that_breaks_off_stores_nothing(engine: Engine, prepared: Namespace) -> None:
    query = PUT.format(label=prepared.chunk_label)
    node = prepared.node_id("c", "one")

    def work(transaction: neo4j.ManagedTransaction) -> None:
        values = {"id": node, "kb": prepared.key, "terms": "tea", "embedding": AXES["x"], "text": ""}
        transaction.run(query, values).consume()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.graph.write(work)
    assert engine.graph.read("MATCH (n:Chunk {id: $id}) RETURN n.id AS id", id=node) == []
    assert matching(engine, prepared, "tea") == []


def test_readers_and_a_writer_share_one_graph(engine: Engine, prepared: Namespace) -> None:
    put(engine, prepared, "first", "green tea", AXES["x"])
    written = threading.Event()

    def write() -> None:
        for number in range(20):
            put(engine, prepared, f"later {number}", "green hills", AXES["y"])
        written.set()

    def read() -> int:
        reads = 0
        while not written.is_set():
            assert matching(engine, prepared, "tea") == [prepared.node_id("c", "first")]
            reads += 1
        return reads

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(3)]
        threads.submit(write).result(timeout=60)
        assert all(reader.result(timeout=60) >= 0 for reader in readers)
    found = matching(engine, prepared, "hills", limit=50)
    assert len(found) == 20


def test_a_long_result_can_be_taken_row_by_row_and_left(engine: Engine) -> None:
    rows = engine.graph.stream("UNWIND range(1, $count) AS number RETURN number", count=5_000)
    assert [next(rows)["number"] for _ in range(3)] == [1, 2, 3]
    assert engine.graph.read("RETURN 1 AS one") == [{"one": 1}]
    assert sum(1 for _ in rows) == 4_997
    left = engine.graph.stream("UNWIND range(1, 5000) AS number RETURN number")
    next(left)
    left.close()
    with pytest.raises(GraphError):
        next(engine.graph.stream("MATCH (n RETURN n"))


def test_dropped_indexes_are_gone_and_can_be_made_again(engine: Engine) -> None:
    mine, other = engine.namespace("films", "drop"), engine.namespace("books", "drop")
    for namespace in (mine, other):
        engine.schema.prepare(namespace, 3)
    kept = put(engine, other, "one", "green tea")
    for _ in range(2):
        engine.schema.drop(mine)
    assert engine.schema.dimensions(mine) is None
    with pytest.raises(GraphError):
        nearest(engine, mine, AXES["x"])
    assert matching(engine, other, "tea") == [kept]
    engine.schema.prepare(mine, 3)
    node = put(engine, mine, "one", "green tea")
    assert matching(engine, mine, "tea") == [node]
    assert list(nearest(engine, mine, AXES["x"])) == [node]


def test_a_refused_query_is_a_graph_error(engine: Engine) -> None:
    with pytest.raises(GraphError):
        engine.graph.read("MATCH (n RETURN n")


def test_an_index_that_is_not_there_is_a_graph_error(engine: Engine) -> None:
    never_prepared = engine.namespace("nothing")
    with pytest.raises(GraphError):
        nearest(engine, never_prepared, AXES["x"])


def test_a_wrong_password_is_a_graph_error_that_does_not_tell_it(engine: Engine) -> None:
    graph = connect(engine.uri, engine.username, "not-the-password", engine.database)
    try:
        with pytest.raises(GraphError, match="credentials") as caught:
            graph.ping()
        assert "not-the-password" not in str(caught.value)
    finally:
        graph.close()


def test_a_graph_that_answers_answers_a_ping(engine: Engine) -> None:
    engine.graph.ping()


@pytest.mark.timeout(30)
def test_a_graph_that_is_down_is_unavailable() -> None:
    graph = connect(f"bolt://127.0.0.1:{free_port()}", "neo4j", "x", "neo4j")
    try:
        with pytest.raises(GraphUnavailableError):
            graph.ping()
    finally:
        graph.close()


def test_constraints_name_every_kind_of_node_that_is_looked_up_by_id() -> None:
    assert [label for label in ("Document", "Chunk", "Entity", "Alias") if f":{label})" not in str(GENERAL)] == []
