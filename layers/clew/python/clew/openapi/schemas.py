"""The document's schemas: the models', and what is said and checked of requests beside them."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, RootModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from clew.answering import events
from clew.answering.collected import CollectedAnswer
from clew.conversation.message import ConversationPage, MessagePage
from clew.edge import requests
from clew.identifiers import OUTSIDE_ID
from clew.openapi import answers
from clew.problem import TYPE_PREFIX, Problem
from clew.routing.decision import RouteDecision
from clew.routing.router import AUTO
from clew.routing.worker_name import AGENT_TYPES

Schema = dict[str, Any]

PREFIX: Final = "#/components/schemas/"
ID_OR_NONE: Final = OUTSIDE_ID.replace("{1,", "{0,")


class Event(RootModel[Annotated[events.Event, Field(discriminator="status")]]):
    """An event of an answer's stream. The first is ``start``, the last and no other is ``done`` or ``error``."""


# What is left out of a request has its default; what is answered is always there.
_MODELS: Final[tuple[tuple[type[BaseModel], Literal["validation", "serialization"]], ...]] = (
    (requests.CancelRequest, "validation"),
    (requests.ChatRequest, "validation"),
    (requests.ClearRequest, "validation"),
    (requests.FeedbackRequest, "validation"),
    (requests.RouteRequest, "validation"),
    (CollectedAnswer, "serialization"),
    (ConversationPage, "serialization"),
    (Event, "serialization"),
    (MessagePage, "serialization"),
    (Problem, "validation"),
    (RouteDecision, "serialization"),
    (answers.Cancelled, "serialization"),
    (answers.Cleared, "serialization"),
    (answers.Health, "serialization"),
    (answers.Judged, "serialization"),
    (answers.KnowledgeBases, "serialization"),
)

_USER: Final = {"pattern": ID_OR_NONE}
_MESSAGE: Final = {"pattern": r"\S"}
_KB: Final = {"description": "Ask this knowledge base, or `general` for none; empty lets the router choose."}
_AGENT: Final = {
    "enum": ["", AUTO, *AGENT_TYPES],
    "description": f"Ask this one worker; empty or `{AUTO}` lets the router plan.",
}
_BESIDE_THE_MODELS: Final[dict[str, dict[str, Schema]]] = {
    "CancelRequest": {"user_id": _USER},
    "ChatRequest": {
        "user_id": _USER,
        "session_id": {"description": "The conversation; made when it is new."},
        "message": _MESSAGE,
        "kb_prefix": _KB,
        "agent_type": _AGENT,
        "debug": {"description": "Also tell what each step did."},
        "message_id": {"description": "Your own id of the message: sent again with it, it is answered once."},
    },
    "ClearRequest": {"user_id": _USER},
    "FeedbackRequest": {"user_id": _USER, "agent_type": {"pattern": ID_OR_NONE}},
    "RouteRequest": {"message": _MESSAGE, "kb_prefix": _KB, "agent_type": _AGENT},
}
"""By schema and property: what a client should know, and what is refused by code that knows more than the model."""


class _Generator(GenerateJsonSchema):
    """Without titles that say a property's name once more; whatever is answered has all its properties."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        return self.mode == "serialization" or super().field_is_required(field, total)


def component_schemas() -> dict[str, Schema]:
    """Every schema of the document by its name, sorted."""
    _, found = models_json_schema(_MODELS, ref_template=PREFIX + "{model}", schema_generator=_Generator)
    schemas: dict[str, Schema] = {name: _without_title(schema) for name, schema in found["$defs"].items()}
    for name, properties in _BESIDE_THE_MODELS.items():
        for each, constraint in properties.items():
            schemas[name]["properties"][each] |= constraint
    _name_thread_as_session(schemas["FeedbackRequest"])
    _never_null(schemas["Problem"])
    schemas["Problem"]["properties"]["type"] = _problem_type()
    schemas["Failed"]["properties"]["type"] = _problem_type()
    return dict(sorted(schemas.items()))


def ref(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def query_parameters(model: type[BaseModel]) -> list[Schema]:
    """The parameters of a query that is read as ``model``."""
    properties = model.model_json_schema(schema_generator=_Generator)["properties"]
    properties["user_id"] |= _USER
    return [{"name": name, "in": "query", "schema": schema} for name, schema in properties.items()]


def _problem_type() -> Schema:
    """What every problem's ``type`` fits."""
    return {"type": "string", "pattern": f"^{TYPE_PREFIX}[a-z-]+$"}


def _without_title(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name != "title"}


def _name_thread_as_session(schema: Schema) -> None:
    """``thread_id`` is another name of ``session_id``; one of the two is required."""
    schema["properties"]["thread_id"] = schema["properties"]["session_id"] | {
        "description": "Another name of session_id; both together must be the same."
    }
    schema["required"].remove("session_id")
    schema["anyOf"] = [{"required": ["session_id"]}, {"required": ["thread_id"]}]


def _never_null(schema: Schema) -> None:
    """What a problem has nothing to say of is left out."""
    for name, value in schema["properties"].items():
        if "anyOf" in value:
            schema["properties"][name] = next(each for each in value["anyOf"] if each != {"type": "null"})
