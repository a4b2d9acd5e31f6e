"""The time as items carry it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC to the millisecond: strings that sort as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
