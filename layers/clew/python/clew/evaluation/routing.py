"""How good routing is on messages whose knowledge base, and maybe worker, a person has told."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from clew.errors import DocumentError
from clew.routing.decision import RouteDecision
from clew.routing.worker_name import AGENT_TYPES, GENERAL

Router = Callable[["LabelledMessage"], RouteDecision]


class LabelledMessage(BaseModel):
    """A message and where it should go: a knowledge base's prefix, or ``general``.

    ``expected_agent`` is a worker that should be in the plan, empty where nobody has told.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    message: str
    expected_kb: str
    requested_kb: str = ""
    expected_agent: str = ""

    @field_validator("message", "expected_kb")
    @classmethod
    def _not_empty(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("must not be empty")
        return text

    @field_validator("expected_agent")
    @classmethod
    def _known(cls, text: str) -> str:
        if text and text not in AGENT_TYPES:
            raise ValueError(f"must be one of {', '.join(AGENT_TYPES)}")
        return text


@dataclass(frozen=True, slots=True)
class RoutedMessage:
    """A labelled message and what the router decided."""

    label: LabelledMessage
    decision: RouteDecision

    @property
    def agents(self) -> tuple[str, ...]:
        """The workers of the plan, each once."""
        return tuple(dict.fromkeys(run.agent_type for run in self.decision.plan))

    @property
    def found_kb(self) -> bool:
        return self.decision.kb_prefix == self.label.expected_kb

    @property
    def found_agent(self) -> bool:
        """Whether the plan has the expected worker; so too where none is expected."""
        return not self.label.expected_agent or self.label.expected_agent in self.agents

    def to_dict(self) -> dict[str, Any]:
        told = {
            "kb_prefix": self.decision.kb_prefix,
            "agents": list(self.agents),
            "reason": self.decision.reason,
            "plan_reason": self.decision.plan_reason,
        }
        return self.label.model_dump(exclude_defaults=True) | told


@dataclass(frozen=True, slots=True)
class RoutingScores:
    """Shares are of all ``messages``, of those with an expected worker, and of the general ones; None of none.

    ``runs`` is the mean length of the plans that are not empty: a router that plans every worker finds every
    expected one. ``confusion`` counts messages by expected and then by found knowledge base.
    """

    messages: int
    accuracy: float
    with_agent: int
    agent_accuracy: float | None
    general: int
    general_to_kb: float | None
    runs: float | None
    confusion: dict[str, dict[str, int]]
    wrong: tuple[RoutedMessage, ...]

    def to_dict(self) -> dict[str, Any]:
        shown = {name: getattr(self, name) for name in self.__slots__ if name != "wrong"}
        return shown | {"wrong": [each.to_dict() for each in self.wrong]}


def read_messages(path: Path) -> list[LabelledMessage]:
    """The messages of ``path``: ``{message, expected_kb, requested_kb?, expected_agent?}`` a line.

    Raises DocumentError with the line's number for what is not that.
    """
    if not path.is_file():
        raise DocumentError(str(path), "no such file.")
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DocumentError(str(path), "not UTF-8.") from error
    messages = [_message(line, f"{path}:{number}") for number, line in enumerate(lines, start=1) if line.strip()]
    if not messages:
        raise DocumentError(str(path), "it holds no message.")
    return messages


def route_messages(
    messages: list[LabelledMessage], router: Router, progress: Callable[[int, int], None]
) -> list[RoutedMessage]:
    """What ``router`` decides for each message, one after the other."""
    routed: list[RoutedMessage] = []
    for number, label in enumerate(messages):
        progress(number, len(messages))
        routed.append(RoutedMessage(label, router(label)))
    progress(len(messages), len(messages))
    return routed


def routing_scores(routed: list[RoutedMessage]) -> RoutingScores:
    """Summarise ``routed``, of which there is at least one."""
    with_agent = [each for each in routed if each.label.expected_agent]
    general = [each for each in routed if each.label.expected_kb == GENERAL]
    planned = [each for each in routed if each.decision.plan]
    counts = Counter((each.label.expected_kb, each.decision.kb_prefix) for each in routed)
    confusion: dict[str, dict[str, int]] = {}
    for (expected, got), count in sorted(counts.items()):
        confusion.setdefault(expected, {})[got] = count
    return RoutingScores(
        messages=len(routed),
        accuracy=round(sum(each.found_kb for each in routed) / len(routed), 4),
        with_agent=len(with_agent),
        agent_accuracy=_share(sum(each.found_agent for each in with_agent), len(with_agent)),
        general=len(general),
        general_to_kb=_share(sum(not each.found_kb for each in general), len(general)),
        runs=_share(sum(len(each.decision.plan) for each in planned), len(planned)),
        confusion=confusion,
        wrong=tuple(each for each in routed if not (each.found_kb and each.found_agent)),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _message(line: str, where: str) -> LabelledMessage:
    try:
        return LabelledMessage.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise DocumentError(where, 'not {"message", "expected_kb", …} as JSON on one line.') from error
        problem = first["msg"].removeprefix("Value error, ")
        raise DocumentError(where, f"{first['loc'][0]}: {problem[:1].lower()}{problem[1:]}.") from error
