"""Episodes in the graph: the finished turns of a conversation, found again by what they are about.

Each is a node of its own, looked up by conversation and compared one by one: exact, and as quick as a person's
conversation is short. A conversation that was cleared leaves a node that says up to where, so that a turn which
arrives late, or once more, does not come back.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clew.conversation.clock import Clock, timestamp, utc_now
from clew.identifiers import check_outside_id
from clew.memory.episode import Episode
from clew.memory.recall import Candidate, rank
from clew.text.embedding import Embedder
from clew.text.terms import content_terms
from clew.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from clew.graph.connection import Graph, Rows
    from clew.graph.schema import Schema

EMBEDDED_TOKENS: Final = 480
"""Of a turn's text; what the laptop's embedder sees at once is 512."""

ANSWER_CHARACTERS: Final = 6_000
"""Of an answer are kept; the message has it whole."""

WRITES: Final = 50  # episodes embedded and stored at a time
DELETIONS: Final = 1_000  # episodes deleted in one transaction

STORED: Final = """
UNWIND $rows AS row
OPTIONAL MATCH (e:Episode {id: row.id})
OPTIONAL MATCH (c:Clearing {id: row.clearing})
RETURN row.id AS id, e.id IS NOT NULL AS stored, coalesce(c.seq, 0) AS cleared_seq
"""
ADD: Final = """
UNWIND $rows AS row
MERGE (e:Episode {id: row.id})
ON CREATE SET e.tenant_id = row.tenant_id, e.conversation_id = row.conversation_id, e.seq = row.seq,
    e.question = row.question, e.said = row.said, e.answer = row.answer, e.names = row.names,
    e.created_at = row.created_at, e.terms = row.terms, e.dimensions = row.dimensions, e.embedding = row.embedding
"""
# After the writing: a clear that came meanwhile has looked for them too early.
REMOVE_CLEARED: Final = """
UNWIND $rows AS row
MATCH (c:Clearing {id: row.clearing})
MATCH (e:Episode {id: row.id}) WHERE e.seq <= c.seq
DETACH DELETE e
"""
# One row of lists: to take some hundred rows apart would take longer than to find them.
CANDIDATES: Final = """
MATCH (e:Episode {conversation_id: $conversation_id}) WHERE e.tenant_id = $tenant_id AND e.seq > $after_seq
RETURN collect([e.seq, e.created_at, e.terms,
    CASE WHEN e.dimensions = $dimensions THEN vector.similarity.cosine(e.embedding, $vector) END]) AS candidates
"""
EPISODES: Final = """
UNWIND $ids AS id
MATCH (e:Episode {id: id}) WHERE e.tenant_id = $tenant_id
RETURN e.seq AS seq, e.question AS question, e.said AS said, e.answer AS answer, e.names AS names,
       e.created_at AS created_at
