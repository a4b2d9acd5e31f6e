"""A data set: a corpus to load and questions whose passages are known."""

import json
from dataclasses import dataclass
from pathlib import Path

from clew.errors import DocumentError
from clew.knowledge.documents import MAX_LINE_BYTES, Documents, read_documents
from clew.knowledge.encoding import DEFAULT_ENCODING, decoded_lines


@dataclass(frozen=True, slots=True)
class Query:
    """A question and the ids of the documents that together answer it."""

    id: str
    question: str
    gold: frozenset[str]


def read_corpus(folder: Path) -> Documents:
    """The documents of ``corpus.jsonl``: ``{id, title, text, source?}`` a line."""
    return read_documents([folder / "corpus.jsonl"])


def read_queries(folder: Path, limit: int = 0) -> list[Query]:
    """The questions of ``queries.jsonl``: ``{id, question, gold: [document id, …]}`` a line; all without a limit."""
    path = folder / "queries.jsonl"
    if not path.is_file():
        raise DocumentError(str(path), "no such file.")
    queries: list[Query] = []
    for number, line in decoded_lines(path, DEFAULT_ENCODING, MAX_LINE_BYTES):
        if isinstance(line, DocumentError):
            raise line
        if line.strip():
            queries.append(_query(line, f"{path}:{number}"))
        if limit and len(queries) >= limit:
            break
    if not queries:
        raise DocumentError(str(path), "it holds no question.")
    return queries


def _query(line: str, where: str) -> Query:
    try:
        record = json.loads(line)
        query = Query(str(record["id"]), str(record["question"]), frozenset(map(str, record["gold"])))
    except (ValueError, KeyError, TypeError) as error:
        raise DocumentError(where, 'not {"id", "question", "gold": […]} as JSON on one line.') from error
    if not query.gold or not query.question.strip():
        raise DocumentError(where, "question and gold must not be empty.")
    return query
