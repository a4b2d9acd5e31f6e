"""One call of a Bedrock model through Converse: a text, or the input that it gives the one tool it is offered.

For the models that choose and read. The chat model streams, with langchain_aws, which the functions
that these run in do not have.
"""

from dataclasses import dataclass
from typing import Any

from clew.errors import ModelError
from clew.models.bedrock_client import ATTEMPTS, CONNECT_TIMEOUT, READ_TIMEOUT, bedrock_client
from clew.models.bedrock_errors import model_error
from clew.models.lazy_client import LazyClient


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool to be filled in; ``schema`` is the JSON schema of its input, an object."""

    name: str
    description: str
    schema: dict[str, Any]


class BedrockConverse:
    """Calls one model, always with temperature 0. Time-outs and retries are those of ``bedrock_client``."""

    def __init__(
        self,
        model_id: str,
        *,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
        attempts: int = ATTEMPTS,
    ) -> None:
        self.model_id = model_id
        self._client = LazyClient(
            bedrock_client,
            region=region,
            profile=profile,
            endpoint_url=endpoint_url,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            attempts=attempts,
        )

    def use_tool(self, system: str, message: str, tool: Tool, max_tokens: int) -> dict[str, Any]:
        """The input that the model gives ``tool``, not yet held against the schema.

        ModelError also where the model uses no tool or another one, or is cut off at ``max_tokens``.
        """
        specification = {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.schema}}
        # Of one tool "any" forces that one, and more models know it than know a tool's name here.
        content, stop_reason = self._converse(
            system, message, max_tokens, toolConfig={"tools": [{"toolSpec": specification}], "toolChoice": {"any": {}}}
        )
        if stop_reason == "max_tokens":
            raise ModelError(f"The model {self.model_id!r} was cut off at {max_tokens:,} tokens.")
        for block in content:
            used = block.get("toolUse", {})
            if used.get("name") == tool.name and isinstance(used.get("input"), dict):
                found: dict[str, Any] = used["input"]
                return found
        raise ModelError(f"The model {self.model_id!r} did not use the tool {tool.name!r}.")

    def write(self, system: str, message: str, max_tokens: int) -> str:
        """The model's text, cut off at ``max_tokens``. ModelError also where it is empty."""
        content, _ = self._converse(system, message, max_tokens)
        text = "".join(block.get("text", "") for block in content).strip()
        if not text:
            raise ModelError(f"The model {self.model_id!r} answered with no text.")
        return text

    def _converse(self, system: str, message: str, max_tokens: int, **options: Any) -> tuple[list[dict[str, Any]], str]:
        """The blocks of the answer, and why it ended."""
        try:
            client: Any = self._client.get()
            response = client.converse(
                modelId=self.model_id,
                system=[{"text": system}],
                messages=[{"role": "user", "content": [{"text": message}]}],
                inferenceConfig={"maxTokens": max_tokens, "temperature": 0},
                **options,
            )
            return [dict(block) for block in response["output"]["message"]["content"]], response["stopReason"]
        # botocore raises its own errors, and whatever its parser stumbles on in a broken answer.
        except Exception as exc:
            raise model_error(exc, self.model_id) from exc
