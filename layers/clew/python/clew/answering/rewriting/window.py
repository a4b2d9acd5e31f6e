"""The turns that a message may lean on, read once: their names, newest turn first."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from clew.answering.rewriting.kinds import WORKS, Kind, Kinds, kind_by_spelling, looks_like_person
from clew.answering.rewriting.mentions import Mention, TurnNames, may_be
from clew.answering.rewriting.rewriter import Past, PreviousTurn
from clew.answering.rewriting.small_talk import is_small_talk
from clew.memory.episode import Episode

MAX_TURNS: Final = 6
MAX_QUESTION: Final = 600  # characters; one that is longer is a text of its own, which no message continues


class Window:
    """What earlier turns offer to a message: small talk among them is passed over."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._older: Sequence[Episode] | None = None
        asking = (
            turn for turn in past.turns if len(turn.question) <= MAX_QUESTION and not is_small_talk(turn.question)
        )
        self._turns = list(asking)[:MAX_TURNS]

    @property
    def previous(self) -> PreviousTurn | None:
        """The newest turn that asked something."""
        return self._turns[0] if self._turns else None

    @cached_property
    def turns(self) -> list[TurnNames]:
        return [TurnNames(turn, age) for age, turn in enumerate(self._turns)]

    @cached_property
    def known(self) -> tuple[str, ...]:
        """All names of the window, newest first."""
        return tuple(dict.fromkeys(mention.name for turn in self.turns for mention in turn.mentions))

    def kind_of(self, name: str) -> Kind:
        """The kind of a name in a message: as a turn told it, else as it is spelt."""
        bare = name.strip("《》")
        for turn in self.turns:
            for mention in turn.mentions:
                if mention.name == bare and mention.kind is not Kind.UNKNOWN:
                    return mention.kind
        spelt = kind_by_spelling(name)
        return Kind.PERSON if spelt is Kind.UNKNOWN and looks_like_person(name) else spelt

    def older(self, message: str) -> Sequence[Episode]:
        """Older turns that bear on ``message``, best first; they are asked for once, since that takes time."""
        if self._older is None:
            self._older = self._past.recall(message)
        return self._older

    def listed(self, age: int, wanted: Kinds) -> list[Mention]:
        """The names that a turn lists, fit for ``wanted``; none if there are fewer than two.

        The longest list of the answer counts; where there is none, the names that the answer brought in, or
        those of the question, if they are of one kind.
        """
        turn = self.turns[age]
        longest: list[Mention] = max(
            (group for group in turn.lists if all(may_be(each, wanted) for each in group)), key=len, default=[]
        )
        named = [same for each in (turn.answered, turn.asked) if (same := _of_one_kind(each, wanted))]
        # «… plays A and B plays …» is no list: two that the answer brought in are not among those.
        sure = len([each for each in longest if each in turn.mentions]) > 1 or not named
        return longest if longest and sure else next(iter(named), [])


def _of_one_kind(mentions: list[Mention], wanted: Kinds) -> list[Mention]:
    """Those that fit ``wanted``, if they are two or more of one kind."""
    fit = [each for each in mentions if may_be(each, wanted)]
    kinds = {Kind.WORK if each.kind in WORKS else each.kind for each in fit}
    return fit if len(fit) > 1 and len(kinds) == 1 else []


def window_of(turns: Sequence[PreviousTurn]) -> Window:
    """The window of turns that memory has found; nothing more can be recalled from it."""
    return Window(Past(turns=turns))
