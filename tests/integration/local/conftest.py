"""Parts of the laptop stack, each in a data directory of its own."""

from pathlib import Path

import pytest

from clew.local.data_directory import DataDirectory


@pytest.fixture
def data(tmp_path: Path) -> DataDirectory:
    directory = DataDirectory(tmp_path / ".clew")
    directory.create()
    return directory
