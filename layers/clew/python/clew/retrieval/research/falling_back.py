"""A planner that may fail, with another to plan in its place."""

import logging

from clew.errors import InternalError, TransientError
from clew.retrieval.research.planner import Assessment, Findings, Planner

logger = logging.getLogger(__name__)


class FallingBackPlanner:
    """Asks ``first`` while a round may follow, and ``fallback`` where it fails or the answer is only noted."""

    def __init__(self, first: Planner, fallback: Planner) -> None:
        self._first = first
        self._fallback = fallback

    def assess(self, findings: Findings) -> Assessment:
        if findings.last:
            return self._fallback.assess(findings)
        try:
            return self._first.assess(findings)
        except (TransientError, InternalError) as error:
            logger.warning("planned by the fallback: %s", type(error).__name__)
            return self._fallback.assess(findings)
