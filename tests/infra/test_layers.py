"""What goes into the layers, and what they weigh."""

import re
from pathlib import Path

import pytest

from infra.build_layers import DEPENDENCY_LAYERS, strip
from infra.layer_requirements import RUNTIME_BRINGS
from infra.package_bytes import LIMIT, folder_bytes, function_bytes
from infra.paths import FUNCTIONS, LAPTOP_ONLY, LAYERS
from tests.infra.template import FUNCTIONS as FUNCTION_NAMES
from tests.infra.template import StackTemplate

LAPTOP_ROOMS = ("clew.local", "clew.cli", "clew.evaluation", "clew.drawing", "clew.openapi")


@pytest.fixture
def clew_asset(local: StackTemplate) -> Path:
    (folder,) = local.layer_assets().values()
    return folder / "python" / "clew"


def test_clew_layer_is_the_package_without_the_laptops_rooms(clew_asset: Path) -> None:
    source = LAYERS / "clew" / "python" / "clew"
    rooms = {path.parent.name for path in source.glob("*/__init__.py")}
    shipped = {path.parent.name for path in clew_asset.glob("*/__init__.py")}
    assert rooms - shipped == {room.removeprefix("clew.") for room in LAPTOP_ROOMS}
    assert {"routing", "retrieval", "conversation"} <= shipped


def test_clew_layer_holds_no_compiled_python(clew_asset: Path) -> None:
    assert not [path for path in clew_asset.rglob("*") if path.suffix == ".pyc" or path.name == "__pycache__"]


def test_nothing_that_ships_imports_the_laptops_rooms(clew_asset: Path) -> None:
    shipped = [*clew_asset.rglob("*.py"), *FUNCTIONS.rglob("*.py")]
    imports = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(map(re.escape, LAPTOP_ROOMS))})\b", re.MULTILINE)
    assert [str(path) for path in shipped if imports.search(path.read_text())] == []


def pins(layer: str) -> dict[str, str]:
    lines = (LAYERS / layer / "requirements.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("layer", DEPENDENCY_LAYERS)
def test_requirements_pin_versions_and_name_no_host(layer: str) -> None:
    content = (LAYERS / layer / "requirements.txt").read_text()
    assert pins(layer)
    assert "://" not in content
    assert not re.search(r"^-", content, re.MULTILINE)


def test_no_package_is_in_two_layers() -> None:
    assert not pins("deps-core").keys() & pins("deps-llm").keys()


def test_boto3_comes_from_the_runtime_except_where_langchain_needs_a_newer_one() -> None:
    assert not RUNTIME_BRINGS & pins("deps-core").keys()
    assert {"boto3", "botocore", "langchain-aws"} <= pins("deps-llm").keys()


def test_functions_with_their_layers_stay_far_below_lambdas_limit() -> None:
    weights = {each.name: each.total for each in function_bytes()}
    assert set(weights) == set(FUNCTION_NAMES)
    assert max(weights.values()) < 0.8 * LIMIT


def test_weight_counts_what_the_asset_holds(tmp_path: Path) -> None:
    for name in ("python/clew/a.py", "python/clew/local/b.py", "python/clew/__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"12345")
    assert folder_bytes(tmp_path) == 10
    assert folder_bytes(tmp_path, LAPTOP_ONLY) == 5


def test_strip_keeps_metadata_and_licences_and_drops_tests_scripts_and_records(tmp_path: Path) -> None:
    kept = ["pkg/__init__.py", "pkg-1.dist-info/METADATA", "pkg-1.dist-info/licenses/LICENSE"]
    dropped = [
        "bin/pkg",
        "pkg/__pycache__/x.pyc",
        "pkg/sub/tests/test_x.py",
        "pkg-1.dist-info/RECORD",
        "pkg-1.dist-info/sboms/x.json",
    ]
    for name in kept + dropped:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    strip(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(kept)
