"""A function's environment as Lambda sets it up: the adapter as an extension, and the script that starts the app."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from clew.local.child import Child
from tests.lambda_runtime.runtime_api import RuntimeApi

HANDLER = "run.sh"


@contextlib.contextmanager
def started(
    folder: Path, adapter: Path, runtime: RuntimeApi, environment: Mapping[str, str], logs: Path
) -> Iterator[None]:
    """Both processes; ``environment`` is the function's own, over which come the variables that Lambda reserves."""
    variables = {
        **environment,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_FUNCTION_NAME": "clew-dev-answer",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/clew-dev-answer",
        "AWS_LAMBDA_LOG_STREAM_NAME": "2026/03/12/[$LATEST]0123456789abcdef0123456789abcdef",
        "AWS_LAMBDA_RUNTIME_API": runtime.address,
        "LAMBDA_TASK_ROOT": str(folder),
        "_HANDLER": HANDLER,
        # Where run.sh finds "python": this environment's.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", os.defpath)]),
    }
    with contextlib.ExitStack() as running:
        extension = Child("adapter", [str(adapter)], variables, logs / "adapter.log")
        running.callback(extension.stop)
        # All that the layer's /opt/bootstrap does is to start the handler.
        app = Child("answer function", [str(folder / HANDLER)], variables, logs / "function.log", folder)
        running.callback(app.stop)
        yield
