"""Tests on a real Neo4j where the tools for it are missing: left out with the reason, but not in CI."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.neo4j_server import artifacts
from tests.neo4j_server.errors import MissingToolError

PROJECT = Path(__file__).parents[2]


def outcome(ci: str, folder: Path) -> tuple[int, str]:
    """Run a command that leaves a mark, with no program but Python in reach."""
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.neo4j_server", sys.executable, "-c", f"open({str(folder / 'mark')!r}, 'w')"],
        cwd=PROJECT,
        env=environment | {"CI": ci, "PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not (folder / "mark").exists()
    return done.returncode, done.stdout


def program(folder: Path, name: str, says: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    path.chmod(0o755)


def test_without_java_the_tests_are_skipped_with_the_reason(tmp_path: Path) -> None:
    code, output = outcome("", tmp_path)
    assert code == 0
    assert output == "The tests on Neo4j are skipped. Missing: Java 17 or later: there is no java on the path.\n"


def test_without_java_ci_fails_and_says_what_is_missing(tmp_path: Path) -> None:
    code, output = outcome("true", tmp_path)
    assert code == 1
    assert "Missing: Java 17 or later" in output


@pytest.mark.parametrize(("version", "major"), [("1.8.0_402", 1), ("11.0.2", 11)])
def test_an_older_java_is_as_good_as_none(tmp_path: Path, version: str, major: int) -> None:
    program(tmp_path, "java", f'openjdk version "{version}" 2019-01-15')
    code, output = outcome("", tmp_path)
    assert code == 0
    assert f"{tmp_path / 'java'} is {major}" in output


def test_maven_is_missed_only_when_there_is_something_to_fetch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(artifacts, "JARS", tmp_path / "jars")
    with pytest.raises(MissingToolError, match="Maven"):
        artifacts.jars()
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars/pom.xml").write_bytes(artifacts.POM.read_bytes())
    assert artifacts.jars() == tmp_path / "jars"


def test_the_artifacts_are_of_the_long_term_release_and_name_no_host() -> None:
    pom = artifacts.POM.read_text()
    assert "<version>5.26." in pom
    assert "<repositor" not in pom
