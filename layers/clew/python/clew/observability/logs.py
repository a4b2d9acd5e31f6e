"""The log of a function: every line is JSON, whoever writes it, and carries the keys of its context."""

import copy
import logging
import sys
from types import TracebackType
from typing import Any, Final, TextIO

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from clew.observability.correlation import keys
from clew.observability.failures import told
from clew.observability.tracing import trace_id

# Writes to standard error in a form of its own where nobody tells it otherwise.
_SERVER: Final = ("uvicorn", "uvicorn.error")


def function_logger() -> Logger:
    """The function's own logger, which all others of the process now write like.

    The function and this package from the level of ``POWERTOOLS_LOG_LEVEL`` on, everything else from warnings on.
    At DEBUG, and only there, errors are told with their messages.
    """
    handler = _ToStandardOutput()
    # The logger's own name, since most lines come from others.
    logger = Logger(logger_handler=handler, logger_formatter=_Formatter(), name="%(name)s")
    own = logging.getLogger(logger.service)
    own.propagate = False
    root = logging.getLogger()
    for other in [each for each in root.handlers if _is_replaced(each)]:
        root.removeHandler(other)
    root.addHandler(own.handlers[0])
    logging.getLogger("clew").setLevel(own.level)
    for name in _SERVER:
        server = logging.getLogger(name)
        server.handlers.clear()
        server.propagate = True
        server.setLevel(logging.WARNING)
    return logger


class _ToStandardOutput(logging.StreamHandler[TextIO]):
    """To what is standard output at the moment, which tests and runtimes replace."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stdout


class _Formatter(LambdaPowertoolsFormatter):
    """JSON with the keys of the context; errors without what they say.

    Of what other packages write, the first line is kept: asyncio's others show the error that nobody caught.
    """

    def __init__(self) -> None:
        super().__init__(utc=True, use_rfc3339=True, serialize_stacktrace=False)

    def format(self, record: logging.LogRecord) -> str:
        if not record.name.startswith("clew"):
            record = copy.copy(record)
            record.msg, record.args = record.getMessage().partition("\n")[0], None
        return super().format(record)

    def serialize(self, log: dict[str, Any]) -> str:  # type: ignore[override]
        log.pop("exception_notes", None)
        return super().serialize({**log, **keys(), **({"xray_trace_id": found} if (found := trace_id()) else {})})

    def formatException(  # noqa: N802  (the name is logging's)
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        if ei[1] is None:
            return ""
        return super().formatException(ei) if logging.getLogger("clew").isEnabledFor(logging.DEBUG) else told(ei[1])


def _is_replaced(handler: logging.Handler) -> bool:
    """Lambda's runtime writes plain text, with errors' messages; tests' handlers are left alone."""
    return isinstance(handler, _ToStandardOutput) or type(handler).__name__.startswith("LambdaLogger")
