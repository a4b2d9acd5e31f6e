"""The workflow of a look-up: Route, then one retrieval for each run of the plan, side by side."""

from typing import Final, cast

from aws_cdk import CfnElement, Duration, Stack
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from clew.errors import TransientError
from infra.accepted import accept
from infra.stages import StageConfig

# Step Functions' names for a call that never reached our code.
NOT_REACHED: Final = (
    "Lambda.TooManyRequestsException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
)
# And for one whose process was killed under it, or was out of memory.
KILLED: Final = ("Lambda.Unknown", "Runtime.ExitError")
RETRIED: Final = (*sorted(error.__name__ for error in TransientError.__subclasses__()), *NOT_REACHED, *KILLED)
# A worker that hangs is tried again, since its attempts end before the whole workflow does; the router's would not.
TIMED_OUT: Final = ("Sandbox.Timedout", "States.Timeout")

WHOLE_TIMEOUT: Final = Duration.seconds(60)
BRANCHES_AT_ONCE: Final = 10
FAILED_MESSAGE: Final = "This worker could not search the knowledge graph."


class Workflow(Construct):
    """An Express workflow for StartSyncExecution.

    In: ``{"tenant_id", "session_id", "message", "requested_kb_prefix", "agent_type", "intent", "known",
    "correlation_id"}``, all of which Route is given; the last may be missing, as it is while an answer function of an
    earlier version still runs. Out: ``{"decision", "runs"}`` with one run for each item of the decision's plan, in its
    order; general messages have no plan and no runs. The runs' notes are under the execution's name, which its
    starter chooses. A branch that fails becomes a run with an error, while a failing Route fails the execution.
    State is limited to 256 KiB in all, and no Catch can take that: workers bound their own evidence.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        stage: StageConfig,
        router: lambda_.Function,
        retrieval: lambda_.Function,
    ) -> None:
        super().__init__(scope, id)
        general = sfn.Pass(
            self, "General", parameters={"decision": sfn.JsonPath.object_at("$.route.decision"), "runs": []}
        )
        found = sfn.Pass(
            self,
            "Found",
            parameters={
                "decision": sfn.JsonPath.object_at("$.route.decision"),
                "runs": sfn.JsonPath.object_at("$.runs"),
            },
        )
        planned = (
            sfn.Choice(self, "Anything planned?")
            .when(
                sfn.Condition.is_present("$.route.decision.plan[0]"),
                self._search(stage, retrieval).next(found),
            )
            .otherwise(general)
        )
        route = self._route(stage, router)
        route.next(planned)
        self.state_machine = sfn.StateMachine(
            self,
            "Retrieval",
            state_machine_name=stage.function_name("retrieval"),
            state_machine_type=sfn.StateMachineType.EXPRESS,
            definition_body=sfn.DefinitionBody.from_chainable(self._correlated(route)),
            timeout=WHOLE_TIMEOUT,
            tracing_enabled=stage.tracing,
            removal_policy=stage.removal_policy,
            logs=sfn.LogOptions(
                level=sfn.LogLevel.ERROR,
                # The data of an execution is what people wrote.
                include_execution_data=False,
                destination=logs.LogGroup(
                    self,
                    "Log",
                    # Log delivery keeps its policy short for names that begin like this one.
                    log_group_name=f"/aws/vendedlogs/states/{stage.function_name('retrieval')}",
                    retention=stage.log_retention,
                    removal_policy=stage.removal_policy,
                ),
            ),
        )

        accept(
            self.state_machine,
            "An execution is traced and its failures are logged; every event of every question is not.",
            "SF1",
        )
        accept(
            self.state_machine.role,
            "The CDK grants the functions' versions too, and log delivery and X-Ray have no resources.",
            "IAM5[Resource::*]",
            *(f"IAM5[Resource::<{_logical_id(each)}.Arn>:*]" for each in (router, retrieval)),
        )

    def _correlated(self, route: sfn.TaskStateBase) -> sfn.Choice:
        """The beginning: input without an id for the logs gets an empty one, since Search has to name it."""
        without = sfn.Pass(self, "Without id", result=sfn.Result.from_string(""), result_path="$.correlation_id")
        return (
            sfn.Choice(self, "Correlated?")
            .when(sfn.Condition.is_present("$.correlation_id"), route)
            .otherwise(without.next(route))
        )

    def _route(self, stage: StageConfig, router: lambda_.Function) -> sfn.TaskStateBase:
        route = tasks.LambdaInvoke(
            self,
            "Route",
            lambda_function=router,
            payload=sfn.TaskInput.from_json_path_at("$"),
            result_selector={"decision": sfn.JsonPath.object_at("$.Payload.decision")},
            result_path="$.route",
            task_timeout=sfn.Timeout.duration(Duration.seconds(stage.router.timeout_s)),
            retry_on_service_exceptions=False,
        )
        return _with_retry(route)

    def _search(self, stage: StageConfig, retrieval: lambda_.Function) -> sfn.Map:
        retrieve = tasks.LambdaInvoke(
            self,
            "Retrieve",
            lambda_function=retrieval,
            payload=sfn.TaskInput.from_json_path_at("$"),
            output_path="$.Payload",
            task_timeout=sfn.Timeout.duration(Duration.seconds(stage.retrieval.timeout_s)),
            retry_on_service_exceptions=False,
        )
        failed = sfn.Pass(
            self,
            "Worker failed",
            parameters={
                "worker_name": sfn.JsonPath.string_at("$.spec.worker_name"),
                "agent_type": sfn.JsonPath.string_at("$.spec.agent_type"),
                "passages": [],
                "took_ms": 0,
                # The cause stays behind: it holds a stack trace.
                "error": {"type": sfn.JsonPath.string_at("$.failure.Error"), "message": FAILED_MESSAGE},
            },
        )
        _with_retry(retrieve, *TIMED_OUT).add_catch(failed, errors=["States.ALL"], result_path="$.failure")
        search = sfn.Map(
            self,
            "Search",
            items_path="$.route.decision.plan",
            item_selector={
                "spec": sfn.JsonPath.object_at("$$.Map.Item.Value"),
                "query": sfn.JsonPath.string_at("$.message"),
                "tenant_id": sfn.JsonPath.string_at("$.tenant_id"),
                "session_id": sfn.JsonPath.string_at("$.session_id"),
                "correlation_id": sfn.JsonPath.string_at("$.correlation_id"),
                "execution": sfn.JsonPath.string_at("$$.Execution.Name"),
                "total": sfn.JsonPath.array_length(sfn.JsonPath.object_at("$.route.decision.plan")),
            },
            result_path="$.runs",
            max_concurrency=BRANCHES_AT_ONCE,
        )
        return search.item_processor(retrieve, mode=sfn.ProcessorMode.INLINE)


def _logical_id(function: lambda_.Function) -> str:
    return Stack.of(function).get_logical_id(cast(CfnElement, function.node.default_child))


def _with_retry(task: tasks.LambdaInvoke, *besides: str) -> sfn.TaskStateBase:
    """Two more attempts within some three seconds, spread by jitter: somebody is waiting for the answer."""
    return task.add_retry(
        errors=[*RETRIED, *besides],
        interval=Duration.seconds(1),
        max_attempts=2,
        backoff_rate=2,
        max_delay=Duration.seconds(4),
        jitter_strategy=sfn.JitterType.FULL,
    )
