"""The profiles of knowledge bases as a process last read them: for whoever needs all of them with every message."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing.knowledge_base import KnowledgeBaseProfile

TENANTS: Final = 16
"""Profiles with their names and vectors take some megabytes a knowledge base."""
MAX_AGE: Final = 600.0
"""Seconds. A load that died between writing a profile and changing the stamp is seen this late."""


class _Kept(NamedTuple):
    stamp: str
    until: float
    profiles: tuple[KnowledgeBaseProfile, ...]


class ProfileCache:
    """Profiles by tenant, those asked for longest ago forgotten first; safe to share between threads.

    Asking costs half a read unit as long as nothing has changed: that of the tenant's stamp. All profiles,
    hundreds of kilobytes, are read when it is another than before.
    """

    def __init__(self, tenants: int = TENANTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._tenants = tenants
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def profiles(self, registry: KnowledgeBaseRegistry) -> list[KnowledgeBaseProfile]:
        """All profiles of the registry's tenant, by prefix, as they were a moment ago."""
        stamp = registry.stamp()
        with self._lock:
            kept = self._kept.get(registry.tenant_id)
            if kept and stamp and kept.stamp == stamp and self._clock() < kept.until:
                self._kept.move_to_end(registry.tenant_id)
                return list(kept.profiles)
        # Consistently: profiles from before the stamp would be kept under it.
        profiles = registry.list(consistent=True)
        with self._lock:
            self._kept[registry.tenant_id] = _Kept(stamp, self._clock() + MAX_AGE, tuple(profiles))
            self._kept.move_to_end(registry.tenant_id)
            while len(self._kept) > self._tenants:
                self._kept.popitem(last=False)
        return profiles
