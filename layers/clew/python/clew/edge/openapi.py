"""The OpenAPI document as it is served: a file beside this one, made by ``make openapi``."""

from functools import lru_cache
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).with_name("openapi.json")


@lru_cache
def openapi_document() -> str:
    return PATH.read_text(encoding="utf-8")
