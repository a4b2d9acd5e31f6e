"""Notes of finished runs: how a worker tells the waiting turn that it is done before the whole plan is."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict

from clew.retrieval.evidence import RetrievalRun
from clew.table import ItemTable
from clew.table_keys import WORKER_PREFIX, run_note_key, run_notes_pk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

LIFE: Final = 600  # seconds; a turn is over long before


class RunNote(BaseModel):
    """That a worker has finished: how many passages it found, or its error class's name, of ``total`` workers."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    worker_name: str
    agent_type: str
    retrieval_count: int
    error: str = ""
    total: int

    @classmethod
    def of(cls, run: RetrievalRun, total: int) -> "RunNote":
        return cls(
            worker_name=run.worker_name,
            agent_type=run.agent_type,
            retrieval_count=len(run.passages),
            error=run.error.type if run.error else "",
            total=total,
        )


class RunNotes:
    """The notes of executions of the workflow, each under its execution's name, gone after ten minutes.

    A name must not be guessable: who knows it reads the notes, whoever the tenant is.
    """

    def __init__(self, table: "Table", clock: Callable[[], float] = time.time) -> None:
        self._table = ItemTable(table)
        self._clock = clock

    def put(self, execution: str, run: RetrievalRun, total: int) -> None:
        """Note that one of ``total`` runs is over; a second note of the same worker replaces the first."""
        now = self._clock()
        times = {"finished_at": int(now * 1000), "expires_at": int(now) + LIFE}
        self._table.put(run_note_key(execution, run.worker_name), RunNote.of(run, total).model_dump() | times)

    def finished(self, execution: str) -> list[RunNote]:
        """The workers that have finished, first to last; one that did just now may be missing still."""
        found = self._table.query(run_notes_pk(execution), begins_with=WORKER_PREFIX, consistent=False)
        alive = [item for item in found if item["expires_at"] > self._clock()]
        return [RunNote.model_validate(item) for item in sorted(alive, key=lambda item: item["finished_at"])]
