"""The composition root: which implementation stands behind a setting, made once per process."""

from clew.wiring import answering, graph, loading, memory, models, retrieval, stores

__all__ = ["answering", "graph", "loading", "memory", "models", "retrieval", "stores"]
