"""What a function must be allowed to do to call one Bedrock model, and nothing beside it."""

from typing import Final

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from infra.accepted import accept

# Prefixes by which Bedrock names inference profiles: the geography that requests may be served in.
GEOGRAPHIES: Final = frozenset({"apac", "au", "ca", "eu", "global", "jp", "us", "us-gov"})


def invoke_model(scope: Construct, model_id: str, *, stream: bool = False) -> iam.PolicyStatement:
    """Leave to call ``model_id``, a foundation model or an inference profile, streamed or not."""
    actions = ["bedrock:InvokeModel"]
    if stream:
        actions.append("bedrock:InvokeModelWithResponseStream")
    return iam.PolicyStatement(actions=actions, resources=_model_arns(scope, model_id))


def stream_model(scope: Construct, model_id: str) -> iam.PolicyStatement:
    """Leave to call ``model_id`` streamed, and in no other way."""
    return iam.PolicyStatement(
        actions=["bedrock:InvokeModelWithResponseStream"], resources=_model_arns(scope, model_id)
    )


def apply_guardrail(scope: Construct, guardrail: str) -> iam.PolicyStatement:
    """Leave to have one guardrail, by its id or ARN, read what a model is asked and answers."""
    stack = Stack.of(scope)
    arn = f"arn:{stack.partition}:bedrock:{stack.region}:{stack.account}:guardrail/{guardrail}"
    return iam.PolicyStatement(
        actions=["bedrock:ApplyGuardrail"], resources=[guardrail if guardrail.startswith("arn:") else arn]
    )


def count_tokens(scope: Construct, model_id: str) -> iam.PolicyStatement:
    """Leave to count the tokens of a prompt; Bedrock knows foundation models alone there, in this region."""
    stack = Stack.of(scope)
    geography, _, base = model_id.partition(".")
    model = base if geography in GEOGRAPHIES else model_id
    return iam.PolicyStatement(
        actions=["bedrock:CountTokens"],
        resources=[f"arn:{stack.partition}:bedrock:{stack.region}::foundation-model/{model}"],
    )


def rerank(scope: Construct, model_id: str) -> list[iam.PolicyStatement]:
    """Leave to rerank with ``model_id``: Bedrock checks the call, which has no resources, and the model."""
    return [
        iam.PolicyStatement(actions=["bedrock:Rerank"], resources=["*"]),
        invoke_model(scope, model_id),
    ]


def accept_any_region(construct: IConstruct, model_id: str) -> None:
    """Acknowledge that an inference profile's model is allowed in every region."""
    geography, _, base = model_id.partition(".")
    if geography in GEOGRAPHIES:
        accept(
            construct,
            "The inference profile chooses the region, among those of its geography.",
            f"IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/{base}]",
        )


def _model_arns(scope: Construct, model_id: str) -> list[str]:
    stack = Stack.of(scope)
    geography, _, base = model_id.partition(".")
    if geography not in GEOGRAPHIES:
        return [f"arn:{stack.partition}:bedrock:{stack.region}::foundation-model/{model_id}"]
    # A profile hands the call to the model in another region, and Bedrock checks both.
    return [
        f"arn:{stack.partition}:bedrock:{stack.region}:{stack.account}:inference-profile/{model_id}",
        f"arn:{stack.partition}:bedrock:*::foundation-model/{base}",
    ]
