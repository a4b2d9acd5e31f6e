"""The whole document."""

from typing import Final

from clew import __version__
from clew.openapi.operations import OPERATIONS
from clew.openapi.schemas import Schema, component_schemas

VERSION: Final = "3.1.1"
_DESCRIPTION: Final = (
    "Chat over knowledge graphs: a message is routed, looked up, answered with citations, and remembered. "
    "Errors are problem documents (RFC 9457); compare their `type`, which is stable. Unknown fields of a request "
    "are ignored. On a stage without identity, such as on the laptop, there are no tokens: `user_id` is required "
    "and names the user."
)
_TOKEN: Final = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "The ID token of a user of the stack's pool. It decides the user and the tenant.",
}


def document() -> Schema:
    """The OpenAPI document, true of every stage; its server is where it is read from."""
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation.describe()
    return {
        "openapi": VERSION,
        "info": {"title": "Clew", "version": __version__, "description": _DESCRIPTION, "license": _LICENSE},
        "servers": [{"url": "../.."}],
        # Either, by stage: a token, or none at all.
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {"securitySchemes": {"token": _TOKEN}, "schemas": component_schemas()},
    }


_LICENSE: Final = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
