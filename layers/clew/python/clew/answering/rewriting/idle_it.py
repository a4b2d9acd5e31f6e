"""«It» that stands for nothing: «Is it possible to …?», «How long does it take to …?», «It is raining.»"""

import re
from typing import Final

from clew.answering.rewriting.patterns import any_of

_ADJECTIVE: Final = any_of(
    "possible impossible necessary true correct right wrong allowed permitted required mandatory compulsory important",
    "better best good bad hard difficult easy safe ok okay fine worth too_late late common normal usual advisable",
    "enough clear likely nice great lovely fun kind sad funny strange interesting helpful raining snowing cold hot",
    "warm sunny time legal useful fair",
)
_ADVERB: Final = r"(?:(?:really|still|also|not|ever|very|so) )?"
_IDLE: Final = re.compile(
    rf"\b(?:is|was|isn't|wasn't|be) it {_ADVERB}{_ADJECTIVE}\b(?: (?:to|that|if|for|when|whether)\b|.{{0,80}}? to\b|$)"
    rf"|\bit(?:'s| is| was| would be| will be| has been| might be| isn't| is not) {_ADVERB}{_ADJECTIVE}\b"
    r"|\bit(?:'s| is| was) (?:an?|the) [a-z]+ (?:that|to|when|if)\b"
    r"|\bit (?:seems|appears|turns out|looks like|rains?|snows?|depends|takes?|took|matters?|doesn't matter|says)\b"
    r"|\b(?:does|did|will|would|do) it (?:take|matter|rain|snow|make sense|hurt|help to|cost .{0,40}?\bto\b)"
    r"|\bwhat (?:time|day|date|year|month) is it|\bhow (?:is it going|'s it going|late is it|come it)"
    r"|\b(?:make|made|get|got|hold|forget) it\b|\btake it easy\b|\bthat(?:'s| is| was) it\b"
    r"|\bit is .{1,60}? (?:that|who)\b",
    re.I,
)


def idle_places(message: str) -> frozenset[int]:
    """Where in ``message`` an «it» would only fill a place."""
    return frozenset(place for match in _IDLE.finditer(message) for place in range(*match.span()))
