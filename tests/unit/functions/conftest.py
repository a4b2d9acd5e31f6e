"""Handlers loaded as Lambda loads them, each test anew, with events as the services send them."""

import importlib.util
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from clew import wiring

ROOT = Path(__file__).parents[3]
EVENTS = ROOT / "tests" / "events"


@dataclass(frozen=True)
class Context:
    """What the Lambda runtime passes beside an event."""

    function_name: str = "clew-dev-api"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:clew-dev-api"
    aws_request_id: str = "52fdfc07-2182-454f-963f-5f0f9a621d72"
    remaining_ms: int = 60_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """A function takes over the log of its process, which here is that of all tests."""
    root, package = logging.getLogger(), logging.getLogger("clew")
    handlers, level = root.handlers[:], package.level
    yield
    root.handlers[:] = [each for each in root.handlers if each in handlers]
    package.setLevel(level)


@pytest.fixture
def context() -> Context:
    return Context()


@pytest.fixture
def read_event() -> Callable[[str], dict[str, Any]]:
    """One of the recorded events, fresh."""

    def read(name: str) -> dict[str, Any]:
        event: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
        return event

    return read


@pytest.fixture
def load_handler(monkeypatch: pytest.MonkeyPatch, table: Any) -> Iterator[Callable[..., ModuleType]]:
    """Load ``functions/<name>/handler.py`` with the environment that the stack gives it."""

    def load(name: str, **environment: str) -> ModuleType:
        service = f"clew-{name}"
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", service)
        # Loggers outlive a module, and an earlier test's would write where that test was captured.
        logging.Logger.manager.loggerDict.pop(service, None)
        for variable, value in {"CLEW_STAGE": "dev", "CLEW_TABLE_NAME": table.name, **environment}.items():
            monkeypatch.setenv(variable, value)
        path = ROOT / "functions" / name / "handler.py"
        spec = importlib.util.spec_from_file_location(f"clew_functions_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    wiring.stores.dynamodb_table.cache_clear()
    yield load
    wiring.stores.dynamodb_table.cache_clear()
