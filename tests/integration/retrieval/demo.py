"""The demo knowledge bases, ready to be asked, and the questions that come with them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from clew.models.e5_embedder import E5Embedder
from clew.retrieval.evidence import RetrievalRun
from clew.retrieval.pool import AgentPool
from clew.retrieval.run import run_worker
from clew.routing.decision import RagRunSpec
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.worker_name import build_worker_name
from clew.text.embedding import Embedder, Vector

ROOT: Final = Path(__file__).parents[3]


@dataclass(frozen=True)
class Question:
    """A question of the demo with what must be found and said; any of ``expected`` will do."""

    text: str
    kb: str
    expected: tuple[str, ...]
    documents: tuple[str, ...]


class RememberingEmbedder:
    """e5, embedding each text once: the questions' evidence is made of the same sentences over and over."""

    def __init__(self) -> None:
        self._e5 = E5Embedder()
        self._passages: dict[str, Vector] = {}
        self._queries: dict[str, Vector] = {}

    @property
    def dimensions(self) -> int:
        return self._e5.dimensions

    def embed_query(self, text: str) -> Vector:
        if text not in self._queries:
            self._queries[text] = self._e5.embed_query(text)
        return self._queries[text]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if text not in self._passages]
        self._passages.update(zip(new, self._e5.embed_passages(new) if new else [], strict=True))
        return [self._passages[text] for text in texts]


@dataclass(frozen=True)
class Demo:
    """The demo of one tenant, ready to be asked."""

    pool: AgentPool
    embedder: Embedder
    profiles: list[KnowledgeBaseProfile]

    def run(self, kb_prefix: str, agent_type: str, query: str) -> RetrievalRun:
        spec = RagRunSpec(agent_type=agent_type, worker_name=build_worker_name(kb_prefix, agent_type))
        return run_worker(self.pool, spec, query, "session")


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def demo_questions() -> list[Question]:
    return [
        Question(row["question"], row["kb"], tuple(row["expected"]), tuple(row["documents"]))
        for row in read_lines(ROOT / "demo/questions.jsonl")
    ]
