"""The stack: every part of Clew in one stage, and the outputs by which others find them."""

from pathlib import Path

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from infra.api import Api
from infra.functions import Functions
from infra.identity import Identity
from infra.layers import Layers
from infra.paths import BUILT_LAYERS
from infra.stages import StageConfig
from infra.table import Table
from infra.workflow import Workflow


class ClewStack(Stack):
    """One stage of Clew. It names no account and no region: credentials decide where it goes."""

    def __init__(self, scope: Construct, id: str, *, stage: StageConfig, built_layers: Path = BUILT_LAYERS) -> None:
        super().__init__(
            scope,
            id,
            description=f"Clew, stage {stage.name}",
            termination_protection=stage.deletion_protection,
        )
        table = Table(self, "Table", stage=stage).table
        layers = Layers(self, "Layers", stage=stage, built=built_layers)
        functions = Functions(self, "Functions", stage=stage, table=table, layers=layers)
        workflow = Workflow(
            self,
            "Workflow",
            stage=stage,
            router=functions.router.function,
            retrieval=functions.retrieval.function,
        ).state_machine
        answer = functions.add_answer(workflow.state_machine_arn)
        identity = Identity(self, "Identity", stage=stage) if stage.identity == "cognito" else None
        rest_api = Api(
            self,
            "Api",
            stage=stage,
            answer=answer.function,
            router=functions.router.function,
            api=functions.api.function,
            user_pool=identity.user_pool if identity else None,
        ).rest_api

        CfnOutput(self, "ApiUrl", value=rest_api.url)
        CfnOutput(self, "ApiId", value=rest_api.rest_api_id)
        CfnOutput(self, "TableName", value=table.table_name)
        CfnOutput(self, "WorkflowArn", value=workflow.state_machine_arn)
        CfnOutput(self, "AnswerFunctionName", value=answer.function.function_name)
        if identity:
            CfnOutput(self, "UserPoolId", value=identity.user_pool.user_pool_id)
            CfnOutput(self, "UserPoolClientId", value=identity.client.user_pool_client_id)
