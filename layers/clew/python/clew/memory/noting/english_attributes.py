"""What English clauses say of their speaker, as patterns of attributes that have one value at a time.

The group ``value`` is where the value stands. Capitals count unless a pattern says otherwise.
"""

from typing import Final

LANGUAGES: Final = (
    "English|Chinese|Mandarin|Cantonese|French|German|Spanish|Italian|Portuguese|Japanese|Korean|Russian|Arabic"
)
_NO_NAME: Final = (
    r"(?!(?:Chinese|English|American|British|French|German|Spanish|Italian|Japanese|Korean|Russian|Indian|Dutch|Polish"
    r"|Canadian|Australian|Brazilian|Mexican|Irish|Scottish|Swedish|Danish|Norwegian|Finnish|Turkish|Greek|Vietnamese"
    r"|Thai|Indonesian|Muslim|Buddhist|Christian|Jewish|Hindu|Catholic|OK|Okay|Fine|Good|Not|Vegan|Vegetarian)\b)"
)
_NO_PLACE: Final = r"(?!(?i:an? |the next|another|my (?:second|third|first|final)|it\b|that\b|this\b|on\b))"
_ORDINAL: Final = r"(?:first|second|third|fourth|fifth|sixth|final|last|1st|2nd|3rd|4th)"
_SUBJECT: Final = r"(?:major|programme|program|subject|field(?: of study)?|minor)"
_NO_SUBJECT: Final = (
    r"(?!(?:at|with|every|on|hard|here|there|abroad|alone|late|for)\b|a lot|the \w+ (?:list|plan)|books?\b)"
)
_REPLIES: Final = r"(?:answers?|repl(?:y|ies)|responses?|explanations?)"
_LENGTH: Final = r"(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|long(?:er)?|(?:more )?detailed|at length|to the point)"

ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "name": (
        r"(?i:\b(?:my|our) (?:full |first |real )?name(?:'s| is)) (?P<value>.+)",
        r"\bI(?:'m| am) (?:called|named) (?P<value>.+)",
        rf"^(?i:I'm|I am|this is) {_NO_NAME}(?P<value>[A-Z][a-z]+(?:[- ][A-Z][a-z]+){{0,2}})(?=$| by the way| here)",
    ),
    "called": (r"(?i:\b(?:call|address) me(?: as)?) (?P<value>.+)", r"\bI go by (?P<value>.+)"),
    "home": (
        r"\b(?i:lives?|living|resid(?:e|ing)|based|relocated|moved|settled|(?:moved|relocated) from \w+)"
        r"(?: down| back| away| over| now| currently| here| house)* (?i:in|to|at) "
        rf"{_NO_PLACE}(?P<value>.+)",
        r"^(?:now |currently )?(?i:I'm|I am) (?:now |currently |still |back )?in "
        r"(?P<value>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?: now| these days)?$",
    ),
    "origin": (
        r"(?i:\b(?:come|comes|originally|am|I'm) from) (?P<value>.+)",
        r"(?i:\bborn (?:and raised )?in|\bgrew up in|\bmy (?:hometown|home town) is) (?P<value>.+)",
    ),
    "age": (
        r"^(?i:I'm|I am|I've turned|I turned|I just turned) (?P<value>\d{1,3})(?: now)?$",
        r"\b(?P<value>\d{1,3}) years old\b",
        r"(?i:\bmy age is) (?P<value>\d+)",
    ),
    "field": (
        r"\b(?i:study|studies|studying|major(?:s|ing|ed)? in|a degree in|students? (?:of|in)"
        rf"|my {_SUBJECT} (?:is|was|will be)) {_NO_SUBJECT}(?P<value>.+?)(?= at | in my |,? now$|, |$)",
        r"\b(?i:switched|transferred|changed(?: (?:my|the) \w+)?)(?i: over)?(?i: from .+)? (?:to|into) "
        rf"(?!.*(?:University|College|School|Institute|Academy)){_NO_SUBJECT}(?P<value>.+?)(?= at |,? now$|, |$)",
    ),
    "year": (
        rf"(?i:\b(?P<value>{_ORDINAL}[- ]year)\b)",
        r"(?i:\b(?P<value>freshman|sophomore|(?:junior|senior)(?= (?:student|at|in|year)|$))\b)",
        rf"(?i:\bin (?:my|the) (?P<value>{_ORDINAL}) year\b)",
        r"(?i:\bin (?P<value>year (?:one|two|three|four|five|[1-6]))\b)",
    ),
    "level": (
        r"(?i:\b(?:an? |as )(?:\w+ )?(?P<value>undergraduate|postgraduate|graduate(?= student)|PhD(?= student)"
        r"|doctoral(?= student)|master's(?= student)|bachelor's?(?= student)))\b",
    ),
    "school": (
        r"\b(?:at|attend|attends|attending|to|from|of) (?:the )?"
        r"(?P<value>(?:[A-Z][\w'&-]*,? (?:of |for |and )?){0,5}(?:University|College|Institute|School|Academy)"
        r"(?: of [A-Z]\w*(?: (?:and )?[A-Z]\w*){0,3})?)",
    ),
    "job": (
        r"\b(?i:works?|working|worked|employed) (?i:as|at|for|in) "
        r"(?!progress|groups?|pairs?|detail|my thesis|the (?:evening|morning))(?P<value>.+)",
        r"(?i:\bmy (?:job|profession|occupation) is) (?P<value>.+)",
    ),
    "diet": (r"(?i:\b(?:vegetarian|vegan|pescatarian|halal|kosher|(?:eat|eats|eating) (?:\w+ )?meat)\b)",),
    "reply_language": (
        r"(?i:(?<!I )(?<!can )\b(?:answer|reply|respond|speak|talk|write|use|answers|replies|responses|explain)\b.*?"
        rf"\b(?P<value>{LANGUAGES})\b)",
    ),
    "reply_length": (
        rf"(?i:\b(?:{_REPLIES}|respond|keep it|make it|write)\b.*\b(?P<value>{_LENGTH}|in (?:more )?detail)\b)",
        rf"(?i:\b(?P<value>{_LENGTH}) {_REPLIES}\b)",
    ),
}

