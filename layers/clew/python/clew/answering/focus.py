"""What a turn was about, kept so that the next message may lean on it."""

from typing import Final

from pydantic import BaseModel, ConfigDict

from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import EntityRef

MAX_NAMES: Final = 6


class Focus(BaseModel):
    """Names of a turn's entities: those the question named, and those that the answer brought in."""

    model_config = ConfigDict(frozen=True)

    asked: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()


def focus_of(question: str, answer: str, entities: list[EntityRef]) -> Focus:
    """Names as the question and the answer spell them, in order; one already asked for is not brought in."""
    names = EntityNames(entities)
    seen: set[str] = set()

    def new_names(text: str) -> tuple[str, ...]:
        found: list[str] = []
        for span, ids in names.find(text):
            if not ids & seen:
                found.append(text[span.start : span.end])
            seen.update(ids)
        return tuple(found[:MAX_NAMES])

    return Focus(asked=new_names(question), answered=new_names(answer))
