"""The pins of the CDK's command line, and of the npm package that tests read streams with."""

import json
from pathlib import Path

import pytest

from infra.paths import ROOT

FOLDERS = (ROOT, ROOT / "tests" / "e2e" / "wire" / "fetch_event_source")


@pytest.fixture(params=FOLDERS, ids=["cdk", "fetch-event-source"])
def folder(request: pytest.FixtureRequest) -> Path:
    """Where a package.json and its lock file are."""
    found: Path = request.param
    return found


def test_lock_file_names_no_registry(folder: Path) -> None:
    content = (folder / "package-lock.json").read_text()
    assert "resolved" not in content
    assert "://" not in content


def test_lock_file_holds_the_version_that_package_json_pins(folder: Path) -> None:
    wanted = json.loads((folder / "package.json").read_text())
    ((name, version),) = (wanted.get("dependencies", {}) | wanted.get("devDependencies", {})).items()
    locked = json.loads((folder / "package-lock.json").read_text())["packages"][f"node_modules/{name}"]
    assert locked["version"] == version
    assert locked["integrity"].startswith("sha512-")
