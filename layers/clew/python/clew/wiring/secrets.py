"""Secrets of the stage, from Secrets Manager."""

from clew.errors import ConfigurationError


def secret(name: str) -> dict[str, str]:
    """What a secret holds; ConfigurationError where it is no JSON object."""
    from aws_lambda_powertools.utilities import parameters
    from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError, TransformParameterError

    try:
        found = parameters.get_secret(name, transform="json")
    except (GetParameterError, TransformParameterError) as error:
        raise ConfigurationError(f"The secret {name!r} cannot be read as JSON from Secrets Manager.") from error
    if not isinstance(found, dict):
        raise ConfigurationError(f"The secret {name!r} must hold a JSON object.")
    return found


def api_key(name: str) -> str:
    """The key that the secret ``{"api_key": "…"}`` holds; empty where no secret is named."""
    return str(secret(name).get("api_key", "")) if name else ""
