"""The five functions: what each is told, and what each may do."""

from collections.abc import Mapping
from typing import Final

from aws_cdk import ArnFormat, Duration, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from clew.settings import (
    AnswerSettings,
    ApiSettings,
    ChatModelSettings,
    GenerationSettings,
    MemorySettings,
    RetrievalSettings,
    RouterSettings,
    Settings,
)
from clew.table_keys import RUN_PREFIX, SUMMARY
from infra.accepted import accept
from infra.alarms import MemoryAlarms
from infra.bedrock import (
    accept_any_region,
    apply_guardrail,
    count_tokens,
    invoke_model,
    rerank,
    stream_model,
)
from infra.environment import environment_of
from infra.function import Function
from infra.layers import Layers
from infra.stages import Size, StageConfig

READ: Final = ("dynamodb:GetItem", "dynamodb:Query")
WRITE: Final = ("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem")

WEB_ADAPTER: Final = {
    "AWS_LAMBDA_EXEC_WRAPPER": "/opt/bootstrap",
    "AWS_LWA_INVOKE_MODE": "response_stream",
    "AWS_LWA_READINESS_CHECK_PATH": "/api/v1/health",
    "PORT": "8080",
}


class Functions(Construct):
    """``router``, ``retrieval``, ``api`` and ``memory``, and ``answer`` once there is a workflow to call."""

    def __init__(
        self, scope: Construct, id: str, *, stage: StageConfig, table: dynamodb.ITableV2, layers: Layers
    ) -> None:
        super().__init__(scope, id)
        self._stage = stage
        self._table = table
        self._layers = layers
        self._values = {
            "stage": stage.name,
            "table_name": table.table_name,
            "neo4j_secret": stage.graph_secret,
            "graph_engine": stage.graph_engine,
            "embedder": stage.embedder,
            "embedding_model_id": stage.embedding_model_id,
            "chat_model": stage.chat_model,
            "bedrock_model_id": stage.bedrock_model_id,
            # Declared for the laptop, where the shell may give them.
            "bedrock_region": "",
            "bedrock_profile": "",
            "openai_base_url": ChatModelSettings.model_fields["openai_base_url"].default,
            "openai_model": "",
            "openai_api_key_secret": "",
            "model_connect_seconds": str(GenerationSettings.model_fields["model_connect_seconds"].default),
            "model_read_seconds": str(GenerationSettings.model_fields["model_read_seconds"].default),
            "fallback_model_id": stage.fallback_model_id,
            "allowed_models": ",".join(stage.allowed_models),
            "bedrock_guardrail_id": stage.bedrock_guardrail_id,
            "bedrock_guardrail_version": stage.bedrock_guardrail_version,
            "context_tokens": "0",
            "turn_seconds": str(stage.turn_seconds),
            "on_client_gone": stage.on_client_gone,
            "heartbeat_seconds": "10",
            "long_term_memory": stage.long_term_memory,
            "mem0_url": stage.mem0_url,
            "mem0_api_key_secret": stage.mem0_api_key_secret,
            "kb_chooser": stage.kb_chooser,
            "kb_chooser_model_id": stage.kb_chooser_model_id,
            "reranker": stage.reranker,
            "reranker_model_id": stage.reranker_model_id,
            "research_planner": stage.research_planner,
            "research_planner_model_id": stage.research_planner_model_id,
            "identity": stage.identity,
            "kb_auto_route": str(stage.kb_auto_route).lower(),
        }
        self.router = self._router()
        self.retrieval = self._retrieval()
        self.api = self._api()
        self.memory = self._memory()

    def add_answer(self, workflow_arn: str) -> Function:
        """The answer function: an ASGI app under the Web Adapter.

        An emulator does not stream, so there the app is served beside it, and this function only
        carries the environment and the code to serve.
        """
        stage = self._stage
        self._values["workflow_arn"] = workflow_arn
        function = self._function(
            "answer",
            AnswerSettings,
            stage.answer,
            handler="run.sh" if stage.web_adapter else "app.app",
            layers=[*self._layers.common, *self._layers.answer],
            besides=WEB_ADAPTER if stage.web_adapter else {},
        )
        self._allow_table(function, *READ, *WRITE, "dynamodb:BatchGetItem")
        function.allow(iam.PolicyStatement(actions=["states:StartSyncExecution"], resources=[workflow_arn]))
        if stage.chat_model == "bedrock":
            function.allow(invoke_model(self, stage.bedrock_model_id, stream=True))
            function.allow(count_tokens(self, stage.bedrock_model_id))
            accept_any_region(function.role, stage.bedrock_model_id)
            self._allow_other_models(function)
            if stage.bedrock_guardrail_id:
                function.allow(apply_guardrail(self, stage.bedrock_guardrail_id))
        # Older turns are recalled by it, out of the graph.
        self._allow_embedding(function)
        self._allow_graph(function)
        self._allow_long_term_memory(function)
        return function

    def _router(self) -> Function:
        function = self._function("router", RouterSettings, self._stage.router)
        self._allow_table(function, *READ)
        self._allow_embedding(function)
        if self._stage.kb_chooser == "bedrock":
            function.allow(invoke_model(self, self._stage.kb_chooser_model_id))
            accept_any_region(function.role, self._stage.kb_chooser_model_id)
        return function

    def _retrieval(self) -> Function:
        function = self._function("retrieval", RetrievalSettings, self._stage.retrieval)
        self._allow_graph(function)
        # It notes in the table that a run is over, and writes nothing else there.
        function.allow(
            iam.PolicyStatement(
                actions=["dynamodb:PutItem"],
                resources=[self._table.table_arn],
                conditions={"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{RUN_PREFIX}*"]}},
            )
        )
        self._allow_embedding(function)
        if self._stage.reranker == "bedrock":
            function.allow(*rerank(self, self._stage.reranker_model_id))
            accept(function.role, "Reranking has no resources; which model is called does.", "IAM5[Resource::*]")
        if self._stage.research_planner == "bedrock":
            function.allow(invoke_model(self, self._stage.research_planner_model_id))
            accept_any_region(function.role, self._stage.research_planner_model_id)
        return function

    def _api(self) -> Function:
        function = self._function("api", ApiSettings, self._stage.api)
        self._allow_table(function, *READ, *WRITE, "dynamodb:BatchGetItem", "dynamodb:BatchWriteItem")
        return function

    def _memory(self) -> Function:
        function = self._function("memory", MemorySettings, self._stage.memory)
        function.allow(
            iam.PolicyStatement(
                actions=[*READ, "dynamodb:UpdateItem"],
                resources=[self._table.table_arn],
                conditions={"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["CONV#*"]}},
            )
        )
        self._allow_embedding(function)
        self._allow_graph(function)
        self._allow_long_term_memory(function)
        if self._stage.chat_model == "bedrock":
            function.allow(invoke_model(self, self._stage.bedrock_model_id))
            accept_any_region(function.role, self._stage.bedrock_model_id)
        failed = sqs.Queue(
            self,
            "MemoryFailed",
            retention_period=Duration.days(14),
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            removal_policy=RemovalPolicy.DESTROY,
        )
        accept(failed, "It is the on-failure destination of the stream's event source mapping.", "SQS3")
        function.function.add_event_source(
            sources.DynamoEventSource(
                self._table,
                starting_position=lambda_.StartingPosition.LATEST,
                # New messages, and summaries that say that a conversation was cleared; nothing else is remembered.
                filters=[
                    _of_conversations(lambda_.FilterRule.is_equal("INSERT"), sk=lambda_.FilterRule.begins_with("MSG#")),
                    _of_conversations(
                        lambda_.FilterRule.or_("INSERT", "MODIFY"),
                        sk=lambda_.FilterRule.is_equal(SUMMARY),
                        image={"cleared_at": {"S": lambda_.FilterRule.exists()}},
                    ),
                ],
                batch_size=50,
                max_batching_window=Duration.seconds(1),
                report_batch_item_failures=True,
                bisect_batch_on_error=True,
                # Enough for a graph or a model that is away for a moment; what is lost, the next summary makes up for.
                retry_attempts=10,
                max_record_age=Duration.hours(1),
                on_failure=sources.SqsDlq(failed),
            )
        )
        MemoryAlarms(self, "MemoryAlarms", stage=self._stage, function=function.function, failed=failed)
        return function

    def _function(
        self,
        name: str,
        settings: type[Settings],
        size: Size,
        *,
        handler: str = "handler.handler",
        layers: list[lambda_.ILayerVersion] | None = None,
        besides: dict[str, str] | None = None,
    ) -> Function:
        return Function(
            self,
            name.capitalize(),
            stage=self._stage,
            name=name,
            size=size,
            handler=handler,
            layers=layers or self._layers.common,
            environment={**environment_of(settings, self._values), **(besides or {})},
        )

    def _allow_table(self, function: Function, *actions: str) -> None:
        function.allow(iam.PolicyStatement(actions=list(actions), resources=[self._table.table_arn]))

    def _allow_graph(self, function: Function) -> None:
        self._allow_secret(function, self._stage.graph_secret)

    def _allow_long_term_memory(self, function: Function) -> None:
        if self._stage.long_term_memory != "none" and self._stage.mem0_api_key_secret:
            self._allow_secret(function, self._stage.mem0_api_key_secret)

    def _allow_secret(self, function: Function, name: str) -> None:
        # Secrets Manager ends an ARN with six characters of its own: "?" stands for exactly one.
        arn = Stack.of(self).format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=f"{name}-??????",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        function.allow(iam.PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[arn]))

    def _allow_other_models(self, function: Function) -> None:
        """Those that may answer in the chat model's place: its fallback, and what a request may choose."""
        stage = self._stage
        for model in dict.fromkeys((stage.fallback_model_id, *stage.allowed_models)):
            if model in ("", stage.bedrock_model_id):
                continue
            function.allow(stream_model(self, model))
            if model in stage.allowed_models:  # of the fallback, no prompt is counted
                function.allow(count_tokens(self, model))
            accept_any_region(function.role, model)

    def _allow_embedding(self, function: Function) -> None:
        if self._stage.embedder == "bedrock":
            function.allow(invoke_model(self, self._stage.embedding_model_id))


def _of_conversations(event: object, *, sk: object, image: Mapping[str, object] | None = None) -> dict[str, object]:
    """A filter of the table's stream: items of conversations with such a sort key, and such attributes."""
    keys = {"pk": {"S": lambda_.FilterRule.begins_with("CONV#")}, "sk": {"S": sk}}
    return lambda_.FilterCriteria.filter(
        {"eventName": event, "dynamodb": {"Keys": keys, **({"NewImage": image} if image else {})}}
    )
