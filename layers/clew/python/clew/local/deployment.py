"""The deployed stack: the graph's secret, the CDK app, and when both are already as they should be."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

from clew.errors import ConfigurationError
from clew.local.cdk import Cdk
from clew.local.data_directory import DataDirectory
from clew.local.fingerprint import fingerprint
from clew.local.graph import GraphAddress
from clew.local.progress import Progress
from clew.local.project import REGION, SECRET_NAME, STACK_NAME


@dataclass(frozen=True)
class Deployment:
    """What the rest of the stack needs to know about what was deployed."""

    outputs: dict[str, str]
    template: dict[str, Any]
    answer_environment: dict[str, str]


class EmulatedAccount:
    """The emulator as an AWS account."""

    def __init__(self, url: str) -> None:
        session = boto3.Session("test", "test", region_name=REGION)
        self._formation = session.client("cloudformation", endpoint_url=url)
        self._secrets = session.client("secretsmanager", endpoint_url=url)
        self._lambda = session.client("lambda", endpoint_url=url)

    def put_graph_secret(self, address: GraphAddress) -> None:
        """The graph's address changes from run to run, so its secret is written in each."""
        value = json.dumps(address.secret())
        try:
            self._secrets.put_secret_value(SecretId=SECRET_NAME, SecretString=value)
        except self._secrets.exceptions.ResourceNotFoundException:
            self._secrets.create_secret(Name=SECRET_NAME, SecretString=value)

    def outputs(self, stack_name: str) -> dict[str, str] | None:
        """The outputs of a stack that is deployed and whole; None otherwise."""
        try:
            stack = self._formation.describe_stacks(StackName=stack_name)["Stacks"][0]
        except ClientError as error:
            # CloudFormation has no error of its own for a stack that does not exist.
            if error.response["Error"]["Code"] == "ValidationError":
                return None
            raise
        if stack["StackStatus"] not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
            return None
        return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}

    def apply_settings(self, template: Mapping[str, Any], settings: Mapping[str, str]) -> None:
        """Give every function those ``settings`` that its template declares, and take back earlier ones."""
        for resource in template["Resources"].values():
            properties = resource.get("Properties", {})
            declared = properties.get("Environment", {}).get("Variables", {})
            if resource["Type"] != "AWS::Lambda::Function" or not declared:
                continue
            name = properties["FunctionName"]
            now = self._variables(name)
            literal = {key: value for key, value in declared.items() if isinstance(value, str)}
            wanted = now | literal | {key: value for key, value in settings.items() if key in declared}
            if wanted != now:
                self._lambda.update_function_configuration(FunctionName=name, Environment={"Variables": wanted})

    def _variables(self, function: str) -> dict[str, str]:
        configuration = self._lambda.get_function_configuration(FunctionName=function)
        return dict(configuration.get("Environment", {}).get("Variables", {}))

    def deployment(self, outputs: dict[str, str]) -> Deployment:
        """What was deployed, as the emulator has it."""
        template: Any = self._formation.get_template(StackName=STACK_NAME)["TemplateBody"]
        return Deployment(
            outputs=outputs,
            template=json.loads(template) if isinstance(template, str) else dict(template),
            answer_environment=self._variables(outputs["AnswerFunctionName"]),
        )


def deploy(account: EmulatedAccount, cdk: Cdk, data: DataDirectory, progress: Progress) -> Deployment:
    """Deploy the CDK app unless the checkout has not changed since the emulator's stack was deployed."""
    current = fingerprint(cdk.project)
    outputs = account.outputs(STACK_NAME)
    if outputs is None or _last(data) != current:
        if not cdk.installed():
            with progress("Installing the CDK's command line"):
                cdk.install()
        if account.outputs("CDKToolkit") is None:
            with progress("Preparing the emulated account (cdk bootstrap)"):
                cdk.bootstrap()
        with progress("Deploying the stack (cdk deploy)"):
            cdk.deploy()
        outputs = account.outputs(STACK_NAME)
        if outputs is None:
            raise ConfigurationError(f"The stack {STACK_NAME} is not in the emulator. The log: {cdk.log}")
        data.deployment.write_text(json.dumps({"fingerprint": current}))
    return account.deployment(outputs)


def _last(data: DataDirectory) -> str:
    try:
        return str(json.loads(data.deployment.read_text())["fingerprint"])
    except (FileNotFoundError, json.JSONDecodeError, KeyError, TypeError):
        return ""
