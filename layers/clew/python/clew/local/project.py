"""The checkout that the laptop stack deploys, and the names that its one stage uses."""

from pathlib import Path
from typing import Final

from clew.errors import ConfigurationError

STAGE: Final = "local"
STACK_NAME: Final = f"Clew-{STAGE}"
SECRET_NAME: Final = f"clew/{STAGE}/neo4j"
DATABASE: Final = "clew"
REGION: Final = "us-east-1"

# What `clew up` needs to find in a checkout.
_LANDMARKS: Final = ("cdk.json", "infra", "functions", "layers/clew")


def find_project(start: Path | None = None) -> Path:
    """The checkout around ``start`` (the working directory), else the one this package runs from."""
    here = (start or Path.cwd()).resolve()
    # …/layers/clew/python/clew/local/project.py
    source = Path(__file__).resolve().parents[5]
    for folder in (here, *here.parents, source):
        if all((folder / landmark).exists() for landmark in _LANDMARKS):
            return folder
    raise ConfigurationError(
        f"{str(here)!r} is not inside a checkout of Clew: no folder above it has {', '.join(_LANDMARKS)}. "
        "Clone the repository and run the command there."
    )
