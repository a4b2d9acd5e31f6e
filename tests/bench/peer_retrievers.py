"""The retrievers of neo4j-graphrag over our graph, run in an environment of their own (requirements/peers.txt).

Started by ``tests.bench.peers``: reads where the graph is from standard input, prints one JSON object.
They see the same passages and the same vectors as our workers, embed questions with the same model, and get a
full-text index of their own over titles and texts, as the library makes one, because ours holds stems.
"""

import importlib.metadata
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import neo4j
from neo4j_graphrag.embeddings import Embedder
from neo4j_graphrag.indexes import create_fulltext_index
from neo4j_graphrag.retrievers import HybridCypherRetriever, HybridRetriever, VectorRetriever
from neo4j_graphrag.types import RetrieverResult, RetrieverResultItem

from clew.evaluation.dataset import read_queries
from clew.models.e5_embedder import E5Embedder
from tests.bench.lucene import escaped
from tests.bench.rounds import ROUNDS

TOP_K: Final = 20  # passages; a document may have several, and ten documents are looked at
FOUND_FIRST: Final = 5  # the library's own top_k, where a hop follows
WIDER: Final = 5  # effective_search_ratio: Neo4j's vector index misses near ones when asked for few
PROPERTIES: Final = ["document_id", "title", "text"]
# Ours, because the library has none: a found passage hands its score on to the passages about the entities that
# it mentions.
ONE_HOP: Final = """
CALL (node, score) {
    RETURN node AS passage, score AS given
    UNION ALL
    MATCH (node)-[:MENTIONS]->(:Entity)<-[:MENTIONS {about: true}]-(passage:Chunk)
    WHERE passage <> node
    RETURN DISTINCT passage, score AS given
}
WITH passage, sum(given) AS total ORDER BY total DESC, passage.id LIMIT 20
RETURN passage {.document_id, .title, .text} AS node, total AS score
"""


class E5(Embedder):
    """Our embedder behind the library's class."""

    def __init__(self) -> None:
        super().__init__()
        self._e5 = E5Embedder()

    def embed_query(self, text: str, **_: Any) -> list[float]:
        return self._e5.embed_query(text)


def main() -> int:
    request = json.load(sys.stdin)
    queries = read_queries(Path(request["dataset"]), request["limit"])
    auth = ("neo4j", request["password"])
    found = {}
    with neo4j.GraphDatabase.driver(request["uri"], auth=auth, notifications_min_severity="OFF") as driver:
        for name, search in _searches(driver, request).items():
            for _ in range(ROUNDS):
                found[name] = [_ask(search, query.question) for query in queries]
    json.dump({"version": importlib.metadata.version("neo4j-graphrag"), "retrievers": found}, sys.stdout)
    return 0


def _searches(driver: neo4j.Driver, request: dict[str, Any]) -> dict[str, Callable[[str], RetrieverResult]]:
    """What is measured, by name.

    The library hands one text to the embedder and, as it is, to Lucene; so where both are asked, the question
    is embedded beside it.
    """
    vectors, words = request["vector_index"], f"{request['chunk_label']}_peers"
    create_fulltext_index(driver, words, label=request["chunk_label"], node_properties=["title", "text"])
    driver.execute_query("CALL db.awaitIndexes(60)")
    e5 = E5()
    plain: dict[str, Any] = {"embedder": e5, "return_properties": PROPERTIES, "result_formatter": _item}
    vector = VectorRetriever(driver, vectors, **plain)
    hybrid = HybridRetriever(driver, vectors, words, **plain)
    hop = HybridCypherRetriever(driver, vectors, words, ONE_HOP, embedder=e5, result_formatter=_item)

    def with_words(retriever: HybridRetriever | HybridCypherRetriever, question: str, top_k: int) -> RetrieverResult:
        return retriever.search(
            query_text=escaped(question),
            query_vector=e5.embed_query(question),
            top_k=top_k,
            effective_search_ratio=WIDER,
        )

    return {
        "VectorRetriever": lambda question: vector.search(
            query_text=question, top_k=TOP_K, effective_search_ratio=WIDER
        ),
        "HybridRetriever": lambda question: with_words(hybrid, question, TOP_K),
        "HybridCypherRetriever, one hop": lambda question: with_words(hop, question, FOUND_FIRST),
    }


def _item(record: neo4j.Record) -> RetrieverResultItem:
    node = record["node"]
    return RetrieverResultItem(content=node["text"], metadata={"document_id": node["document_id"]})


def _ask(search: Callable[[str], RetrieverResult], question: str) -> dict[str, Any]:
    """Ids of the documents found, best first, and the milliseconds, embedding included."""
    began = time.perf_counter()
    found = search(question)
    took = 1000 * (time.perf_counter() - began)
    return {
        "documents": list(dict.fromkeys(item.metadata["document_id"] for item in found.items)),
        "milliseconds": took,
    }


if __name__ == "__main__":
    sys.exit(main())
