"""Whether a data directory's graph is for this version of the engine."""

import importlib.metadata
import json
import stat
from pathlib import Path

import pytest

from clew.local.data_directory import DataDirectory
from clew.local.graph import GraphAddress, StaleGraphError, check_engine
from clew.local.graph_server import password


@pytest.fixture
def data(tmp_path: Path) -> DataDirectory:
    directory = DataDirectory(tmp_path / ".clew")
    directory.create()
    return directory


def test_a_new_directory_is_marked_and_opens_again(data: DataDirectory) -> None:
    check_engine(data)
    check_engine(data)
    assert json.loads((data.graph / "engine.json").read_text()) == {"arcadedb": importlib.metadata.version("arcadedb")}


@pytest.mark.parametrize("mark", ['{"arcadedb": "1.0"}', "{}", "[]", "not json"])
def test_another_version_is_refused_with_what_to_do(data: DataDirectory, mark: str) -> None:
    data.graph.mkdir()
    (data.graph / "engine.json").write_text(mark)
    with pytest.raises(StaleGraphError, match=r"Move the data directory away .* or delete it"):
        check_engine(data)


def test_a_graph_without_a_mark_is_refused(data: DataDirectory) -> None:
    (data.graph / "databases").mkdir(parents=True)
    with pytest.raises(StaleGraphError, match="unknown version"):
        check_engine(data)


def test_the_password_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = password(tmp_path)
    assert len(first) >= 24
    assert password(tmp_path) == first
    assert stat.S_IMODE((tmp_path / "password").stat().st_mode) == 0o600


def test_the_secret_has_what_graph_settings_describe() -> None:
    assert GraphAddress(7687, 2480, "secret").secret() == {
        "uri": "bolt://127.0.0.1:7687",
        "username": "root",
        "password": "secret",
        "database": "clew",
        "admin_url": "http://127.0.0.1:2480",
    }
