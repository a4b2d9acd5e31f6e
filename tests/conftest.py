"""What every suite shares: an AWS environment that leads nowhere by accident, an order, no silent skips."""

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

FAKE = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
}
UNSET = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_BEARER_TOKEN_BEDROCK")
FIGURE = "figure"
ROOT = Path(__file__).parent
SUITES = ("unit", "infra", "integration", "e2e")


@pytest.fixture(scope="session", autouse=True)
def fake_aws_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in FAKE.items():
            patch.setenv(name, value)
        for name in UNSET:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Show a figure at the end of the run, also where the test passes."""
    return lambda text: record_property(FIGURE, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told = [
        (report.nodeid, text)
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, text in report.user_properties
        if name == FIGURE
    ]
    if told:
        terminalreporter.section("figures")
    for test, text in told:
        terminalreporter.write_line(f"{test}: {text}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The cheap suites first: what they find need not wait for the dear ones.

    Over several processes it is the other way round: the dear ones would keep one of them busy after the others.
    """
    items.sort(key=_suite, reverse=hasattr(config, "workerinput"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """However many processes there are, and whatever ``--dist`` says."""
    from tests.scheduler import Scheduler

    return Scheduler(config, log)


def _suite(item: pytest.Item) -> int:
    parts = item.path.relative_to(ROOT).parts if item.path.is_relative_to(ROOT) else ()
    return SUITES.index(parts[0]) if parts and parts[0] in SUITES else len(SUITES)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """With ``CI=true`` a test that is skipped has failed: nobody would notice that it no longer runs."""
    if os.environ.get("CI") != "true" or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} was skipped, and CI skips nothing: {reason}"
