"""What may not be lost when notes are written anew by someone else."""

from collections.abc import Sequence

from clew.memory.noting.note import STATEMENTS, Note
from clew.memory.noting.replacing import replaced
from clew.memory.noting.strength import LASTING, strength


def with_what_must_stay(written: Sequence[Note], certain: Sequence[Note]) -> list[Note]:
    """``written``, and before it those of the ``certain`` notes on who the user is that nothing in it is about."""
    statements = [note for note in written if note.kind in STATEMENTS]

    def is_lost(note: Note) -> bool:
        if note.kind not in STATEMENTS:
            # What was asked back decides how the user's next message is read.
            return note.kind == "asked_back"
        return strength(note) >= LASTING and not any(replaced(note, other) for other in statements)

    return [*(note for note in certain if is_lost(note)), *written]
