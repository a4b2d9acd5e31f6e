"""What a turn reports of its steps: progress for everybody, a log for who asks for it."""

from typing import Any

from clew.answering import events
from clew.retrieval.evidence import Evidence, RetrievalRun
from clew.retrieval.run_notes import RunNote


def retrieval_progress(completed: int, note: RunNote | None = None) -> events.Progress:
    """That ``completed`` workers have finished, the last of them as ``note`` tells; without one, that they begin."""
    return events.Progress(
        content=events.ProgressContent(
            stage="retrieval",
            completed=completed,
            total=note.total if note else 0,
            error=note.error or None if note else None,
            agent_type=note.agent_type if note else "",
            retrieval_count=note.retrieval_count if note and not note.error else None,
        )
    )


def run_summary(run: RetrievalRun) -> dict[str, Any]:
    """A run without its passages' texts."""
    return {
        "passages": [{"id": passage.id, "title": passage.title, "score": passage.score} for passage in run.passages],
        "linked": [entity.name for entity in run.reference.linked],
        "communities": [community.title for community in run.reference.communities],
        "rounds": [each.model_dump(mode="json") for each in run.reference.rounds],
        "took_ms": run.took_ms,
        "error": run.error.model_dump() if run.error else None,
    }


def evidence_summary(evidence: Evidence) -> dict[str, Any]:
    """Merged evidence without texts: who found each passage, and how many facts stand beside them."""
    return {
        "passages": [{"id": passage.id, "found_by": passage.found_by} for passage in evidence.passages],
        "facts": len(evidence.reference.facts),
        "communities": len(evidence.reference.communities),
    }


def step_log(node: str, given: dict[str, Any], result: dict[str, Any]) -> events.Event:
    """One entry of the execution log: what went into a step and what came out."""
    return events.ExecutionLog(content=events.ExecutionLogContent(node=node, input=given, output=result))
