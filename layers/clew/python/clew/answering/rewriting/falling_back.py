"""A rewriter that may fail, with another to rewrite in its place."""

import logging

from clew.answering.rewriting.rewriter import Past, Rewriter
from clew.errors import InternalError, TransientError

logger = logging.getLogger(__name__)


class FallingBackRewriter:
    """Asks ``first``, and ``fallback`` where it fails: a message must be looked up either way."""

    def __init__(self, first: Rewriter, fallback: Rewriter) -> None:
        self._first = first
        self._fallback = fallback

    def rewrite(self, message: str, past: Past) -> str:
        try:
            return self._first.rewrite(message, past)
        except (TransientError, InternalError) as error:
            logger.warning("rewritten by the fallback: %s", type(error).__name__)
            return self._fallback.rewrite(message, past)
