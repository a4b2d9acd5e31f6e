"""Running a worker over the questions of a data set."""

import time
from collections.abc import Callable

from clew.evaluation.dataset import Query
from clew.evaluation.metrics import Outcome
from clew.retrieval.agent import Agent

WARM_UP = "Is everything ready?"  # the first call loads models and opens connections; it is not counted


def run_queries(agent: Agent, queries: list[Query], progress: Callable[[int, int], None]) -> list[Outcome]:
    """Ask ``agent`` every question, one after the other; the embedding of the question is part of the time."""
    agent.retrieve_with_trace(WARM_UP, "evaluation")
    outcomes: list[Outcome] = []
    for number, query in enumerate(queries):
        progress(number, len(queries))
        began = time.perf_counter()
        found = agent.retrieve_with_trace(query.question, "evaluation")
        took = (time.perf_counter() - began) * 1000
        documents = tuple(dict.fromkeys(record["document_id"] for record in found["retrieval_results"]))
        outcomes.append(Outcome(query, documents, took))
    progress(len(queries), len(queries))
    return outcomes
