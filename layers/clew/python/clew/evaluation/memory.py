"""How many of the turns that answer a question are found among the turns of a long conversation.

The terms, passages and ranking are those that memory uses; only the vectors are compared here and not in a graph.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from clew.evaluation.dialogues import Dialogue, DialogueQuestion, Dialogues
from clew.memory.recall import Candidate, Ranked, in_order, match_words, rank
from clew.memory.turn_passages import ALONE, Said, in_context
from clew.memory.turn_time import sittings
from clew.text.embedding import Embedder
from clew.text.terms import content_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

Way = Literal["words", "meaning", "fused"]
WAYS: Final[tuple[Way, ...]] = ("words", "meaning", "fused")
DEPTHS: Final = (5, 10, 20)
BATCH: Final = 64  # passages between two reports of progress


@dataclass(frozen=True, slots=True)
class TurnRecall:
    """Over all questions, the mean share of a question's turns among the first so many, by way and number.

    ``median_ms`` is what the ranking of one conversation takes, without the question's embedding.
    """

    conversations: int
    turns: int
    questions: int
    recall: dict[Way, dict[int, float]]
    median_ms: float

    def to_dict(self) -> dict[str, Any]:
        recall = {
            way: {f"recall_at_{depth}": share for depth, share in shares.items()} for way, shares in self.recall.items()
        }
        figures = {name: getattr(self, name) for name in ("conversations", "turns", "questions", "median_ms")}
        return figures | {"recall": recall}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question got: for each way its turns' ids, best first, and how long the ranking took."""

    question: DialogueQuestion
    found: dict[Way, tuple[str, ...]]
    milliseconds: float

    def recall(self, way: Way, depth: int) -> float:
        gold = self.question.gold
        return len(gold.intersection(self.found[way][:depth])) / len(gold)


def recall_turns(dialogues: Dialogues, embedder: Embedder, progress: Callable[[str, int, int], None]) -> list[Outcome]:
    """Rank each conversation's turns for each of its questions, by words, by meaning, and as memory does.

    ``progress`` is called with what is being done, how many are done and how many there are. The errors are those
    of the embedder.
    """
    asked = {question.conversation_id for question in dialogues.questions}
    conversations = [each for each in dialogues.conversations if each.id in asked]
    embedding = _Embedding(embedder, 2 * sum(len(each.turns) for each in conversations), progress)
    ready = {each.id: _Turns(each, embedding) for each in conversations}
    outcomes: list[Outcome] = []
    for question in dialogues.questions:
        progress("questions", len(outcomes), len(dialogues.questions))
        outcomes.append(ready[question.conversation_id].outcome(question, embedder))
    progress("questions", len(outcomes), len(outcomes))
    return outcomes


def turn_recall(dialogues: Dialogues, outcomes: Sequence[Outcome]) -> TurnRecall:
    """Summarise ``outcomes``, of which there is at least one."""
    return TurnRecall(
        conversations=len(dialogues.conversations),
        turns=sum(len(each.turns) for each in dialogues.conversations),
        questions=len(outcomes),
        recall={
            way: {depth: round(statistics.fmean(each.recall(way, depth) for each in outcomes), 4) for depth in DEPTHS}
            for way in WAYS
        },
        median_ms=round(statistics.median(each.milliseconds for each in outcomes), 1),
    )


class _Embedding:
    """Passages as rows of a matrix, telling how far it has come over all conversations."""

    def __init__(self, embedder: Embedder, total: int, progress: Callable[[str, int, int], None]) -> None:
        self._embedder = embedder
        self._total = total
        self._progress = progress
        self._done = 0

    def matrix(self, texts: Sequence[str]) -> "Matrix":
        import numpy as np

        rows: list[list[float]] = []
        for begin in range(0, len(texts), BATCH):
            self._progress("embedding turns", self._done, self._total)
            rows += self._embedder.embed_passages(list(texts[begin : begin + BATCH]))
            self._done += len(texts[begin : begin + BATCH])
        self._progress("embedding turns", self._done, self._total)
        return np.array(rows, dtype=np.float32)


class _Turns:
    """One conversation, ready to be asked."""

    def __init__(self, dialogue: Dialogue, embedding: _Embedding) -> None:
        self._dialogue = dialogue
        self._terms = [tuple(content_terms(turn.text)) for turn in dialogue.turns]
        sitting = sittings([turn.time or "" for turn in dialogue.turns])
        said = [Said(turn.speaker, turn.text, number) for turn, number in zip(dialogue.turns, sitting, strict=True)]
        self._in_context = embedding.matrix([in_context(said, place) for place in range(len(said))])
        self._alone = embedding.matrix([turn.text for turn in said])

    def outcome(self, question: DialogueQuestion, embedder: Embedder) -> Outcome:
        import numpy as np

        vector = np.array(embedder.embed_query(question.question), dtype=np.float32)
        similarities: list[float] = (self._in_context @ vector + ALONE * (self._alone @ vector)).tolist()
        turns = [
            Candidate(place, similarities[place], self._terms[place], turn.speaker, turn.time or "")
            for place, turn in enumerate(self._dialogue.turns)
        ]
        began = time.perf_counter()
        fused = rank(question.question, turns)
        took = (time.perf_counter() - began) * 1000
        found: dict[Way, tuple[str, ...]] = {
            "words": self._ids(in_order(turns, match_words(question.question, turns))),
            "meaning": self._ids(in_order(turns, similarities)),
            "fused": self._ids(fused),
        }
        return Outcome(question, found, took)

    def _ids(self, ranked: list[Ranked]) -> tuple[str, ...]:
        return tuple(self._dialogue.turns[each.seq].id for each in ranked)
