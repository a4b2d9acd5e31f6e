"""Notes of finished runs: who has finished, in which order, for whom to read and for how long."""

from typing import Any

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from clew.retrieval.evidence import Passage, RetrievalRun, RunError
from clew.retrieval.run_notes import LIFE, RunNote, RunNotes
from clew.table_keys import RUN_PREFIX

PASSAGE = Passage(id="p1", document_id="d1", title="盗梦空间", text="A secret text.")


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def notes(table: Table, clock: Clock) -> RunNotes:
    return RunNotes(table, clock)


def run(agent_type: str, passages: int = 1, error: str = "") -> RetrievalRun:
    return RetrievalRun(
        worker_name=f"movie:{agent_type}:retrieve_only",
        agent_type=agent_type,
        passages=(PASSAGE,) * passages,
        error=RunError(type=error, message="A secret message.") if error else None,
    )


def finished(notes: RunNotes, execution: str = "e1") -> list[str]:
    return [note.agent_type for note in notes.finished(execution)]


def test_a_note_tells_who_finished_how_much_was_found_and_of_how_many(notes: RunNotes) -> None:
    notes.put("e1", run("graph_agent", passages=7), 2)
    assert notes.finished("e1") == [
        RunNote(worker_name="movie:graph_agent:retrieve_only", agent_type="graph_agent", retrieval_count=7, total=2)
    ]


def test_a_failed_run_is_noted_by_the_kind_of_its_error(notes: RunNotes) -> None:
    notes.put("e1", run("graph_agent", passages=0, error="GraphError"), 2)
    (note,) = notes.finished("e1")
    assert (note.error, note.retrieval_count) == ("GraphError", 0)


def test_notes_come_in_the_order_in_which_the_workers_finished(notes: RunNotes, clock: Clock) -> None:
    for agent_type in ("naive_rag_agent", "graph_agent", "hybrid_agent"):
        notes.put("e1", run(agent_type), 3)
        clock.now += 0.004
    assert finished(notes) == ["naive_rag_agent", "graph_agent", "hybrid_agent"]


def test_a_worker_that_ran_twice_is_noted_once(notes: RunNotes) -> None:
    notes.put("e1", run("graph_agent", passages=1), 2)
    notes.put("e1", run("graph_agent", passages=2), 2)
    assert [note.retrieval_count for note in notes.finished("e1")] == [2]


def test_another_executions_notes_are_not_seen(notes: RunNotes) -> None:
    notes.put("e1", run("graph_agent"), 2)
    assert finished(notes, "e") == finished(notes, "e2") == []


def test_a_note_ends_by_the_clock_and_not_when_it_is_deleted(notes: RunNotes, clock: Clock, table: Table) -> None:
    notes.put("e1", run("graph_agent"), 2)
    clock.now += LIFE - 1
    assert finished(notes) == ["graph_agent"]
    clock.now += 1
    assert finished(notes) == []
    assert items(table)[0]["expires_at"] == clock.now


def test_a_note_is_one_write_unit_and_says_nothing_of_what_was_found(notes: RunNotes, table: Table) -> None:
    notes.put("e1", run("graph_agent", passages=10, error="GraphError"), 2)
    (item,) = items(table)
    assert item["pk"].startswith(RUN_PREFIX)
    assert "secret" not in str(item)
    assert len(str(item)) < 1024


def items(table: Table) -> list[dict[str, Any]]:
    return table.scan()["Items"]
