#!/bin/sh
# Starts the app under the Lambda Web Adapter. The wrapper does not go through Lambda's own start, so
# the layers' packages, and after them the runtime's, have to be put on the path here.
export PYTHONPATH="/opt/python${LAMBDA_RUNTIME_DIR:+:$LAMBDA_RUNTIME_DIR}${PYTHONPATH:+:$PYTHONPATH}"
cd "${LAMBDA_TASK_ROOT:-$(dirname "$0")}" || exit 1
exec python -m uvicorn app:app --host 127.0.0.1 --port "${PORT:-8080}" --no-access-log
