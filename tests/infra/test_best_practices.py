"""cdk-nag's AwsSolutions rules: met, or accepted where the finding is, with a reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.app import build


def findings(stage: str, outdir: Path, built_layers: Path) -> list[dict[str, Any]]:
    from aws_cdk import Validations
    from cdk_nag import AwsSolutionsChecks

    app = build(outdir=str(outdir), built_layers=built_layers, stage=stage)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    app.synth()
    report = json.loads((outdir / "validation-report.json").read_text())
    return [
        {"rule": violation["ruleName"], "at": construct["constructPath"]}
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for construct in violation["violatingConstructs"]
    ]


@pytest.mark.parametrize("stage", ["dev", "prod"])
def test_no_finding_is_left_open(stage: str, tmp_path: Path, built_layers: Path) -> None:
    assert findings(stage, tmp_path, built_layers) == []


@pytest.mark.usefixtures("optional_models")
def test_no_finding_is_left_open_with_the_optional_models(tmp_path: Path, built_layers: Path) -> None:
    assert findings("dev", tmp_path, built_layers) == []
