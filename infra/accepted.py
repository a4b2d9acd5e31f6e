"""Findings of cdk-nag's AwsSolutions rules that are accepted where they stand."""

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def accept(construct: IConstruct, reason: str, *rules: str) -> None:
    """Acknowledge ``rules``, such as ``L1`` or ``IAM5[Resource::*]``, on the construct and what it holds."""
    accepted = [Acknowledgment(id=f"AwsSolutions-{rule}", reason=reason) for rule in rules]
    Validations.of(construct).acknowledge(*accepted)
