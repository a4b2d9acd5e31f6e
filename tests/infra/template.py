"""A synthesized stack, asked in the words of the tests."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.app import build
from infra.stages import STAGES, StageConfig

FUNCTIONS = ("answer", "api", "memory", "retrieval", "router")

Resource = dict[str, Any]


@dataclass(frozen=True)
class StackTemplate:
    """One stage's template, and the folder with its assets."""

    stage: StageConfig
    template: dict[str, Any]
    folder: Path

    def of_type(self, kind: str) -> dict[str, Resource]:
        """Properties of all resources of a type, by logical id."""
        return {
            name: resource.get("Properties", {})
            for name, resource in self.template["Resources"].items()
            if resource["Type"] == kind
        }

    def only(self, kind: str) -> Resource:
        """Properties of the one resource of a type."""
        (properties,) = self.of_type(kind).values()
        return properties

    def function(self, name: str) -> Resource:
        wanted = f"clew-{self.stage.name}-{name}"
        functions = self.of_type("AWS::Lambda::Function").values()
        (found,) = [each for each in functions if each["FunctionName"] == wanted]
        return found

    def environment(self, function: str) -> dict[str, str]:
        """The function's variables; what is known only after deployment shows as ``<LogicalId>``."""
        variables = self.function(function)["Environment"]["Variables"]
        return {name: text(value) for name, value in variables.items()}

    def allowed(self, function: str) -> list[tuple[set[str], list[str]]]:
        """Actions and resources that the function's role grants, statement by statement."""
        return self.granted_to(self.function(function)["Role"]["Fn::GetAtt"][0])

    def resources(self, function: str, action: str) -> list[str]:
        """What the function may do ``action`` to; the statement must be the only one."""
        (found,) = [resources for actions, resources in self.allowed(function) if action in actions]
        return found

    def conditions(self, function: str, action: str) -> list[Resource]:
        """Under which condition the function may do ``action``, statement by statement; empty for none."""
        role = self.function(function)["Role"]["Fn::GetAtt"][0]
        statements = self._statements(role)
        return [each.get("Condition", {}) for each in statements if action in listed(each["Action"])]

    def granted_to(self, role: str) -> list[tuple[set[str], list[str]]]:
        return [
            (set(listed(statement["Action"])), [text(each) for each in listed(statement["Resource"])])
            for statement in self._statements(role)
        ]

    def _statements(self, role: str) -> list[Resource]:
        policies = [each for each in self.of_type("AWS::IAM::Policy").values() if {"Ref": role} in each["Roles"]]
        return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]

    def actions(self, function: str, service: str) -> set[str]:
        """The actions of one service that the function may call, without the service's prefix."""
        granted = {action for actions, _ in self.allowed(function) for action in actions}
        return {each.removeprefix(f"{service}:") for each in granted if each.startswith(f"{service}:")}

    def workflow(self) -> dict[str, Any]:
        definition: dict[str, Any] = json.loads(text(self.only("AWS::StepFunctions::StateMachine")["DefinitionString"]))
        return definition

    def layer_assets(self) -> dict[str, Path]:
        """The folder of each own layer's asset, by logical id."""
        return {
            name: self.folder / f"asset.{layer['Content']['S3Key'].removesuffix('.zip')}"
            for name, layer in self.of_type("AWS::Lambda::LayerVersion").items()
        }


def synthesize(stage: str, outdir: Path, built_layers: Path) -> StackTemplate:
    assembly = build(outdir=str(outdir), built_layers=built_layers, stage=stage).synth()
    stack = assembly.get_stack_by_name(f"Clew-{stage}")
    return StackTemplate(STAGES[stage], stack.template, outdir)


def text(value: Any) -> str:
    """A template's value with its references written as ``<LogicalId>`` or ``<LogicalId.Attribute>``."""
    match value:
        case str():
            return value
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{name}.{attribute}>"
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(text(part) for part in parts)
        case _:
            raise AssertionError(f"not expected here: {value!r}")


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
