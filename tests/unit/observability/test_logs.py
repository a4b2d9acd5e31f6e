"""A function's log: every line is JSON in one form, whoever wrote it."""

import asyncio
import gc
import json
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clew.observability.correlation import bound
from clew.observability.logs import function_logger
from clew.observability.tracing import in_trace

SECRET = "Zebrafinch 密语"
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def take_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Take over the process's log as a function does; all is given back at the end."""
    root, package = logging.getLogger(), logging.getLogger("clew")
    handlers, level = root.handlers[:], package.level
    server = [logging.getLogger(name) for name in ("uvicorn", "uvicorn.error")]
    kept = [(each, each.handlers[:], each.propagate, each.level) for each in server]

    def start(log_level: str = "INFO") -> Any:
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "clew-test")
        monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", log_level)
        logging.Logger.manager.loggerDict.pop("clew-test", None)
        return function_logger()

    yield start
    root.handlers[:] = handlers
    package.setLevel(level)
    for each, its_handlers, propagate, its_level in kept:
        each.handlers[:], each.propagate = its_handlers, propagate
        each.setLevel(its_level)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """What was written to standard output, all of it JSON, and nothing to standard error."""

    def read() -> list[dict[str, Any]]:
        captured = capsys.readouterr()
        assert captured.err == ""
        return [json.loads(line) for line in captured.out.splitlines()]

    return read


def test_lines_of_the_function_the_package_and_libraries_have_the_same_keys(take_over: Any, lines: Lines) -> None:
    logger = take_over()
    with bound(correlation_id="r7"):
        logger.warning("one", session_id="s1")
        logging.getLogger("clew.memory.keeper").warning("two", extra={"session_id": "s1"})
        logging.getLogger("neo4j.pool").warning("three", extra={"session_id": "s1"})
    found = lines()
    assert len({frozenset(each) for each in found}) == 1
    assert [each["message"] for each in found] == ["one", "two", "three"]
    assert [each["name"] for each in found] == ["clew-test", "clew.memory.keeper", "neo4j.pool"]
    assert {(each["service"], each["correlation_id"]) for each in found} == {("clew-test", "r7")}


def test_the_package_tells_what_the_level_says_and_libraries_warn_at_most(take_over: Any, lines: Lines) -> None:
    take_over()
    for name in ("clew.routing.router", "botocore", "uvicorn.error"):
        for level in (logging.DEBUG, logging.INFO, logging.WARNING):
            logging.getLogger(name).log(level, "a line")
    told = [(each["name"], each["level"]) for each in lines()]
    ours = [("clew.routing.router", "INFO"), ("clew.routing.router", "WARNING")]
    assert told == [*ours, ("botocore", "WARNING"), ("uvicorn.error", "WARNING")]


def test_starting_again_writes_no_line_twice(take_over: Any, lines: Lines) -> None:
    take_over()
    take_over().info("once")
    logging.getLogger("clew.x").info("once more")
    assert [each["message"] for each in lines()] == ["once", "once more"]


def test_the_handlers_of_lambdas_runtime_and_of_the_server_are_replaced(take_over: Any, lines: Lines) -> None:
    class LambdaLoggerHandler(logging.StreamHandler[Any]):
        """As the runtime's is called, which writes what an error says."""

    logging.getLogger().addHandler(LambdaLoggerHandler(sys.stdout))
    logging.getLogger("uvicorn").addHandler(logging.StreamHandler(sys.stderr))
    logging.getLogger("uvicorn").propagate = False
    take_over()
    logging.getLogger("clew.x").warning("a line")
    logging.getLogger("uvicorn.error").error("another")
    assert [each["message"] for each in lines()] == ["a line", "another"]


def test_an_error_is_told_without_its_words_until_the_level_is_debug(take_over: Any, lines: Lines) -> None:
    for level in ("INFO", "DEBUG"):
        logger = take_over(level)
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            error.add_note(SECRET)
            logger.exception("failed")
            logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=error)
    quiet, quiet_server, whole, _ = lines()
    assert SECRET not in json.dumps([quiet, quiet_server], ensure_ascii=False)
    assert (quiet["exception_name"], quiet["exception"].splitlines()[-1]) == ("ValueError", "ValueError")
    assert quiet_server["message"] == "Exception in ASGI application"
    assert f"ValueError: {SECRET}" in whole["exception"]


async def test_an_error_that_no_task_waited_for_is_told_without_its_words(take_over: Any, lines: Lines) -> None:
    take_over()

    async def fail() -> None:
        raise ValueError(SECRET)

    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    gc.collect()
    (line,) = lines()
    assert (line["name"], line["message"]) == ("asyncio", "Task exception was never retrieved")
    assert SECRET not in json.dumps(line, ensure_ascii=False)


def test_lines_name_the_trace_that_they_belong_to(take_over: Any, lines: Lines) -> None:
    logger = take_over()
    with in_trace("Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"):
        logger.info("in it")
    logger.info("outside")
    inside, outside = lines()
    assert inside["xray_trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"
    assert "xray_trace_id" not in outside
