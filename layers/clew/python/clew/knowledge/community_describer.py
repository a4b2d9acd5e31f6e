"""Title, summary, search terms and vector of communities, from what their passages say."""

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from clew.errors import ModelError, TransientError
from clew.graph.connection import Graph
from clew.knowledge.community_draft import MAX_NAMED, Draft
from clew.knowledge.community_summary import (
    Relation,
    Statement,
    main_language,
    make_summary,
    make_title,
    standing_alone,
    telling_sentences,
)
from clew.knowledge.community_writer import CommunityWrite
from clew.knowledge.entity_graph import EntityGraph, sentence_digest
from clew.knowledge.graph_model import Summariser
from clew.text.embedding import Vector
from clew.text.terms import index_text

if TYPE_CHECKING:
    from clew.knowledge.entity_graph import Floats

BY_EXTRACTION: Final = "extraction"
SENTENCES: Final = 16  # from which a summary is made
MAX_PASSAGES: Final = 64  # whose vectors a community's is the mean of

SENTENCES_OF_PAIRS: Final = """
UNWIND $pairs AS pair
MATCH (a:Entity {id: pair[0]})-[r:RELATED]->(b:Entity {id: pair[1]})
RETURN DISTINCT r.description AS said, r.chunk_id AS passage
"""
PASSAGE_VECTORS: Final = """
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
RETURN id, c.embedding AS embedding
"""


class CommunityDescriber:
    """Describes drafts, a batch at a time: what a batch needs of sentences and vectors is read at once."""

    def __init__(self, graph: Graph, entities: EntityGraph, summariser: Summariser | None) -> None:
        self._graph = graph
        self._entities = entities
        self._subjects = entities.subjects()
        self._summariser = summariser
        self._model_is_down = False

    def describe(self, drafts: list[Draft], by_model: frozenset[str]) -> list[CommunityWrite]:
        """The drafts ready to be stored; the model summarises those whose ids are in ``by_model``.

        Where the model fails, what was extracted stands; when it cannot be reached, it is not asked again.
        """
        told = [telling_sentences(self._entities.relations(draft.relations), SENTENCES) for draft in drafts]
        texts = self._sentences({(source, target) for each in told for source, target, _, _ in each})
        speaking = [self._speaking_passages(draft) for draft in drafts]
        vectors = self._vectors({passage for weights in speaking for passage in weights})
        return [
            self._described(draft, self._statements(each, texts), _mean(weights, vectors), draft.id in by_model)
            for draft, each, weights in zip(drafts, told, speaking, strict=True)
        ]

    def _described(
        self, draft: Draft, statements: list[Statement], embedding: Vector | None, by_model: bool
    ) -> CommunityWrite:
        spellings = [self._entities.names[member] for member in draft.members[:MAX_NAMED]]
        names = [each[0] for each in spellings]
        language = main_language(statements)
        title = make_title(names, language)
        summary, author = make_summary(statements, language), BY_EXTRACTION
        if by_model and self._summariser and (written := self._by_model(self._summariser, names, statements)):
            summary, author = written, self._summariser.name
        searched = (title, summary, *(name for each in spellings for name in each))
        return CommunityWrite(
            id=draft.id,
            level=draft.level,
            members=[self._entities.ids[member] for member in draft.members],
            digest=draft.digest,
            title=title,
            summary=summary,
            summarised_by=author,
            terms=index_text(" ; ".join(searched)),
            embedding=embedding,
        )

    def _by_model(self, summariser: Summariser, names: list[str], statements: list[Statement]) -> str:
        """The model's summary, empty where it gives none."""
        if self._model_is_down:
            return ""
        try:
            sentences = [standing_alone(each) for each in statements]
            return summariser.summarise(names, sentences, main_language(statements)).strip()
        except TransientError:
            self._model_is_down = True
        except ModelError:
            pass  # what it refuses for one community it may do for the next
        return ""

    def _sentences(self, pairs: set[tuple[int, int]]) -> dict[int, str]:
        """What relates the pairs of entities, by digest."""
        ids = [(self._entities.ids[source], self._entities.ids[target]) for source, target in sorted(pairs)]
        rows = self._graph.read(SENTENCES_OF_PAIRS, pairs=ids)
        return {sentence_digest(row["said"], row["passage"]): row["said"] for row in rows if row["said"]}

    def _statements(self, told: list[Relation], texts: dict[int, str]) -> list[Statement]:
        names = self._entities.names
        return [
            Statement(texts[sentence], names[self._subjects[sentence]], names[target])
            for _, target, _, sentence in told
            if sentence in texts
        ]

    def _speaking_passages(self, draft: Draft) -> dict[str, float]:
        """Ids of the passages that relate the members to each other most, with how often they do."""
        entities, weights = self._entities, defaultdict[int, float](float)
        for passage, weight in zip(
            entities.passage[draft.relations].tolist(), entities.weight[draft.relations].tolist(), strict=True
        ):
            if passage >= 0:
                weights[passage] += weight
        kept = sorted(weights, key=lambda passage: (-weights[passage], passage))[:MAX_PASSAGES]
        return {entities.passages[passage]: weights[passage] for passage in kept}

    def _vectors(self, passage_ids: set[str]) -> "dict[str, Floats]":
        import numpy as np

        rows = self._graph.read(PASSAGE_VECTORS, ids=sorted(passage_ids))
        return {row["id"]: np.array(row["embedding"], np.float64) for row in rows if row["embedding"]}


def _mean(weights: dict[str, float], vectors: "dict[str, Floats]") -> Vector | None:
    """The weighted mean at unit length; None where no passage has a vector."""
    import numpy as np

    total = sum((weight * vectors[passage] for passage, weight in weights.items() if passage in vectors), np.zeros(1))
    length = float(np.linalg.norm(total))
    mean: Vector = (total / length).tolist() if length > 0 else []
    return mean or None
