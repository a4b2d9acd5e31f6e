"""Entities and relations of documents, read by a model beside what the rules for names find."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from clew.knowledge.chunking import Chunk, split_chunks
from clew.knowledge.documents import Document
from clew.knowledge.extracted import Extracted, ExtractedChunk, Relation
from clew.knowledge.extraction import MAX_DESCRIPTION, count_mentions
from clew.knowledge.graph_model import GraphModel, ReadEntity, ReadGraph, ReadRelation
from clew.knowledge.name_book import NameBook
from clew.knowledge.naming import Names, is_name
from clew.text.names import units

PARALLEL: Final = 4  # chunks read at a time; an answer takes some seconds
OTHER_TYPE: Final = "RELATED_TO"  # of a relation whose type is no word in capitals

_TYPE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,39}")


class ModelExtraction:
    """Entities are what the name book finds and what the model reads; relations are what the model reads.

    What a model says is held against the text: an entity counts where one of its names stands in the
    chunk or in the title, a relation where the chunk mentions both of its ends. Where the model fails,
    its error is raised and nothing of the batch is returned.
    """

    repeatable: Final = False
    title_links: Final = True

    def __init__(self, model: GraphModel, parallel: int = PARALLEL) -> None:
        self._model = model
        self._parallel = parallel

    @property
    def version(self) -> str:
        """The number is to be raised when models are asked something else, or their answers are used otherwise."""
        return f"model-1:{self._model.name}"

    def extract(self, documents: list[Document], names: NameBook) -> list[Extracted]:
        """All of ``documents`` are read before the first is extracted, so that each is searched for all names."""
        chunked = [(document, split_chunks(document.text)) for document in documents]
        asked = [(document.title, chunk.text) for document, chunks in chunked for chunk in chunks]
        with ThreadPoolExecutor(max_workers=self._parallel) as pool:
            answers = list(pool.map(lambda each: self._model.read(*each), asked))
        read = [_grounded(answer, f"{title}\n{text}") for (title, text), answer in zip(asked, answers, strict=True)]
        for graph in read:
            for entity in graph.entities:
                names.join(Names(entity.name, entity.aliases))
        graphs = iter(read)
        return [_extract(document, chunks, [next(graphs) for _ in chunks], names) for document, chunks in chunked]


def _grounded(graph: ReadGraph, text: str) -> ReadGraph:
    """The graph with those entities alone that ``text`` names, by spellings that can be names."""
    sequence = _spaced(text)
    fit = (_with_names(entity) for entity in graph.entities)
    entities = tuple(
        entity for entity in fit if entity and any(_spaced(name) in sequence for name in (entity.name, *entity.aliases))
    )
    return ReadGraph(entities, graph.relations)


def _with_names(entity: ReadEntity) -> ReadEntity | None:
    """The entity without spellings that cannot be names; None where none is left."""
    # Beside a name with capitals, "the director" describes; "machine learning" beside 机器学习 is a name.
    capitals = entity.name != entity.name.lower()
    spellings = [
        spelling
        for spelling in (entity.name, *entity.aliases)
        if is_name(spelling) and not (capitals and spelling.islower())
    ]
    return ReadEntity(spellings[0], tuple(spellings[1:]), entity.type) if spellings else None


def _spaced(text: str) -> str:
    """The words and CJK characters of ``text`` with blanks around each, so that names are found as whole words."""
    return f" {' '.join(unit.text for unit in units(text))} "


def _extract(document: Document, chunks: list[Chunk], graphs: list[ReadGraph], names: NameBook) -> Extracted:
    subject = names.of_title(document.title)
    mentioned: list[ExtractedChunk] = []
    described: dict[tuple[str, str, str], tuple[str, int]] = {}
    weights: Counter[tuple[str, str, str]] = Counter()
    for item, graph in zip(count_mentions(subject, names.find(document.text), chunks), graphs, strict=True):
        mentions = dict(item.mentions)
        # A name that running text does not show to be one, such as a term in small letters, is not found in it.
        for entity in graph.entities:
            if entity_id := _one_of(names.ids_of(entity.name), subject):
                mentions.setdefault(entity_id, 1)
        mentioned.append(ExtractedChunk(item.chunk, mentions))
        for relation in graph.relations:
            source = _one_of(names.ids_of(relation.source), subject)
            target = _one_of(names.ids_of(relation.target), subject)
            if source in mentions and target in mentions and source != target:
                stated = (source, target, _type(relation))
                described.setdefault(stated, (_description(relation), item.chunk.ordinal))
                weights[stated] += 1
    relations = tuple(Relation(*stated, *described[stated], weight) for stated, weight in sorted(weights.items()))
    read = dict.fromkeys(Names(entity.name, entity.aliases) for graph in graphs for entity in graph.entities)
    return Extracted(document, subject, tuple(mentioned), relations, tuple(read))


def _one_of(entity_ids: tuple[str, ...], subject: str) -> str:
    """Of several things that share a name, the document's subject is meant; empty where that is none of them."""
    if subject in entity_ids:
        return subject
    return entity_ids[0] if len(entity_ids) == 1 else ""


def _type(relation: ReadRelation) -> str:
    written = re.sub(r"[\s-]+", "_", relation.type.strip()).upper()
    return written if _TYPE.fullmatch(written) else OTHER_TYPE


def _description(relation: ReadRelation) -> str:
    """The sentence that states the relation, or one made of its parts where the model gave none."""
    parts = f"{relation.source} {_type(relation).replace('_', ' ').lower()} {relation.target}"
    return (relation.description.strip() or parts)[:MAX_DESCRIPTION]
