"""Keeping a knowledge base's communities in step with its entities: what differs is written, and nothing else."""

from collections.abc import Callable, Iterator
from typing import Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.community_describer import CommunityDescriber
from clew.knowledge.community_draft import Draft, draft_communities
from clew.knowledge.community_writer import CommunityWriter, StoredCommunity
from clew.knowledge.entity_graph import read_entity_graph
from clew.knowledge.graph_model import Summariser

MAX_MODEL_SUMMARIES: Final = 200  # in one rebuild, the largest communities first; the next goes on
BATCH: Final = 64  # communities in one transaction, or fewer
BATCH_MEMBERS: Final = 2_000  # if they have more members than this;
MODEL_BATCH: Final = 8  # where a model is asked, which takes a second or two for each
PLACED: Final = 1_000  # communities that one transaction gives their parents

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


class CommunityBuilder:
    """Finds, describes and stores the communities of one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace, summariser: Summariser | None = None) -> None:
        self._graph = graph
        self._namespace = namespace
        self._writer = CommunityWriter(graph, namespace)
        self._summariser = summariser

    def finished(self) -> bool:
        """Whether the model, where there is one, has written all summaries."""
        return self._summariser is None or self._writer.all_summarised_by(self._summariser.name)

    def rebuild(self, progress: Progress) -> int:
        """Bring the stored communities in step with the entities and relations; the number of communities.

        A rebuild that broke off is finished by the next. New communities are stored before old ones are
        deleted, so who searches meanwhile finds the one or the other.
        """
        entities = read_entity_graph(self._graph, self._namespace, lambda *of: progress("reading relations", *of))
        drafts = draft_communities(entities, self._writer.community_id)
        stored = self._writer.stored()
        by_model = self._left_to_the_model(drafts, stored)
        changed = [draft for draft in drafts if draft.id in by_model or _differs(draft, stored.get(draft.id))]
        describer = CommunityDescriber(self._graph, entities, self._summariser)
        done = 0
        for batch in _batches(changed, MODEL_BATCH if by_model else BATCH):
            progress("writing communities", done, len(changed))
            self._writer.put(describer.describe(batch, by_model))
            done += len(batch)
        self._place(drafts, stored)
        gone = sorted(stored.keys() - {draft.id for draft in drafts})
        for begin in range(0, len(gone), BATCH):
            self._writer.remove(gone[begin : begin + BATCH])
        progress("writing communities", done, len(changed))
        return len(drafts)

    def _left_to_the_model(self, drafts: list[Draft], stored: dict[str, StoredCommunity]) -> frozenset[str]:
        """Ids of the communities whose summaries the model has still to write, as many as one rebuild may ask for."""
        if self._summariser is None:
            return frozenset()
        name = self._summariser.name
        left = [
            draft
            for draft in drafts
            if (known := stored.get(draft.id)) is None or known.summarised_by != name or known.digest != draft.digest
        ]
        left.sort(key=lambda draft: (-len(draft.members), draft.id))
        return frozenset(draft.id for draft in left[:MAX_MODEL_SUMMARIES])

    def _place(self, drafts: list[Draft], stored: dict[str, StoredCommunity]) -> None:
        """Connect the levels where they are not connected as they should be."""
        parents = {
            draft.id: draft.parent
            for draft in drafts
            if draft.parent != (stored[draft.id].parent if draft.id in stored else "")
        }
        ids = list(parents)
        for begin in range(0, len(ids), PLACED):
            self._writer.place({community_id: parents[community_id] for community_id in ids[begin : begin + PLACED]})


def _differs(draft: Draft, stored: StoredCommunity | None) -> bool:
    return stored is None or stored.digest != draft.digest or not stored.whole


def _batches(drafts: list[Draft], size: int) -> Iterator[list[Draft]]:
    """Batches that fit one transaction; those of one tree stand together, since they share their passages."""
    batch: list[Draft] = []
    members = 0
    for draft in sorted(drafts, key=lambda draft: (draft.root, draft.level, draft.id)):
        if batch and (len(batch) == size or members + len(draft.members) > BATCH_MEMBERS):
            yield batch
            batch, members = [], 0
        batch.append(draft)
        members += len(draft.members)
    if batch:
        yield batch
