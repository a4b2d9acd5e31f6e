"""How often the questions are asked."""

from typing import Final

ROUNDS: Final = 2  # the last one counts; before it, models load, plans are cached and engines compile
