"""How good ranked lists of documents are."""

import math
import statistics
from dataclasses import asdict, dataclass

from clew.evaluation.dataset import Query


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question got: document ids best first, each once, and how long it took."""

    query: Query
    documents: tuple[str, ...]
    milliseconds: float

    def recall(self, k: int) -> float:
        """The share of the gold documents among the first ``k``."""
        return len(self.query.gold & set(self.documents[:k])) / len(self.query.gold)

    def has_all(self, k: int) -> bool:
        return self.query.gold <= set(self.documents[:k])

    def reciprocal_rank(self) -> float:
        """One over the place of the first gold document; 0 if there is none."""
        return next((1 / place for place, found in enumerate(self.documents, 1) if found in self.query.gold), 0.0)


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over all questions, and the median and 95th percentile of the milliseconds they took."""

    questions: int
    recall_at_5: float
    recall_at_10: float
    all_gold_at_8: float
    mrr: float
    median_ms: float
    p95_ms: float

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def scores(outcomes: list[Outcome]) -> Scores:
    """Summarise ``outcomes``, of which there is at least one."""
    times = sorted(outcome.milliseconds for outcome in outcomes)
    return Scores(
        questions=len(outcomes),
        recall_at_5=_mean([outcome.recall(5) for outcome in outcomes]),
        recall_at_10=_mean([outcome.recall(10) for outcome in outcomes]),
        all_gold_at_8=_mean([float(outcome.has_all(8)) for outcome in outcomes]),
        mrr=_mean([outcome.reciprocal_rank() for outcome in outcomes]),
        median_ms=round(statistics.median(times), 1),
        p95_ms=round(times[math.ceil(0.95 * len(times)) - 1], 1),
    )


def _mean(values: list[float]) -> float:
    return round(statistics.fmean(values), 4)
