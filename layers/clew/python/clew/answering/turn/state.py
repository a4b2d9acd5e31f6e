"""What a turn has come to so far."""

import time
from dataclasses import dataclass, field

from clew.answering.chat_model import Finished
from clew.answering.follow_up.following_up import AskUser, Continued
from clew.answering.turn.deadline import Deadline
from clew.conversation.recollection import Recollection
from clew.memory.episode import Episode
from clew.retrieval.evidence import Citation, Evidence, Passage
from clew.routing.decision import RouteDecision


@dataclass(slots=True)
class TurnState:
    """Filled step by step; what there is of it is stored even if the client leaves.

    ``message_id`` and ``seq`` are the user's message's id and number, ``said`` its text as it is stored, ``question``
    the message made to stand alone. ``dropped`` tells that it has closed the question that was open, ``asking`` is
    there when the turn ends by asking the user. ``cited_from`` are the passages as the prompt numbers them,
    ``citations`` those that the answer cites. ``whole`` tells that all of the answer was sent, ``attempt`` which of
    several tries this is.
    """

    deadline: Deadline
    attempt: str = ""
    conversation_id: str = ""
    message_id: str = ""
    seq: int = 0
    cleared_seq: int = 0
    repeated: bool = False
    said: str = ""
    past: Recollection = field(default_factory=Recollection)
    question: str = ""
    continued: Continued | None = None
    decision: RouteDecision | None = None
    evidence: Evidence = field(default_factory=Evidence)
    episodes: tuple[Episode, ...] = ()
    known_of_user: tuple[str, ...] = ()
    dropped: bool = False
    asking: AskUser | None = None
    cited_from: tuple[Passage, ...] = ()
    answer: str = ""
    citations: tuple[Citation, ...] = ()
    finished: Finished | None = None
    timings: dict[str, float] = field(default_factory=dict)
    whole: bool = False
    stored: bool = False
    last_lap: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        """Note the milliseconds since the last lap as those of ``step``, on top of what it took before."""
        now = time.perf_counter()
        self.timings[step] = round(self.timings.get(step, 0.0) + (now - self.last_lap) * 1000, 1)
        self.last_lap = now

    @property
    def window_begins(self) -> int:
        """The number of the first message that the prompt sees verbatim; what is older has to be recalled."""
        return self.past.messages[0].seq if self.past.messages else self.seq
