"""Neo4j Community from Maven Central's artifacts: a folder of jars, fetched once, and the Java to run them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.neo4j_server.errors import FetchError, MissingToolError

POM: Final = Path(__file__).with_name("pom.xml")
JARS: Final = Path(__file__).parents[2] / "build" / "neo4j" / "jars"
JAVA: Final = 17  # the oldest that Neo4j 5.26 runs on


def java() -> str:
    """The Java of JAVA_HOME, else the one on the path; MissingToolError when there is none that is new enough."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if not found:
        where = f"in JAVA_HOME ({home})" if home else "on the path"
        raise MissingToolError(f"Java {JAVA} or later: there is no java {where}")
    answer = subprocess.run([found, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(\d+)', answer.stderr + answer.stdout)
    if not version or int(version[1]) < JAVA:
        raise MissingToolError(f"Java {JAVA} or later: {found} is {version[1] if version else 'of unknown version'}")
    return found


def jars() -> Path:
    """The folder of Neo4j's jars; Maven fetches them when they are missing or pom.xml has changed."""
    mark = JARS / "pom.xml"
    if mark.exists() and mark.read_bytes() == POM.read_bytes():
        return JARS
    maven = shutil.which("mvn")
    if not maven:
        raise MissingToolError("Maven: there is no mvn on the path")
    shutil.rmtree(JARS, ignore_errors=True)
    command = [maven, "--batch-mode", "--quiet", "--file", str(POM), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={JARS}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise FetchError(f"Maven could not fetch Neo4j (exit code {done.returncode}); what it says is above.")
    shutil.copy(POM, mark)
    return JARS
