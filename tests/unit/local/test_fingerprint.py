"""The fingerprint that decides whether to deploy."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.local.fingerprint import fingerprint


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "infra/app.py",
        "functions/api/handler.py",
        "layers/clew/python/clew/settings.py",
        "cdk.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def change(name: str) -> Callable[[Path], None]:
    def write(project: Path) -> None:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("changed")

    return write


def rename(project: Path) -> None:
    (project / "infra/app.py").rename(project / "infra/other.py")


CHANGES = {
    "a handler": change("functions/api/handler.py"),
    "the package": change("layers/clew/python/clew/settings.py"),
    "a new file": change("infra/new.py"),
    "the app's command": change("cdk.json"),
    "a name": rename,
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES.keys())
def test_what_is_deployed_changes_the_fingerprint(project: Path, changed: Callable[[Path], None]) -> None:
    before = fingerprint(project)
    changed(project)
    assert fingerprint(project) != before


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "infra/__pycache__/app.pyc",
        "layers/clew/python/clew/local/stack.py",
        "tests/unit/test_x.py",
    ],
)
def test_what_is_not_deployed_does_not(project: Path, name: str) -> None:
    before = fingerprint(project)
    change(name)(project)
    assert fingerprint(project) == before
