"""Sizes and units as DynamoDB counts them, from items in its wire format.

The rules: an attribute takes its name and its value; text its UTF-8 bytes, binary its bytes, a number about half
a byte a digit and one more, a list or map three and one more for each element. A read takes a unit for each
4 KB begun, half of that where it need not be consistent, of all items of a request together.
"""

import base64
import math
from collections.abc import Iterable
from typing import Any

Wire = dict[str, dict[str, Any]]

READ_UNIT = 4096
LEAST_READ = 1


def item_bytes(item: Wire) -> int:
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def read_units(items: Iterable[Wire], *, consistent: bool) -> float:
    """Units of one GetItem or Query that reads ``items``; finding nothing costs as much as the least."""
    size = sum(item_bytes(item) for item in items)
    units = max(LEAST_READ, math.ceil(size / READ_UNIT))
    return float(units) if consistent else units / 2


def _value_bytes(value: dict[str, Any]) -> int:
    ((kind, held),) = value.items()
    match kind:
        case "S":
            size = len(held.encode())
        case "B":
            size = len(base64.b64decode(held))
        case "N":
            digits = held.replace(".", "").replace("-", "").strip("0") or "0"
            size = 1 + math.ceil(len(digits) / 2) + held.startswith("-")
        case "M":
            size = 3 + sum(1 + len(name.encode()) + _value_bytes(each) for name, each in held.items())
        case "L":
            size = 3 + sum(1 + _value_bytes(each) for each in held)
        case "SS" | "NS" | "BS":
            size = 3 + sum(1 + _value_bytes({kind[0]: each}) for each in held)
        case _:  # BOOL, NULL
            size = 1
    return size
