"""Events of a REST API's proxy integration, as API Gateway makes them of a request."""

import base64
import json
import uuid
from pathlib import Path
from typing import Any

EVENTS = Path(__file__).parents[1] / "events"


def proxy_event(
    path: str,
    body: Any,
    *,
    claims: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
    in_base64: bool = False,
) -> dict[str, Any]:
    """A POST of ``body`` to ``path``; ``claims`` are those of the token that the authorizer let through."""
    event: dict[str, Any] = json.loads((EVENTS / "api_gateway_proxy.json").read_text())
    sent = event["headers"] | {"Content-Type": "application/json"} | (headers or {})
    context = event["requestContext"] | {
        "resourcePath": path,
        "httpMethod": "POST",
        "path": f"/{event['requestContext']['stage']}{path}",
        "requestId": str(uuid.uuid4()),
    }
    if claims is not None:
        authorizer = json.loads((EVENTS / "cognito_authorizer.json").read_text())
        context["authorizer"] = {"claims": authorizer["claims"] | claims}
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return event | {
        "resource": path,
        "path": path,
        "httpMethod": "POST",
        "headers": sent,
        "multiValueHeaders": {name: [value] for name, value in sent.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "requestContext": context,
        "body": base64.b64encode(text.encode()).decode() if in_base64 else text,
        "isBase64Encoded": in_base64,
    }
