"""The CDK app: ``python -m infra.app``, told its stage by ``cdk … -c stage=dev``."""

import sys
from pathlib import Path
from typing import Final

from aws_cdk import App, CloudFormationValidatePlugin, Validations

from infra.layers import LayersNotBuiltError
from infra.paths import BUILT_LAYERS
from infra.stack import ClewStack
from infra.stages import STAGES, StageConfig, UnknownStageError

# Here and not in cdk.json, so that a test synthesizes what the command line does.
FEATURE_FLAGS: Final = {
    "@aws-cdk/aws-apigateway:disableCloudWatchRole": True,
    "@aws-cdk/aws-iam:minimizePolicies": True,
    "@aws-cdk/aws-lambda:createNewPoliciesWithAddToRolePolicy": False,
    "@aws-cdk/aws-lambda:recognizeLayerVersion": True,
    "@aws-cdk/core:checkSecretUsage": True,
    "@aws-cdk/core:validateAgainstDefaultRules": True,
}


def stage_of(app: App) -> StageConfig:
    """The stage that the context names; UnknownStageError says how to name one."""
    name = app.node.try_get_context("stage")
    if name not in STAGES:
        raise UnknownStageError(name)
    return STAGES[name]


def build(outdir: str | None = None, built_layers: Path = BUILT_LAYERS, **context: str) -> App:
    """The app with its one stack, not yet synthesized; ``context`` is what ``-c`` would give."""
    app = App(
        outdir=outdir,
        context={**FEATURE_FLAGS, **context},
        analytics_reporting=False,
        builtin_cloud_formation_validation=False,
    )
    stage = stage_of(app)
    if stage.validated:
        Validations.of(app).add_plugins(CloudFormationValidatePlugin())
    ClewStack(app, f"Clew-{stage.name}", stage=stage, built_layers=built_layers)
    return app


def main() -> int:
    """Synthesize into the folder that the CDK command line asks for; 1 when the caller must do something."""
    try:
        build().synth()
    except (UnknownStageError, LayersNotBuiltError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
