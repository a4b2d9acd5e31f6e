"""The environment of a function, made from the settings class that the function reads it with."""

from collections.abc import Mapping

from pydantic import AliasChoices

from clew.settings import Settings


def variable_of(settings: type[Settings], field: str) -> str:
    """The environment variable that ``settings`` reads ``field`` from."""
    match settings.model_fields[field].validation_alias:
        case None:
            return f"{settings.model_config.get('env_prefix', '')}{field}".upper()
        case str(alias):
            return alias
        case AliasChoices(choices=[str(first), *_]):
            return first
        case other:
            raise TypeError(f"{settings.__name__}.{field} is read from {other!r}, not from one variable.")


def environment_of(settings: type[Settings], values: Mapping[str, str]) -> dict[str, str]:
    """Those of ``values`` (by field) that ``settings`` declares, by variable.

    ``values`` may hold more, since stages describe all functions at once; a required field without a
    value is an error here rather than at the function's first start.
    """
    declared = settings.model_fields
    missing = [field for field, info in declared.items() if info.is_required() and field not in values]
    if missing:
        raise ValueError(f"{settings.__name__} needs values for: {', '.join(missing)}.")
    return {variable_of(settings, field): values[field] for field in declared if field in values}
