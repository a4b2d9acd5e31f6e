"""The events of an answer's stream, as a client receives them."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from clew.answering.focus import Focus
from clew.answering.usage import Usage
from clew.retrieval.evidence import Citation
from clew.routing.decision import RouteDecision

Stage = Literal["retrieval", "generation"]


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True)


class Start(_Event):
    """The first event of every stream, sent before anything that can be slow.

    ``message_id`` is what the message can be cancelled and repeated under: the client's own id of it, or the one
    that it was given here.
    """

    status: Literal["start"] = "start"
    message_id: str = ""


class ProgressContent(_Event):
    stage: Stage
    completed: int
    total: int
    error: str | None = None
    agent_type: str = ""
    retrieval_count: int | None = None


class Progress(_Event):
    """How far a stage is; ``error`` is an error class's name where a worker failed."""

    status: Literal["progress"] = "progress"
    content: ProgressContent


class Token(_Event):
    """A piece of the answer."""

    status: Literal["token"] = "token"
    content: str


class ExecutionLogContent(_Event):
    node: str
    input: dict[str, Any]
    output: dict[str, Any]


class ExecutionLog(_Event):
    """What one step did; sent only when the request asks for ``debug``."""

    status: Literal["execution_log"] = "execution_log"
    content: ExecutionLogContent


class DoneContent(_Event):
    """What a client needs next. ``message_id`` is the stored answer's, which feedback refers to.

    ``stop_reason`` is ``end``, or why the answer is not whole: ``cancelled``, or the model's own reason, such as
    ``max_tokens`` or ``guardrail_intervened``.
    """

    message_id: str
    conversation_id: str
    route: RouteDecision
    citations: tuple[Citation, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    stop_reason: str = "end"
    is_ask_user: bool = False
    pending_intent: str = ""
    focus: Focus = Focus()


class Done(_Event):
    """The last event of a stream that ended well."""

    status: Literal["done"] = "done"
    content: DoneContent


class Failed(_Event):
    """The last event of a stream that did not; ``type`` is the problem type of the same error over HTTP.

    ``instance`` names the request, as in a problem document, for whoever looks into the logs.
    """

    status: Literal["error"] = "error"
    message: str
    type: str
    instance: str = ""


Event = Start | Progress | Token | ExecutionLog | Done | Failed
