"""Which tests run in one process when a run has several: those that share what takes long to make."""

from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

# By the beginning of a test's id. All others stay together by file, with what the file has loaded into an engine.
TOGETHER: Final = {
    "tests/e2e/": "stack",
    "tests/integration/retrieval/test_demo_": "demo",
    "tests/infra/": "templates",
}


class Scheduler(LoadScopeScheduling):
    """Gives whole groups to processes that have nothing left, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return next((group for start, group in TOGETHER.items() if nodeid.startswith(start)), nodeid.partition("::")[0])
