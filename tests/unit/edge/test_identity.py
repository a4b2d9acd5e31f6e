"""Who is calling."""

import pytest

from clew.edge.identity import Identity, resolve, resolve_tenant
from clew.errors import ForbiddenError, InvalidRequestError

SIGNED_IN = {"sub": "11111111-2222-3333-4444-555555555555", "custom:tenant_id": "acme"}


@pytest.mark.parametrize("name", ["X-Tenant-Id", "x-tenant-id", "X-TENANT-ID"])
def test_without_tokens_the_header_names_the_tenant(name: str) -> None:
    assert resolve("none", None, {"Accept": "*/*", name: "acme"}, "ann") == Identity("acme", "ann")


@pytest.mark.parametrize("headers", [{}, {"X-Tenant-Id": ""}])
def test_without_tokens_and_header_the_tenant_is_default(headers: dict[str, str]) -> None:
    assert resolve("none", None, headers, "ann") == Identity("default", "ann")


def test_without_tokens_claims_mean_nothing() -> None:
    assert resolve("none", SIGNED_IN, {}, "ann") == Identity("default", "ann")


@pytest.mark.parametrize("tenant", ["a#b", "a b", "租户", "x" * 129])
def test_tenant_header_that_could_forge_a_key_is_refused(tenant: str) -> None:
    with pytest.raises(InvalidRequestError, match="X-Tenant-Id"):
        resolve("none", None, {"X-Tenant-Id": tenant}, "ann")


@pytest.mark.parametrize("user_id", ["", "a#b", "a/b", "安"])
def test_without_tokens_a_user_must_be_named(user_id: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        resolve("none", None, {}, user_id)
    assert list(caught.value.fields) == ["user_id"]


@pytest.mark.parametrize("claimed", ["", SIGNED_IN["sub"]])
def test_token_decides_user_and_tenant(claimed: str) -> None:
    caller = resolve("cognito", SIGNED_IN, {"X-Tenant-Id": "other"}, claimed)
    assert caller == Identity("acme", SIGNED_IN["sub"])


def test_token_without_a_tenant_belongs_to_the_default_one() -> None:
    assert resolve("cognito", {"sub": "u1"}, {"X-Tenant-Id": "other"}, "").tenant_id == "default"


def test_speaking_for_another_user_is_forbidden() -> None:
    with pytest.raises(ForbiddenError):
        resolve("cognito", SIGNED_IN, {}, "bob")


@pytest.mark.parametrize(
    "claims",
    [
        None,
        {},
        {"sub": ""},
        {"custom:tenant_id": "acme"},
        {"sub": "a#b"},
        {"sub": "u", "custom:tenant_id": "a#b"},
    ],
)
def test_token_that_names_no_user_or_forges_a_key_is_forbidden(claims: dict[str, str] | None) -> None:
    with pytest.raises(ForbiddenError):
        resolve("cognito", claims, {}, "ann")
    with pytest.raises(ForbiddenError):
        resolve_tenant("cognito", claims, {"X-Tenant-Id": "acme"})


def test_what_a_tenant_shares_needs_no_user_where_there_are_no_tokens() -> None:
    assert resolve_tenant("none", None, {"x-tenant-id": "acme"}) == "acme"
    assert resolve_tenant("cognito", SIGNED_IN, {}) == "acme"
