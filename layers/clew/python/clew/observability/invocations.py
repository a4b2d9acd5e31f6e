"""What the functions under Lambda's own runtime share: an id in the logs, a part of the trace, errors without words."""

import logging
import os
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext

from clew.errors import ClewError, InternalError
from clew.observability.correlation import bound, fitting
from clew.observability.tracing import in_trace, traced

TRACE_VARIABLE: Final = "_X_AMZN_TRACE_ID"  # set by Lambda's runtime anew for each call

_Handler = Callable[[dict[str, Any], LambdaContext], dict[str, Any]]

logger = logging.getLogger(__name__)


def observed(correlated_by: Callable[[dict[str, Any]], object]) -> Callable[[_Handler], _Handler]:
    """Run a handler under the id that ``correlated_by`` finds in the event, or a new one where that is none.

    An error that is not ours is logged here and raised as an InternalError: Lambda writes what a handler raises
    into the log, with its message, and hands it to whoever called.
    """

    def around(handler: _Handler) -> _Handler:
        @wraps(handler)
        def run(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
            header = os.environ.get(TRACE_VARIABLE, "")
            with bound(correlation_id=fitting(correlated_by(event))), in_trace(header), traced("handler"):
                try:
                    return handler(event, context)
                except ClewError:
                    raise
                except Exception as error:
                    name = type(error).__name__
                    logger.exception("unexpected error")
                    raise InternalError(f"The function broke off with {name}; its log tells where.") from None

        return run

    return around
