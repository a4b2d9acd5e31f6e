"""Users and sessions of one run, which no other run has."""

from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

SESSIONS: Final = tuple(f"s{number}" for number in range(6))
CLEARED: Final = SESSIONS[-2:]
"""Sessions that may be cleared, once all messages have been answered."""


@dataclass(frozen=True)
class Names:
    """``run`` is a part of every user's name."""

    run: str

    @property
    def users(self) -> tuple[str, ...]:
        return tuple(f"fuzz-{self.run}-{number}" for number in range(4))

    def user(self) -> st.SearchStrategy[str]:
        return st.sampled_from(self.users)

    def session(self) -> st.SearchStrategy[str]:
        return st.sampled_from(SESSIONS)
