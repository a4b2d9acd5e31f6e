"""The retrieval function: one item of the workflow's Map."""

from functools import lru_cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ConfigDict

from clew import wiring
from clew.errors import ClewError, TransientError
from clew.observability import metrics
from clew.observability.invocations import observed
from clew.observability.logs import function_logger
from clew.observability.tracing import annotate
from clew.retrieval.evidence import RetrievalRun, RunError
from clew.retrieval.run import run_worker
from clew.routing.decision import RagRunSpec
from clew.settings import RetrievalSettings

logger = function_logger()


class MapItem(BaseModel):
    """What the Map passes for one run of the plan: ``total`` runs in the execution of that name."""

    model_config = ConfigDict(frozen=True)

    spec: RagRunSpec
    query: str
    tenant_id: str
    session_id: str
    execution: str = ""
    total: int = 1


@lru_cache
def settings() -> RetrievalSettings:
    return RetrievalSettings.load()


@logger.inject_lambda_context
@observed(lambda event: event.get("correlation_id"))
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    item = MapItem.model_validate(event)
    annotate(session_id=item.session_id, worker_name=item.spec.worker_name)
    try:
        run = run_worker(
            wiring.retrieval.agent_pool(settings(), item.tenant_id), item.spec, item.query, item.session_id
        )
    except TransientError as error:
        _count_failure(error)
        raise  # the workflow tries again, by the class's name
    except ClewError as error:
        # Trying again cannot help; the other runs of the plan answer.
        _count_failure(error)
        logger.warning("run failed", session_id=item.session_id, error=type(error).__name__, exc_info=error)
        run = RetrievalRun(
            worker_name=item.spec.worker_name,
            agent_type=item.spec.agent_type,
            error=RunError(type=type(error).__name__, message=str(error)),
        )
    else:
        found = {"RunDuration": metrics.milliseconds(run.took_ms), "Passages": metrics.count(len(run.passages))}
        metrics.write(settings().stage, found, agent_type=run.agent_type)
    logger.info(
        "retrieved",
        session_id=item.session_id,
        worker_name=run.worker_name,
        passages=len(run.passages),
        took_ms=run.took_ms,
    )
    if item.execution and item.total > 1:
        note_finished(item, run)
    return run.model_dump(mode="json")


def note_finished(item: MapItem, run: RetrievalRun) -> None:
    """Tell whoever waits for the whole plan that this run is over; a lone run's end is the workflow's."""
    try:
        wiring.stores.run_notes(settings()).put(item.execution, run, item.total)
    except Exception as error:  # the run itself is whole, and the workflow's end tells of it as well
        logger.warning("run not noted", session_id=item.session_id, error=type(error).__name__)


def _count_failure(error: ClewError) -> None:
    metrics.write(settings().stage, {"RunErrors": metrics.count(1)}, error=metrics.kind_of(type(error).__name__))
