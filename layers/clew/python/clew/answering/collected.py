"""A stream of events collected into one answer."""

from collections.abc import AsyncIterator

from clew.answering.events import (
    Done,
    DoneContent,
    Event,
    ExecutionLog,
    ExecutionLogContent,
    Failed,
    Progress,
    ProgressContent,
    Start,
    Token,
)
from clew.errors import InternalError
from clew.problem import Problem, problem_of, problem_of_type


class CollectedAnswer(DoneContent):
    """All of a stream in one body: the whole answer, and what ``done`` carries.

    ``progress`` holds the last report of each worker, ``execution_log`` is filled where ``debug`` was asked.
    """

    answer: str
    progress: tuple[ProgressContent, ...] = ()
    execution_log: tuple[ExecutionLogContent, ...] = ()


async def collect(events: AsyncIterator[Event]) -> CollectedAnswer | Problem:
    """Read ``events`` to the end: the answer, or the problem that the ``error`` event told of."""
    text: list[str] = []
    progress: list[ProgressContent] = []
    log: list[ExecutionLogContent] = []
    async for event in events:
        match event:
            case Start():  # also where an answer has to be given anew
                text, progress, log = [], [], []
            case Token():
                text.append(event.content)
            case Progress() if event.content.agent_type:
                progress.append(event.content)
            case ExecutionLog():
                log.append(event.content)
            case Failed():
                return problem_of_type(event.type, event.message, event.instance)
            case Done():
                return CollectedAnswer(
                    **event.content.model_dump(),
                    answer="".join(text),
                    progress=tuple(progress),
                    execution_log=tuple(log),
                )
            case _:
                pass
    return problem_of(InternalError("The answer broke off."))
