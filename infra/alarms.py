"""What wakes an operator: memory that falls behind, and records of the table's stream that it gave up."""

from typing import Final

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.stages import StageConfig

BEHIND: Final = Duration.minutes(2)


class MemoryAlarms(Construct):
    """Two alarms on the memory function; each has an entry in docs/operate.md.

    Where nobody talks there is no record and no figure, and that is well: missing data break no alarm.
    """

    def __init__(
        self, scope: Construct, id: str, *, stage: StageConfig, function: lambda_.IFunction, failed: sqs.IQueue
    ) -> None:
        super().__init__(scope, id)
        given_up = cloudwatch.Alarm(
            self,
            "GivenUp",
            alarm_name=f"{stage.function_name('memory')}-given-up",
            alarm_description="Messages are in the queue of records that the memory function gave up.",
            metric=failed.metric_approximate_number_of_messages_visible(
                period=Duration.minutes(1), statistic="Maximum"
            ),
            threshold=1,
            evaluation_periods=1,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        behind = cloudwatch.Alarm(
            self,
            "Behind",
            alarm_name=f"{stage.function_name('memory')}-behind",
            alarm_description="The memory function has been behind the table's stream for five minutes.",
            metric=function.metric("IteratorAge", period=Duration.minutes(1), statistic="Maximum"),
            threshold=BEHIND.to_milliseconds(),
            evaluation_periods=5,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        if stage.alarm_topic_arn:
            topic = sns.Topic.from_topic_arn(self, "Topic", stage.alarm_topic_arn)
            for alarm in (given_up, behind):
                alarm.add_alarm_action(actions.SnsAction(topic))
                alarm.add_ok_action(actions.SnsAction(topic))
