"""What the functions under Lambda's own runtime share: an id in the logs, a part of the trace, errors without words."""

import logging
import os
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext

from clew.errors import CallerError, ClewError, InternalError
from clew.observability.correlation import bound_alone, fitting
from clew.observability.tracing import in_trace, prepare, traced

TRACE_VARIABLE: Final = "_X_AMZN_TRACE_ID"  # set by Lambda's runtime anew for each call
REFUSED: Final = "Something that was asked for is refused."

_Handler = Callable[[dict[str, Any], LambdaContext], dict[str, Any]]

logger = logging.getLogger(__name__)


def observed(correlated_by: Callable[[dict[str, Any]], object]) -> Callable[[_Handler], _Handler]:
    """Run a handler under the id that ``correlated_by`` finds in the event, or a new one where that is none.

    What a handler raises, Lambda's runtime writes into the log with its message, and hands to whoever called. So
    errors are logged here and leave under their names, with such words as are surely ours: one that is not ours
    leaves as an InternalError.
    """

    prepare()

    def around(handler: _Handler) -> _Handler:
        @wraps(handler)
        def run(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
            header = os.environ.get(TRACE_VARIABLE, "")
            with bound_alone(correlation_id=_id(correlated_by, event)), in_trace(header), traced("handler"):
                try:
                    return handler(event, context)
                except ClewError as error:
                    logger.warning("failed", exc_info=error)
                    if isinstance(error, CallerError):
                        error.args = (REFUSED,)
                    raise error from None
                except Exception as error:
                    logger.exception("unexpected error")
                    raise InternalError(f"The function broke off with {type(error).__name__}.") from None

        return run

    return around


def _id(correlated_by: Callable[[dict[str, Any]], object], event: dict[str, Any]) -> str:
    try:
        return fitting(correlated_by(event))
    except (AttributeError, LookupError, TypeError):  # an event of another form, which the handler will refuse
        return fitting("")