"""
MARK_CLEARED: Final = """
MERGE (c:Clearing {id: $id})
SET c.tenant_id = $tenant_id, c.seq = CASE WHEN coalesce(c.seq, 0) < $seq THEN $seq ELSE c.seq END
"""
REMOVE: Final = """
MATCH (e:Episode {conversation_id: $conversation_id}) WHERE e.tenant_id = $tenant_id AND e.seq <= $seq
WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
"""


class Episodes:
    """The episodes of one tenant's conversations; safe to share between threads.

    All methods raise GraphUnavailableError, those that embed also ModelThrottledError and
    ModelUnavailableError, where another try may help.
    """

    def __init__(
        self, graph: "Graph", schema: "Schema", embedder: Embedder, tenant_id: str, clock: Clock = utc_now
    ) -> None:
        self._graph = graph
        self._schema = schema
        self._embedder = embedder
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def add(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Store those that are not there yet and have not been cleared; which ones these are.

        Only these are embedded, and one that is there stays as it is: adding again changes nothing.
        """
        self._schema.prepare_episodes()
        remaining, added = iter(episodes), list[Episode]()
        while some := list(islice(remaining, WRITES)):
            found = {row["id"]: row for row in self._graph.read(STORED, rows=[self._key(each) for each in some])}
            new = [each for each in some if not found[self._id(each.conversation_id, each.seq)]["stored"]]
            new = [each for each in new if each.seq > found[self._id(each.conversation_id, each.seq)]["cleared_seq"]]
            if new:
                vectors = self._embedder.embed_passages([embedded_text(each) for each in new])
                rows = [self._row(each, vector) for each, vector in zip(new, vectors, strict=True)]
                self._graph.change(ADD, rows=rows)
                self._graph.change(REMOVE_CLEARED, rows=[self._key(each) for each in new])
                added += new
        return added

    def recall(
        self, conversation_id: str, question: str, *, after_seq: int, before_seq: int, top: int = 3
    ) -> list[Episode]:
        """The turns that bear most on ``question``, in order of time.

        Of those turns alone whose answer's number lies between ``after_seq`` (up to which the conversation
        was cleared) and ``before_seq`` (where the window begins), both exclusive.
        """
        best = self.best(conversation_id, question, after_seq=after_seq, before_seq=before_seq, top=top)
        return sorted(best, key=lambda episode: episode.seq)

    def best(
        self, conversation_id: str, question: str, *, after_seq: int, before_seq: int, top: int = 3
    ) -> list[Episode]:
        """The same turns, best first."""
        if before_seq <= after_seq + 1:
            return []
        vector = self._embedder.embed_query(question)
        rows = self._graph.read(
            CANDIDATES,
            conversation_id=conversation_id,
            tenant_id=self._tenant_id,
            after_seq=after_seq,
            vector=vector,
            dimensions=len(vector),
        )
        # Those in the window are ranked too: they are the neighbours of the last ones before it.
        ranked = rank(question, self._candidates(rows), timestamp(self._clock()))
        chosen = [seq for seq, _ in ranked if seq < before_seq][:top]
        return self._episodes(conversation_id, chosen) if chosen else []

    def forget(self, conversation_id: str, up_to_seq: int) -> int:
        """Delete the episodes up to that number, and keep out any that arrive later; how many there were.

        A deletion that broke off is finished by repeating it.
        """
        self._schema.prepare_episodes()
        scope = {"tenant_id": self._tenant_id, "seq": up_to_seq}
        self._graph.change(MARK_CLEARED, id=self._clearing(conversation_id), **scope)
        total = 0
        while deleted := self._graph.change(REMOVE, conversation_id=conversation_id, limit=DELETIONS, **scope):
            total += deleted[0]["deleted"]
            if deleted[0]["deleted"] < DELETIONS:
                break
        return total

    def _candidates(self, rows: "Rows") -> list[Candidate]:
        """The turns in their order. One embedded by another model is ranked as if it were the furthest in meaning."""
        found = sorted(rows[0]["candidates"]) if rows else []
        cosines = {seq: self._schema.cosine(score) for seq, _, _, score in found if score is not None}
        least = min(cosines.values(), default=0.0)
        return [
            Candidate(seq, cosines.get(seq, least), terms.split(), time=created_at)
            for seq, created_at, terms, _ in found
        ]

    def _episodes(self, conversation_id: str, numbers: list[int]) -> list[Episode]:
        """The episodes of those numbers, in that order; one that was deleted meanwhile is left out."""
        ids = [self._id(conversation_id, seq) for seq in numbers]
        rows = {row["seq"]: row for row in self._graph.read(EPISODES, ids=ids, tenant_id=self._tenant_id)}
        return [
            Episode(
                conversation_id=conversation_id,
                seq=seq,
                question=rows[seq]["question"],
                answer=rows[seq]["answer"],
                created_at=rows[seq]["created_at"],
                said=rows[seq]["said"],
                names=tuple(rows[seq]["names"]),
            )
            for seq in numbers
            if seq in rows
        ]

    def _key(self, episode: Episode) -> dict[str, str]:
        return {
            "id": self._id(episode.conversation_id, episode.seq),
            "clearing": self._clearing(episode.conversation_id),
        }

    def _id(self, conversation_id: str, seq: int) -> str:
        return f"{self._tenant_id}/{conversation_id}.{seq}"

    def _clearing(self, conversation_id: str) -> str:
        return f"{self._tenant_id}/{conversation_id}"

    def _row(self, episode: Episode, vector: list[float]) -> dict[str, Any]:
        return {
            "id": self._id(episode.conversation_id, episode.seq),
            "tenant_id": self._tenant_id,
            "conversation_id": episode.conversation_id,
            "seq": episode.seq,
            "question": episode.question,
            "said": episode.said,
            "answer": episode.answer[:ANSWER_CHARACTERS],
            "names": list(episode.names),
            "created_at": episode.created_at,
            "terms": " ".join(episode_terms(episode)),
            "dimensions": len(vector),
            "embedding": vector,
        }


def embedded_text(episode: Episode) -> str:
    """What stands for the turn's meaning: question and answer, as far as an embedder sees at once."""
    text = "\n".join(dict.fromkeys(part for part in (episode.question, episode.said, episode.answer) if part))
    return text[: bisect_right(range(len(text)), EMBEDDED_TOKENS, key=lambda end: estimate_tokens(text[: end + 1]))]


def episode_terms(episode: Episode) -> list[str]:
    """The terms by which the turn is found: of the question in both forms, the answer, and the names in them."""
    parts = (episode.question, episode.said, " ".join(episode.names), episode.answer[:ANSWER_CHARACTERS])
    return content_terms("\n".join(dict.fromkeys(part for part in parts if part)))
