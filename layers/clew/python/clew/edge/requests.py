"""What clients send: bodies and queries as models, and the reading of both."""

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import from_json, to_json

from clew.errors import InvalidRequestError, MessageTooLongError
from clew.identifiers import OutsideId

MESSAGE_LENGTH: Final = 32_000
METADATA_BYTES: Final = 32 * 1024
IMAGES: Final = 5

_Message = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MESSAGE_LENGTH)]
_IdOrNone = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:@-]{0,128}$")]
_Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=128)]
_ModelName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2048)]  # as long as Bedrock's may be
_Model = TypeVar("_Model", bound=BaseModel)


class _Request(BaseModel):
    """Types are taken as they are sent: ``"no"`` is no truth value. Unknown fields are left aside."""

    model_config = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)

    user_id: str = Field("", description="May be left out where a token names the user.")


class ClearRequest(_Request):
    """Which conversation to clear."""

    session_id: OutsideId


class CancelRequest(_Request):
    """Which answer to stop: that to the message of this id, the client's own or the one that ``start`` told."""

    session_id: OutsideId
    message_id: OutsideId


class ImageInput(BaseModel):
    """A picture that belongs to the message."""

    model_config = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)

    media_type: Literal["image/png", "image/jpeg", "image/webp"] = Field(description="What the bytes are.")
    data: str = Field(description="The picture's bytes in Base64, at most 3.75 MB and 8,000 pixels a side.")


class ChatRequest(_Request):
    """One message; ``message_id`` is the client's own id of it, which makes sending it twice harmless."""

    session_id: OutsideId
    message: _Message
    kb_prefix: _Name = ""
    agent_type: _Name = ""
    debug: bool = False
    message_id: _IdOrNone = ""
    images: list[ImageInput] = Field(
        default_factory=list, max_length=IMAGES, description="Pictures that belong to the message, of 4 MB in all."
    )
    model: _ModelName = Field("", description="Another chat model than the stage's own, where the stage allows it.")


class RouteRequest(_Request):
    """A message to be routed and not answered."""

    message: _Message
    session_id: _IdOrNone = ""
    kb_prefix: _Name = ""
    agent_type: _Name = ""


class FeedbackRequest(_Request):
    """A judgement of one answer; ``thread_id`` is taken as another name of ``session_id``."""

    session_id: OutsideId
    message_id: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    is_positive: bool
    query: Annotated[str, StringConstraints(max_length=MESSAGE_LENGTH)] = ""
    agent_type: _Name = ""
    metadata: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _thread_is_session(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "thread_id" not in data:
            return data
        thread_id = data["thread_id"]
        if data.setdefault("session_id", thread_id) != thread_id:
            raise ValueError("session_id and thread_id name the same thing and differ")
        return data

    @model_validator(mode="after")
    def _metadata_is_small(self) -> "FeedbackRequest":
        if len(to_json(self.metadata)) > METADATA_BYTES:
            raise ValueError(f"metadata has more than {METADATA_BYTES:,} bytes")
        return self


class ConversationsQuery(BaseModel):
    """Whose conversations to list. Values of a query are text and are read as numbers where need be."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    user_id: str = ""
    limit: int = Field(20, ge=1, le=100)
    before: str = ""


class MessagesQuery(BaseModel):
    """Which page of a session's messages to list."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    user_id: str = ""
    limit: int = Field(50, ge=1, le=100)
    before: str = ""
    after: str = ""

    @model_validator(mode="after")
    def _one_end(self) -> "MessagesQuery":
        if self.before and self.after:
            raise ValueError("use before or after, not both")
        return self


def parse_body(model: type[_Model], raw: bytes | str | None) -> _Model:
    """The body as a ``model``, else InvalidRequestError; MessageTooLongError for that alone.

    The parser refuses more than 200 levels of nesting and text that is not Unicode, so that nothing
    behind it has to.
    """
    if not raw:
        raise InvalidRequestError("The body is empty; send a JSON object.")
    try:
        data = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidRequestError(f"The body is not JSON: {error}.") from error
    if not isinstance(data, dict):
        raise InvalidRequestError("The body must be a JSON object.")
    return parse_fields(model, data)


def parse_fields(model: type[_Model], data: Mapping[str, Any]) -> _Model:
    """Fields of a body or a query as a ``model``, else InvalidRequestError."""
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        for each in found:
            if each["loc"] == ("message",) and each["type"] == "string_too_long":
                raise MessageTooLongError(len(data["message"].strip()), MESSAGE_LENGTH) from error
        fields = {_path(each["loc"]): _sentence(each["type"], each["msg"]) for each in found}
        listed = "; ".join(f"{name}: {text}" if name else text for name, text in fields.items())
        raise InvalidRequestError(f"The request does not fit. {listed}.", fields) from error


def decode_body(body: str | None, is_base64: bool) -> bytes | str | None:
    """The body as API Gateway hands it over: as text, or in Base64 where it took it for binary."""
    if not body or not is_base64:
        return body
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidRequestError("The body is not Base64, though it is marked so.") from error


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _sentence(kind: str, text: str) -> str:
    match kind:
        case "missing":
            return "is missing"
        case "string_pattern_mismatch":
            return "is not an id: use 1 to 128 of A-Z a-z 0-9 _ . : @ -"
        case "string_too_short":
            return "is empty"
        case "value_error":
            return text.removeprefix("Value error, ")
        case _:
            return text[:1].lower() + text[1:]
