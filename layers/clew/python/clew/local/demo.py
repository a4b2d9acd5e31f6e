"""The demo knowledge bases, loaded when they are not there."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from clew import wiring
from clew.edge.identity import DEFAULT_TENANT
from clew.knowledge.documents import read_documents
from clew.local.project import find_project
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.settings import IngestSettings


def load_demo(settings: IngestSettings, progress: Callable[[str, int, int], None]) -> list[str]:
    """Load every knowledge base of ``demo/``; the prefixes of those where something was written.

    What is loaded already is compared and left as it is.
    """
    loaded: list[str] = []
    for folder in sorted(path.parent for path in (find_project() / "demo").glob("*/profile.toml")):
        summary = _summary(folder)

        def tell(_: str, done: int, total: int, name: str = summary.prefix) -> None:
            progress(name, done, total)

        report = wiring.ingest(settings, DEFAULT_TENANT, summary.prefix).load(read_documents([folder]), summary, tell)
        if report.added or report.updated:
            loaded.append(summary.prefix)
    return loaded


def _summary(folder: Path) -> KnowledgeBaseSummary:
    return KnowledgeBaseSummary(**tomllib.loads((folder / "profile.toml").read_text(encoding="utf-8")))
