"""Merging the runs of a plan into one list of evidence."""

from collections import defaultdict
from typing import Final

from clew.retrieval.evidence import EntityRef, Passage, RetrievalRun
from clew.retrieval.scores import standardised

# A worker that walks the graph finds the second hop, which word and meaning alone do not; weighing all
# workers alike throws that gain away.
WORKER_WEIGHT: Final = {"naive_rag_agent": 0.5}
MAX_PASSAGES: Final = 10
MAX_CHARACTERS: Final = 16_000  # about 4,000 tokens of English


def merge(runs: list[RetrievalRun]) -> list[Passage]:
    """Evidence of all runs, ranked by weighted score, each passage once with all its finders, within bounds."""
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
            finders[passage.id].append(run.agent_type)
    merged: list[Passage] = []
    characters = 0
    for passage_id in sorted(scores, key=lambda key: (-scores[key], key))[:MAX_PASSAGES]:
        passage = found[passage_id]
        characters += len(passage.text)
        if merged and characters > MAX_CHARACTERS:
            break
        update = {
            "score": round(scores[passage_id], 6),
            "found_by": tuple(dict.fromkeys(finders[passage_id])),
        }
        merged.append(passage.model_copy(update=update))
    return merged


def linked_entities(runs: list[RetrievalRun]) -> list[EntityRef]:
    """The entities that any worker recognised in the question, each once."""
    return list({entity.id: entity for run in runs for entity in run.linked}.values())
