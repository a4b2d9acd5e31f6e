"""Merging the runs of a plan into one list of evidence."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from clew.retrieval.evidence import Evidence, Fact, Passage, Reference, RetrievalRun
from clew.retrieval.scores import standardised
from clew.retrieval.trace import mentioned, stated
from clew.text.tokens import estimate_tokens

# A worker that walks the graph finds the second hop, which word and meaning alone do not; weighing all
# workers alike throws that gain away.
WORKER_WEIGHT: Final = {"naive_rag_agent": 0.5, "hybrid_agent": 0.8}
MAX_PASSAGES: Final = 10
MAX_TOKENS: Final = 4_000


def merge(runs: list[RetrievalRun], max_tokens: int = MAX_TOKENS) -> Evidence:
    """Evidence of all runs, ranked by weighted score, each passage once with all its finders, within the budget.

    A passage that does not fit any more is passed over for shorter ones after it; the best one stays
    whatever its length.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    found: dict[str, Passage] = {}
    finders: defaultdict[str, list[str]] = defaultdict(list)
    for run in runs:
        weight = WORKER_WEIGHT.get(run.agent_type, 1.0)
        for passage_id, score in standardised({passage.id: passage.score for passage in run.passages}).items():
            scores[passage_id] += weight * score
        for passage in run.passages:
            known = found.get(passage.id)
            if known is None or (passage.path and not known.path):
                found[passage.id] = passage
            finders[passage.id] += passage.found_by or (run.agent_type,)
    ranked = [
        found[passage_id].model_copy(
            update={
                "score": round(scores[passage_id], 6),
                "found_by": tuple(dict.fromkeys(finders[passage_id])),
            }
        )
        for passage_id in sorted(scores, key=lambda key: (-scores[key], key))
    ]
    passages = tuple(_within(ranked, max_tokens))
    return Evidence(passages=passages, reference=_reference(passages, runs))


def _within(ranked: list[Passage], max_tokens: int) -> Iterable[Passage]:
    left, kept = max_tokens, 0
    for passage in ranked:
        tokens = estimate_tokens(passage.title) + estimate_tokens(passage.text)
        if kept and tokens > left:
            continue
        yield passage
        left -= tokens
        kept += 1
        if kept == MAX_PASSAGES:
            return


def _reference(passages: tuple[Passage, ...], runs: list[RetrievalRun]) -> Reference:
    kept = {passage.id for passage in passages}
    references = [run.reference for run in runs]
    facts: dict[tuple[str, str, str], Fact] = {}
    for fact in stated((fact for each in references for fact in each.facts), kept):
        facts.setdefault((fact.source, fact.relation, fact.target), fact)
    return Reference(
        linked=tuple({entity.id: entity for each in references for entity in each.linked}.values()),
        documents=tuple(dict.fromkeys(passage.document_id for passage in passages)),
        entities=tuple(mentioned(list(passages))),
        facts=tuple(facts.values()),
        communities=tuple({found.id: found for each in references for found in each.communities}.values()),
        rounds=tuple(round_ for each in references for round_ in each.rounds),
    )