# «My supervisor is Zhou», «our budget is 5,000 euros»: whatever it is, it has one value.
OWN: Final = (
    r"(?i:\b(?:my|our|the) (?P<name>(?:[\w'-]+ ){0,3}?[\w'-]+)"
    r"(?: is| are| was| were| will be| has (?:been )?(?:moved|changed)(?: to)?| starts?| ends?)"
    r"(?: now| actually| still)? (?P<value>(?!(?:too|so|very|going|not|really|good|great|about|interesting)\b)[^,]+)$)"
)
# Of whom a clause tells that does not tell of its speaker: «My mother lives in Shanghai».
ANOTHER: Final = (
    r"(?i:^(?:and |but |so )?my (?!name|full|first|real|job|age|home|answers?|replies|hometown"
    rf"|{_SUBJECT})(?P<name>(?:[a-z'-]+ ){{0,2}}?[a-z'-]+?)(?:'s name)?"
    r"(?= (?:is|lives?|works?|studies|moved|comes|was|has|goes)\b))"
)
# A clause of the speaker's own; «Which year are you in? Second year» is one too. After OTHERS it tells of others.
SPEAKER: Final = r"\b(?i:I|my|we|our|me|us)\b|[?？] "
OTHERS: Final = r"\b(?i:he|she|they|his|her|their|who|it)\b"
# What may be, or was, says nothing of what is.
INTENDED: Final = (
    r"(?i:\b(?:plan|planning|going|want|hope|hoping|will|would|might|(?-i:may)|could|thinking|think|considering|if|dream|used"
    r"|moving|heard|guess|believe|suppose|know|wonder)\b|'ll\b|'d\b)"
)
