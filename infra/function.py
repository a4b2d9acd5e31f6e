"""What the five functions have in common: runtime, role, log group, layers, environment."""

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.accepted import accept
from infra.layers import ARCHITECTURE, PYTHON
from infra.paths import COMPILED_PYTHON, FUNCTIONS
from infra.stages import Size, StageConfig


class Function(Construct):
    """One function of ``functions/<name>``, with a role of its own that may write its own log and no more.

    What else it may do is added by who creates it. The role does not use the managed policy for
    Lambda's basic execution, which may create and write every log group of the account.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        stage: StageConfig,
        name: str,
        size: Size,
        layers: Sequence[lambda_.ILayerVersion],
        environment: dict[str, str],
        handler: str = "handler.handler",
    ) -> None:
        super().__init__(scope, id)
        function_name = stage.function_name(name)
        log_group = logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/aws/lambda/{function_name}",
            retention=stage.log_retention,
            removal_policy=stage.removal_policy,
        )
        self.role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        log_group.grant_write(self.role)
        accept(self.role, "X-Ray's actions for writing traces have no resources.", "IAM5[Resource::*]")
        self.function = lambda_.Function(
            self,
            # `sam local invoke` finds a function by this name, so it must differ from the others'.
            f"{id}Function",
            function_name=function_name,
            runtime=PYTHON,
            architecture=ARCHITECTURE,
            code=lambda_.Code.from_asset(str(FUNCTIONS / name), exclude=list(COMPILED_PYTHON)),
            handler=handler,
            role=self.role,
            layers=list(layers),
            memory_size=size.memory_mb,
            timeout=Duration.seconds(size.timeout_s),
            tracing=lambda_.Tracing.ACTIVE if stage.tracing else lambda_.Tracing.DISABLED,
            log_group=log_group,
            environment={
                **environment,
                "POWERTOOLS_SERVICE_NAME": f"clew-{name}",
                "POWERTOOLS_LOG_LEVEL": stage.log_level,
                "POWERTOOLS_TRACE_DISABLED": str(not stage.tracing).lower(),
            },
        )

        accept(self.function, "The layers hold wheels for Python 3.13.", "L1")

    def allow(self, *statements: iam.PolicyStatement) -> None:
        """Add to what the function may do."""
        for statement in statements:
            self.function.add_to_role_policy(statement)
