"""An event with its id, as it is sent."""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from clew.answering.events import Done, Event, Failed
from clew.answering.running.event_id import EventId
from clew.conversation.running_answers import PublishedEvent

_EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="status")])


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """``data`` is the event's JSON, on one line."""

    id: EventId
    event: Event
    data: str

    @classmethod
    def of(cls, id: EventId, event: Event) -> "StreamEvent":
        return cls(id, event, event.model_dump_json())

    @property
    def is_last(self) -> bool:
        return isinstance(self.event, Done | Failed)

    def published(self) -> PublishedEvent:
        return PublishedEvent(str(self.id), self.data)


def read_published(published: PublishedEvent) -> StreamEvent | None:
    """An event that another process has published; None where it is of another version and cannot be read."""
    found = EventId.parse(published.id)
    try:
        return StreamEvent(found, _EVENT.validate_json(published.data), published.data) if found else None
    except ValidationError:
        return None
