"""With CI=true a skipped test fails the build."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
SKIPPED = """
import pytest

def test_call():
    pytest.skip("no curl")

@pytest.mark.skip(reason="no curl")
def test_mark():
    pass

@pytest.mark.xfail
def test_expected():
    assert False
"""
WHOLE_MODULE = "import pytest\n\npytest.skip('no curl', allow_module_level=True)\n"


def counts(folder: Path, ci: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)],
        cwd=folder,
        env=os.environ | {"CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("CI skips nothing: " in done.stdout) == (ci == "true")
    return {name: int(number) for number, name in re.findall(r"(\d+) ([a-z]+)", done.stdout.splitlines()[-1])}


def test_a_skip_fails_in_ci_alone(tmp_path: Path) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text(SKIPPED)
    (tmp_path / "test_whole.py").write_text(WHOLE_MODULE)
    assert counts(tmp_path, "") == {"skipped": 3, "xfailed": 1}
    # A module that is refused while it is collected stops the run, as an import error would.
    assert counts(tmp_path, "true")["error"] == 1
    (tmp_path / "test_whole.py").unlink()
    assert counts(tmp_path, "true") == {"failed": 1, "error": 1, "xfailed": 1}
