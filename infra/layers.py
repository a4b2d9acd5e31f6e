"""The layers: the product's own package, and the packages that it needs."""

from pathlib import Path
from typing import Final

from aws_cdk import Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.paths import COMPILED_PYTHON, LAPTOP_ONLY, LAYERS
from infra.stages import StageConfig

PYTHON: Final = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE: Final = lambda_.Architecture.ARM_64

# AWS publishes the adapter as a layer of its own account; 30 is release 1.1.0.
WEB_ADAPTER_ACCOUNT: Final = "753240598075"
WEB_ADAPTER_LAYER: Final = "LambdaAdapterLayerArm64:30"


class LayersNotBuiltError(Exception):
    """A stage for AWS is synthesized before its dependency layers were built."""

    def __init__(self, missing: Path) -> None:
        super().__init__(f"There is no {missing}: run `make layers` first.")


class Layers(Construct):
    """``common`` go on every function, ``answer`` on the answer function besides."""

    def __init__(self, scope: Construct, id: str, *, stage: StageConfig, built: Path) -> None:
        super().__init__(scope, id)
        self.common: list[lambda_.ILayerVersion] = [self._layer("Clew", LAYERS / "clew", LAPTOP_ONLY)]
        self.answer: list[lambda_.ILayerVersion] = []
        if stage.dependency_layers:
            self.common.append(self._built("DepsCore", built / "deps-core"))
            self.answer.append(self._built("DepsLlm", built / "deps-llm"))
        if stage.web_adapter:
            region = Stack.of(self).region
            arn = f"arn:aws:lambda:{region}:{WEB_ADAPTER_ACCOUNT}:layer:{WEB_ADAPTER_LAYER}"
            self.answer.append(lambda_.LayerVersion.from_layer_version_arn(self, "WebAdapter", arn))

    def _built(self, id: str, folder: Path) -> lambda_.LayerVersion:
        if not (folder / "python").is_dir():
            raise LayersNotBuiltError(folder)
        return self._layer(id, folder)

    def _layer(self, id: str, folder: Path, besides: tuple[str, ...] = ()) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            id,
            code=lambda_.Code.from_asset(str(folder), exclude=[*COMPILED_PYTHON, *besides]),
            compatible_runtimes=[PYTHON],
            compatible_architectures=[ARCHITECTURE],
        )
