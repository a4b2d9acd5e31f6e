"""The alarms: what they watch, and whom they tell."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.stages import STAGES
from tests.infra.template import StackTemplate, synthesize, text


def alarm(stack: StackTemplate, name: str) -> dict[str, Any]:
    wanted = f"clew-{stack.stage.name}-memory-{name}"
    (found,) = [each for each in stack.of_type("AWS::CloudWatch::Alarm").values() if each["AlarmName"] == wanted]
    return found


def test_a_record_that_was_given_up_raises_an_alarm(stack: StackTemplate) -> None:
    found = alarm(stack, "given-up")
    (queue,) = stack.of_type("AWS::SQS::Queue")
    assert (found["Namespace"], found["MetricName"]) == ("AWS/SQS", "ApproximateNumberOfMessagesVisible")
    assert [(each["Name"], text(each["Value"])) for each in found["Dimensions"]] == [
        ("QueueName", f"<{queue}.QueueName>")
    ]
    assert (found["Threshold"], found["ComparisonOperator"]) == (1, "GreaterThanOrEqualToThreshold")
    assert (found["Statistic"], found["EvaluationPeriods"]) == ("Maximum", 1)


def test_memory_that_stays_behind_raises_an_alarm(stack: StackTemplate) -> None:
    found = alarm(stack, "behind")
    assert (found["Namespace"], found["MetricName"], found["Statistic"]) == ("AWS/Lambda", "IteratorAge", "Maximum")
    ((name, value),) = [(each["Name"], text(each["Value"])) for each in found["Dimensions"]]
    function = value.strip("<>")
    assert name == "FunctionName"
    assert stack.of_type("AWS::Lambda::Function")[function]["FunctionName"].endswith("-memory")
    assert (found["Threshold"], found["Period"], found["EvaluationPeriods"]) == (120_000, 60, 5)


def test_where_nobody_talks_no_alarm_is_raised(stack: StackTemplate) -> None:
    assert {each["TreatMissingData"] for each in stack.of_type("AWS::CloudWatch::Alarm").values()} == {"notBreaching"}


def test_alarms_tell_nobody_unless_the_stage_names_a_topic(
    stack: StackTemplate, tmp_path: Path, built_layers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any("AlarmActions" in each for each in stack.of_type("AWS::CloudWatch::Alarm").values())
    if stack.stage.name == "dev":
        topic = "arn:aws:sns:eu-west-1:123456789012:operators"
        monkeypatch.setitem(STAGES, "dev", replace(STAGES["dev"], alarm_topic_arn=topic))
        alarms = synthesize("dev", tmp_path, built_layers).of_type("AWS::CloudWatch::Alarm").values()
        assert [(each["AlarmActions"], each["OKActions"]) for each in alarms] == [([topic], [topic])] * 2


def test_every_alarm_has_its_entry_in_the_runbook(stack: StackTemplate) -> None:
    runbook = (Path(__file__).parents[2] / "docs" / "operate.md").read_text(encoding="utf-8")
    for each in stack.of_type("AWS::CloudWatch::Alarm").values():
        assert f"`{each['AlarmName'].replace(stack.stage.name, '<stage>')}`" in runbook
