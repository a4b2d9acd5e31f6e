"""The one table: conversations, messages, feedback and knowledge bases."""

from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from clew.table_keys import FEEDBACK_BY_DAY
from infra.stages import StageConfig


class Table(Construct):
    """On demand, restorable to any second of the last 35 days, with a stream of new images.

    A ``TableV2``: with one replica it costs what a plain table does, and a region can be added later
    without replacing it. Its name is generated, so that a table kept by a deleted stack is not in the
    way of the next. Its one index is sparse: feedback alone has the attributes that are its keys.
    """

    def __init__(self, scope: Construct, id: str, *, stage: StageConfig) -> None:
        super().__init__(scope, id)
        self.table = dynamodb.TableV2(
            self,
            "Items",
            partition_key=dynamodb.Attribute(name="pk", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="sk", type=dynamodb.AttributeType.STRING),
            global_secondary_indexes=[
                dynamodb.GlobalSecondaryIndexPropsV2(
                    index_name=FEEDBACK_BY_DAY.name,
                    partition_key=dynamodb.Attribute(name=FEEDBACK_BY_DAY.pk, type=dynamodb.AttributeType.STRING),
                    sort_key=dynamodb.Attribute(name=FEEDBACK_BY_DAY.sk, type=dynamodb.AttributeType.STRING),
                    projection_type=dynamodb.ProjectionType.ALL,
                )
            ],
            billing=dynamodb.Billing.on_demand(),
            dynamo_stream=dynamodb.StreamViewType.NEW_IMAGE,
            time_to_live_attribute="expires_at",
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            deletion_protection=stage.deletion_protection,
            removal_policy=stage.removal_policy,
        )
