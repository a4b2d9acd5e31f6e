"""Metrics of turns, as CloudWatch reads them out of the log."""

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clew.answering.turn.outcome import TurnOutcome
from clew.answering.usage import Usage
from clew.observability.correlation import bound
from clew.observability.metrics import kind_of
from clew.observability.turns import observe_turns

OPERATING = Path(__file__).parents[3] / "docs" / "operate.md"
DONE = TurnOutcome(
    ending="done",
    total_ms=812.04,
    first_token_ms=301.5,
    kb_prefix="movie",
    model="extractive",
    evidence=8,
    usage=Usage(input_tokens=900, output_tokens=40, cache_read_tokens=512),
    steps_ms={"remember": 12.0, "rewrite": 3.0, "lookup": 240.0, "generate": 500.0, "follow_up": 1.0},
)
GENERAL = replace(DONE, general=True, evidence=0)
NOTHING_SENT = replace(DONE, first_token_ms=None, usage=Usage(), steps_ms={}, evidence=0)


class Line(NamedTuple):
    """One line of embedded metrics: values by name, what they are counted under, and what the log alone has."""

    values: dict[str, float]
    dimensions: dict[str, str]
    facts: dict[str, Any]
    units: dict[str, str]


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The lines that one turn leaves."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "clew-answer")

    def tell(outcome: TurnOutcome) -> list[Line]:
        observe_turns("dev")(outcome)
        return [read(line) for line in capsys.readouterr().out.splitlines()]

    return tell


def read(text: str) -> Line:
    line = json.loads(text)
    (directive,) = line.pop("_aws")["CloudWatchMetrics"]
    assert directive["Namespace"] == "Clew"
    (names,) = directive["Dimensions"]
    units = {each["Name"]: each["Unit"] for each in directive["Metrics"]}
    values = {name: line.pop(name)[0] for name in units}
    return Line(values, {name: line.pop(name) for name in names}, line, units)


def test_a_turn_is_one_line_with_times_tokens_and_evidence(observed: Any) -> None:
    (line,) = observed(DONE)
    assert line.values == {
        "TurnDuration": 812.0,
        "TimeToFirstToken": 301.5,
        "RememberDuration": 12.0,
        "RewriteDuration": 3.0,
        "LookupDuration": 240.0,
        "GenerateDuration": 500.0,
        "FollowUpDuration": 1.0,
        "TokensIn": 900,
        "TokensOut": 40,
        "CacheReadTokens": 512,
        "EvidenceFound": 8,
        "DontKnow": 0,
        "Errors": 0,
        "Aborts": 0,
        "Cancelled": 0,
    }
    assert {unit for name, unit in line.units.items() if name.endswith(("Duration", "Token"))} == {"Milliseconds"}
    assert {unit for name, unit in line.units.items() if not name.endswith(("Duration", "Token"))} == {"Count"}


def test_what_could_be_any_text_is_no_dimension(observed: Any) -> None:
    with bound(correlation_id="r7"):
        (line,) = observed(replace(DONE, model="any-model", kb_prefix="any-kb"))
    assert line.dimensions == {"service": "clew-answer", "stage": "dev"}
    assert line.facts == {"ending": "done", "kb_prefix": "any-kb", "model": "any-model", "correlation_id": "r7"}


@pytest.mark.parametrize(
    ("outcome", "rates"),
    [
        (DONE, {"DontKnow": 0, "Errors": 0, "Aborts": 0, "Cancelled": 0}),
        (replace(DONE, unanswered=True), {"DontKnow": 1, "Errors": 0, "Aborts": 0, "Cancelled": 0}),
        (GENERAL, {"Errors": 0, "Aborts": 0, "Cancelled": 0}),
        (replace(DONE, ending="asked_user"), {"Errors": 0, "Aborts": 0, "Cancelled": 0}),
        (replace(DONE, ending="client_gone"), {"Errors": 0, "Aborts": 1, "Cancelled": 0}),
        (replace(DONE, ending="cancelled"), {"Errors": 0, "Aborts": 0, "Cancelled": 1}),
        (replace(DONE, ending="error", error="ModelError"), {"Errors": 1, "Aborts": 0, "Cancelled": 0}),
    ],
    ids=["answered", "not known", "general", "asked back", "client gone", "cancelled", "error"],
)
def test_rates_are_averages_over_the_turns_that_they_are_about(
    observed: Any, outcome: TurnOutcome, rates: dict[str, int]
) -> None:
    line = observed(outcome)[0]
    assert {
        name: line.values[name] for name in ("DontKnow", "Errors", "Aborts", "Cancelled") if name in line.values
    } == rates
    assert ("EvidenceFound" in line.values) is ("DontKnow" in line.values)


def test_a_turn_that_sent_nothing_has_no_first_token_and_no_tokens(observed: Any) -> None:
    (line,) = observed(replace(NOTHING_SENT, ending="client_gone"))
    assert set(line.values) == {"TurnDuration", "Errors", "Aborts", "Cancelled"}


def test_errors_are_counted_by_type_as_well(observed: Any) -> None:
    _, by_type = observed(replace(NOTHING_SENT, ending="error", error="GraphUnavailableError"))
    assert by_type.values == {"Errors": 1}
    assert by_type.dimensions == {"service": "clew-answer", "stage": "dev", "error": "GraphUnavailableError"}
    _, unknown = observed(replace(NOTHING_SENT, ending="error", error="ZeroDivisionError"))
    assert unknown.dimensions["error"] == "Unexpected"
    assert unknown.facts["raised"] == "ZeroDivisionError"


@pytest.mark.parametrize("name", ["KeyError", "", "annotations", "no such name", "BaseException"])
def test_kinds_of_errors_are_a_closed_set(name: str) -> None:
    assert kind_of(name) == "Unexpected"
    assert kind_of("TurnTimeoutError") == "TurnTimeoutError"


def test_turns_that_end_at_once_do_not_mix(observed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    observe = observe_turns("dev")
    ends = [
        threading.Thread(target=observe, args=(replace(DONE, total_ms=float(number), evidence=number),))
        for number in range(100)
    ]
    for each in ends:
        each.start()
    for each in ends:
        each.join()
    found = [read(line).values for line in capsys.readouterr().out.splitlines()]
    assert sorted(each["TurnDuration"] for each in found) == [float(number) for number in range(100)]
    assert all(each["TurnDuration"] == each["EvidenceFound"] for each in found)


def test_an_answer_does_not_fail_with_its_metrics(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sys.stdout", type("Full", (), {"write": lambda self, text: broken(text)})())
    observe_turns("dev")(DONE)
    assert "turn not observed" in caplog.text


def test_the_metrics_that_a_turn_leaves_are_those_that_the_operator_is_told_of(observed: Any) -> None:
    steps = dict.fromkeys(("remember", "rewrite", "lookup", "verify", "recall", "generate", "persist"), 1.0)
    (line,) = observed(replace(DONE, steps_ms=steps))
    table = re.search(r"^\| metric of a turn \|.*\n\|[-|]+\n((?:\|.*\n)+)", OPERATING.read_text("utf-8"), re.MULTILINE)
    assert table is not None
    listed = {name for row in table[1].splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert listed == set(line.values)
    assert len(listed) == 17, "the number that operate.md counts with"
