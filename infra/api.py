"""The REST API: two streamed routes to the answer function, all others buffered."""

from typing import Final

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.accepted import accept
from infra.refusals import add_refusals
from infra.stages import StageConfig

BASE_PATH: Final = "api/v1"
STREAMED: Final = (("POST", "chat"), ("POST", "chat/stream"))
TO_ROUTER: Final = (("POST", "route"),)
TO_API: Final = (
    ("POST", "clear"),
    ("POST", "chat/cancel"),
    ("POST", "feedback"),
    ("GET", "conversations"),
    ("GET", "conversations/{session_id}/messages"),
    ("GET", "knowledge-bases"),
)
OPEN: Final = (("GET", "health"), ("GET", "openapi.json"))
"""Routes that ask for no token: a load balancer has none, nor has who wants to read how to send one."""

# The most that API Gateway grants a stream; buffered answers have 29 seconds.
STREAM_TIMEOUT: Final = Duration.minutes(15)


class Api(Construct):
    """A regional REST API: other kinds do not stream, and edge-optimised ones cut a pause of 30 seconds."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        stage: StageConfig,
        answer: lambda_.IFunction,
        router: lambda_.IFunction,
        api: lambda_.IFunction,
        user_pool: cognito.IUserPool | None,
    ) -> None:
        super().__init__(scope, id)
        self.rest_api = apigateway.RestApi(
            self,
            "Rest",
            rest_api_name=f"clew-{stage.name}",
            endpoint_types=[apigateway.EndpointType.REGIONAL],
            # API Gateway may write access logs only through a role that is set once for the account.
            cloud_watch_role=stage.access_logs,
            cloud_watch_role_removal_policy=RemovalPolicy.RETAIN if stage.access_logs else None,
            deploy_options=self._deployment(stage),
        )
        # The stack has an output of its own for the address.
        self.rest_api.node.try_remove_child("Endpoint")
        self._identity = self._authorization(user_pool)
        add_refusals(self.rest_api)

        streamed = apigateway.LambdaIntegration(
            answer,
            response_transfer_mode=apigateway.ResponseTransferMode.STREAM,
            timeout=STREAM_TIMEOUT,
            allow_test_invoke=False,
        )
        for method, path in STREAMED:
            self._add(method, path, streamed)
        for method, path in TO_ROUTER:
            self._add(method, path, apigateway.LambdaIntegration(router, allow_test_invoke=False))
        buffered = apigateway.LambdaIntegration(api, allow_test_invoke=False)
        for method, path in TO_API:
            self._add(method, path, buffered)
        for method, path in OPEN:
            self._add(method, path, buffered, protected=False)

        self._accept_findings(stage)

    def _add(
        self, method: str, path: str, integration: apigateway.LambdaIntegration, *, protected: bool = True
    ) -> None:
        resource = self.rest_api.root.resource_for_path(f"{BASE_PATH}/{path}")
        if self._identity is None or not protected:
            open_method = resource.add_method(method, integration, authorization_type=apigateway.AuthorizationType.NONE)
            accept(open_method, "It tells no more than that the service is up and how it is called.", "APIG4", "COG4")
        else:
            resource.add_method(method, integration, authorizer=self._identity)

    def _authorization(self, user_pool: cognito.IUserPool | None) -> apigateway.CognitoUserPoolsAuthorizer | None:
        if user_pool is None:
            return None
        return apigateway.CognitoUserPoolsAuthorizer(self, "Authorizer", cognito_user_pools=[user_pool])

    def _deployment(self, stage: StageConfig) -> apigateway.StageOptions:
        return apigateway.StageOptions(
            stage_name=stage.name,
            throttling_rate_limit=stage.requests_per_second,
            throttling_burst_limit=stage.burst,
            tracing_enabled=stage.tracing,
            access_log_destination=self._access_log(stage) if stage.access_logs else None,
            access_log_format=_access_format() if stage.access_logs else None,
        )

    def _access_log(self, stage: StageConfig) -> apigateway.LogGroupLogDestination:
        group = logs.LogGroup(self, "AccessLog", retention=stage.log_retention, removal_policy=stage.removal_policy)
        return apigateway.LogGroupLogDestination(group)

    def _accept_findings(self, stage: StageConfig) -> None:
        accept(
            self.rest_api,
            "Functions validate requests, and answer with problem documents that name the field.",
            "APIG2",
        )
        accept(
            self.rest_api.deployment_stage,
            "Execution logs would go to a log group that API Gateway makes by itself and keeps for ever; "
            "access logs and the functions' own logs tell what happened.",
            "APIG6",
        )
        accept(
            self.rest_api.deployment_stage,
            "Callers are authenticated and throttled; a firewall is billed apart: the operator's decision.",
            "APIG3",
        )
        if stage.access_logs:
            role = self.rest_api.node.find_child("CloudWatchRole")
            policy = "arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
            accept(role, "It is the policy that AWS makes for this one purpose.", f"IAM4[Policy::{policy}]")


def _access_format() -> apigateway.AccessLogFormat:
    """One JSON object a request, without who asked: the functions' logs say that by id."""
    return apigateway.AccessLogFormat.json_with_standard_fields(
        caller=False,
        http_method=True,
        ip=True,
        protocol=True,
        request_time=True,
        resource_path=True,
        response_length=True,
        status=True,
        user=False,
    )
