"""Looking up: the retrieval workflow, called and waited for."""

import json
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from clew.errors import ThrottledError, WorkflowError
from clew.retrieval.evidence import RetrievalRun
from clew.routing.decision import RouteDecision

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_THROTTLED: Final = frozenset(("ThrottlingException", "TooManyRequestsException", "StateMachineLimitExceeded"))


class LookupInput(BaseModel):
    """The workflow's input; strings are empty where there is nothing to say.

    ``intent`` is set where the message goes on with an earlier question of that intent, whose slots have the
    values ``known``: intents are not looked for then, and ``requested_kb_prefix`` holds its knowledge base.
    ``correlation_id`` is that of the request in the logs of all functions.
    """

    model_config = ConfigDict(frozen=True)

    tenant_id: str
    session_id: str
    message: str
    requested_kb_prefix: str = ""
    agent_type: str = ""
    intent: str = ""
    known: dict[str, str] = Field(default_factory=dict)
    correlation_id: str = ""


class LookupResult(BaseModel):
    """The workflow's output: the decision, and one run for each item of its plan."""

    model_config = ConfigDict(frozen=True)

    decision: RouteDecision
    runs: tuple[RetrievalRun, ...] = ()


_RESULT = TypeAdapter(LookupResult)


class RetrievalWorkflow:
    """The Express workflow Route → Choice → Map, started synchronously."""

    def __init__(self, client: "SFNClient", arn: str) -> None:
        self._client = client
        self._arn = arn

    def run(self, lookup: LookupInput, execution: str) -> LookupResult:
        """Route and retrieve; ``execution`` names this one time, and its workers' notes.

        ThrottledError when too many start at once, WorkflowError when it fails.
        """
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            ended = self._client.start_sync_execution(
                stateMachineArn=self._arn, name=execution, input=lookup.model_dump_json()
            )
        except ClientError as error:
            if error.response["Error"]["Code"] in _THROTTLED:
                raise ThrottledError("Too many questions are being looked up at once. Try again.") from error
            raise WorkflowError("The retrieval workflow could not be started.") from error
        except BotoCoreError as error:
            raise WorkflowError("The retrieval workflow does not answer.") from error
        if ended["status"] != "SUCCEEDED":
            name = ended.get("error") or ended["status"]
            raise WorkflowError("The retrieval workflow failed. Try again later.", name)
        try:
            return _RESULT.validate_python(json.loads(ended["output"]))
        except (ValidationError, ValueError) as error:
            raise WorkflowError("The retrieval workflow gave an answer that cannot be read.") from error
