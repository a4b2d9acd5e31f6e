"""The demo knowledge bases, loaded when they are not there."""

from collections.abc import Callable
from functools import partial

from clew import wiring
from clew.edge.identity import DEFAULT_TENANT
from clew.knowledge.documents import read_documents
from clew.knowledge.profile_file import NAME, read_profile
from clew.local.project import find_project
from clew.settings import IngestSettings


def load_demo(settings: IngestSettings, progress: Callable[[str, str, int, int], None]) -> list[str]:
    """Load every knowledge base of ``demo/``; the prefixes of those where something was written.

    What is loaded already is compared and left as it is. ``progress`` is called with a prefix, what is being
    done with that knowledge base, how many are done and how many there are.
    """
    loaded: list[str] = []
    for folder in sorted(path.parent for path in (find_project() / "demo").glob(f"*/{NAME}")):
        summary = read_profile(folder / NAME)
        ingest = wiring.loading.ingest(settings, DEFAULT_TENANT, summary.prefix)
        report = ingest.load(read_documents([folder]), summary, partial(progress, summary.prefix))
        if report.added or report.updated:
            loaded.append(summary.prefix)
    return loaded
