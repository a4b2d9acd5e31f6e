"""A text model that answers what it is told to, and remembers what it was asked."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Asked:
    system: str
    message: str
    max_tokens: int

    @property
    def data(self) -> Any:
        """The message, which is one JSON object."""
        return json.loads(self.message)


@dataclass
class ScriptedText:
    """Answers in order; an error among the answers is raised."""

    answers: list[str | Exception]
    asked: list[Asked] = field(default_factory=list)

    def write(self, system: str, message: str, max_tokens: int) -> str:
        self.asked.append(Asked(system, message, max_tokens))
        answer = self.answers[len(self.asked) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer
