"""The user pool: who is made a user, and what decides the tenant."""

from tests.infra.template import StackTemplate


def test_laptop_has_no_user_pool(local: StackTemplate) -> None:
    assert not local.of_type("AWS::Cognito::UserPool")


def test_tenant_is_set_once_and_no_client_may_write_it(dev: StackTemplate) -> None:
    (attribute,) = dev.only("AWS::Cognito::UserPool")["Schema"]
    assert (attribute["Name"], attribute["Mutable"]) == ("tenant_id", False)
    client = dev.only("AWS::Cognito::UserPoolClient")
    assert "custom:tenant_id" in client["ReadAttributes"]
    assert "custom:tenant_id" not in client["WriteAttributes"]


def test_only_an_administrator_makes_users(dev: StackTemplate) -> None:
    assert dev.only("AWS::Cognito::UserPool")["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is True


def test_client_is_public_and_does_not_tell_who_exists(dev: StackTemplate) -> None:
    client = dev.only("AWS::Cognito::UserPoolClient")
    assert client["GenerateSecret"] is False
    assert client["PreventUserExistenceErrors"] == "ENABLED"
    assert "ALLOW_USER_PASSWORD_AUTH" not in client["ExplicitAuthFlows"]


def test_tokens_are_checked_against_the_pool(dev: StackTemplate) -> None:
    (pool,) = dev.of_type("AWS::Cognito::UserPool")
    authorizer = dev.only("AWS::ApiGateway::Authorizer")
    assert authorizer["Type"] == "COGNITO_USER_POOLS"
    assert authorizer["ProviderARNs"] == [{"Fn::GetAtt": [pool, "Arn"]}]
