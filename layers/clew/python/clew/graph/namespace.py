"""The namespace of one knowledge base in the graph: its key on nodes, its labels and indexes."""

import re
from dataclasses import dataclass

from clew.identifiers import check_kb_prefix, check_outside_id, short_digest


@dataclass(frozen=True, slots=True)
class Namespace:
    """One tenant's knowledge base.

    Each has labels of its own beside the general ones, and its indexes are on those, so a search
    cannot see another knowledge base, nor lose results to its size. Labels are made of checked
    characters and a digest, never of raw input.
    """

    tenant_id: str
    kb_prefix: str

    def __post_init__(self) -> None:
        check_outside_id(self.tenant_id, "tenant_id")
        check_kb_prefix(self.kb_prefix)

    @property
    def key(self) -> str:
        """The value of every node's ``kb`` property."""
        return f"{self.tenant_id}/{self.kb_prefix}"

    @property
    def suffix(self) -> str:
        readable = re.sub(r"[^a-z0-9]", "_", self.kb_prefix)
        return f"{readable}_{short_digest(self.key, length=10)}"

    @property
    def chunk_label(self) -> str:
        return f"Chunk_{self.suffix}"

    @property
    def entity_label(self) -> str:
        return f"Entity_{self.suffix}"

    @property
    def community_label(self) -> str:
        return f"Community_{self.suffix}"

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels of this knowledge base alone."""
        return (self.chunk_label, self.entity_label, self.community_label)

    def node_id(self, kind: str, *parts: str) -> str:
        """A stable id for a node of this knowledge base."""
        return f"{kind}{short_digest(self.key, *parts, length=24)}"

    def alias_id(self, name_key: str) -> str:
        """The id of the alias node for a name's key; long keys are digested."""
        return f"{self.key}|{name_key if len(name_key) <= 200 else short_digest(name_key)}"
