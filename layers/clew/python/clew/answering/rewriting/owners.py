"""What something belongs to when the message does not say: the grant whose deadline is asked for."""

from clew.answering.rewriting.antecedents import antecedent
from clew.answering.rewriting.kinds import THINGS, Kind, Kinds
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.window import Window


def owner_of(window: Window, kinds: Kinds, *, sure: bool = False) -> Mention | None:
    """The name of one of ``kinds``; None where none was talked of.

    With ``sure``, which is that the message leaves an owner out, it is then the newest thing asked about, of
    whatever kind; likewise where no kinds are known for what is owned.
    """
    found = antecedent(window, kinds, preferred=kinds, strict=True) if kinds else None
    if found or not sure:
        return found
    named = (mention for mention in window.turns[0].asked if mention.kind in THINGS | {Kind.UNKNOWN} or not kinds)
    return next(named, None)
