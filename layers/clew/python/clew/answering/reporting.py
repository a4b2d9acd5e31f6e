"""What a turn reports of its steps: progress for everybody, a log for who asks for it."""

from typing import Any

from clew.answering import events
from clew.retrieval.evidence import RetrievalRun


def retrieval_progress(completed: int, total: int, run: RetrievalRun | None = None) -> events.Progress:
    """That ``completed`` of ``total`` workers have answered, the last of them with ``run``."""
    return events.Progress(
        content=events.ProgressContent(
            stage="retrieval",
            completed=completed,
            total=total,
            error=run.error.type if run and run.error else None,
            agent_type=run.agent_type if run else "",
            retrieval_count=len(run.passages) if run and not run.error else None,
        )
    )


def run_summary(run: RetrievalRun) -> dict[str, Any]:
    """A run without its passages' texts."""
    return {
        "passages": [{"id": passage.id, "title": passage.title, "score": passage.score} for passage in run.passages],
        "linked": [entity.name for entity in run.linked],
        "took_ms": run.took_ms,
        "error": run.error.model_dump() if run.error else None,
    }


def step_log(node: str, given: dict[str, Any], result: dict[str, Any]) -> events.Event:
    """One entry of the execution log: what went into a step and what came out."""
    return events.ExecutionLog(content=events.ExecutionLogContent(node=node, input=given, output=result))
