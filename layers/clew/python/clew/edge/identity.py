"""Who is calling: the token decides where there is one, the request where a stage has no identity."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from clew.errors import ForbiddenError, InvalidRequestError
from clew.identifiers import check_outside_id

IdentityMode = Literal["none", "cognito"]
DEFAULT_TENANT: Final = "default"
TENANT_HEADER: Final = "x-tenant-id"
TENANT_CLAIM: Final = "custom:tenant_id"


class Identity(NamedTuple):
    """A user of a tenant; both ids are fit to be part of a key."""

    tenant_id: str
    user_id: str


def resolve(
    mode: IdentityMode, claims: Mapping[str, Any] | None, headers: Mapping[str, Any], claimed_user_id: str
) -> Identity:
    """The caller's identity; ``claimed_user_id`` is what the request says, empty where it says nothing.

    ForbiddenError when a token is missing or the request speaks for someone else, InvalidRequestError
    when an id does not fit or, without tokens, no user is named.
    """
    tenant_id = resolve_tenant(mode, claims, headers)
    if mode == "none":
        if not claimed_user_id:
            raise InvalidRequestError("user_id is missing.", {"user_id": "is missing"})
        return Identity(tenant_id, check_outside_id(claimed_user_id, "user_id"))
    user_id = _claim(claims, "sub")
    if claimed_user_id and claimed_user_id != user_id:
        raise ForbiddenError("The request names another user than its token. Leave user_id out.")
    return Identity(tenant_id, user_id)


def resolve_tenant(mode: IdentityMode, claims: Mapping[str, Any] | None, headers: Mapping[str, Any]) -> str:
    """The caller's tenant, for what all users of a tenant share."""
    if mode == "none":
        sent = next((value for name, value in headers.items() if name.lower() == TENANT_HEADER), "")
        return check_outside_id(str(sent), "X-Tenant-Id") if sent else DEFAULT_TENANT
    _claim(claims, "sub")  # a token without a user names no tenant either
    return _claim(claims, TENANT_CLAIM, DEFAULT_TENANT)


def _claim(claims: Mapping[str, Any] | None, name: str, default: str = "") -> str:
    value = str((claims or {}).get(name) or default)
    if not value:
        raise ForbiddenError("The request carries no token of a signed-in user.")
    try:
        return check_outside_id(value, name)
    except InvalidRequestError as error:
        raise ForbiddenError(f"The token's claim {name} is not an id.") from error
