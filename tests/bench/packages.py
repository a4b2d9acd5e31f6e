"""What each function weighs with its layers, as it goes to AWS."""

from infra.build_layers import DEPENDENCY_LAYERS
from infra.package_bytes import LIMIT, function_bytes
from infra.paths import BUILT_LAYERS
from tests.bench.figure import Figure, tell

GROUP = "function with its layers, unpacked"


def measure() -> list[Figure]:
    missing = [name for name in DEPENDENCY_LAYERS if not (BUILT_LAYERS / name).exists()]
    note = ""
    if missing:
        note = "without dependencies: make layers"
        tell(f"{', '.join(missing)} not built; `make layers` builds them")
    return [
        Figure(GROUP, each.name, each.total, "bytes", aim=None if note else LIMIT, note=note)
        for each in function_bytes()
    ]
