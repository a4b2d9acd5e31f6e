"""What a run has found."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.fuzzing.request import Request
from tests.fuzzing.wire import Reply


@dataclass
class Report:
    """Counts of one run; ``violations`` is empty where the service has borne everything."""

    seed: int
    statuses: dict[str, Counter[int]] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    seconds: float = 0.0
    conversations: int = 0
    violations: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return sum(self.kinds.values())

    def add(self, request: Request, reply: Reply, route: str) -> None:
        self.statuses.setdefault(route, Counter())[reply.status] += 1
        self.kinds[request.what or request.kind] += 1
        if reply.media_type == "application/problem+json" and reply.body:
            self.problems[json.loads(reply.body)["type"].rpartition(":")[2]] += 1
        if reply.seconds > self.slowest[0]:
            self.slowest = reply.seconds, str(request)

    def as_json(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "requests": self.requests,
            "seconds": round(self.seconds, 1),
            "statuses": {route: dict(sorted(self.statuses[route].items())) for route in sorted(self.statuses)},
            "kinds": dict(self.kinds),
            "problems": dict(self.problems.most_common()),
            "slowest": {"seconds": round(self.slowest[0], 2), "request": self.slowest[1]},
            "conversations": self.conversations,
            "violations": self.violations,
        }

    def __str__(self) -> str:
        found = Counter(status for counts in self.statuses.values() for status in counts.elements())
        listed = ", ".join(f"{count} × {status}" for status, count in sorted(found.items()))
        return (
            f"{self.requests} requests in {self.seconds:.0f} s, seed {self.seed}: {listed}; slowest "
            f"{self.slowest[0]:.1f} s; {self.conversations} conversations; {len(self.violations)} violations"
        )
