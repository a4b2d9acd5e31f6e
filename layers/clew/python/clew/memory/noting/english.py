"""Signs in English of what a clause does: it asks, states, prefers, decides or requests.

A clause may begin with anything but a greeting; apostrophes are straight.
"""

import re
from typing import Final, Literal

from clew.memory.noting.note import Kind

_I: Final = r"\b(?:I|we|me|my|our|mine|ours|us|myself)\b"

OPENING: Final = re.compile(
    r"^(?:(?:hi|hello|hey|dear \w+|good (?:morning|afternoon|evening)|ok|okay|well|so|yes|no|yeah|yep|sure|right"
    r"|thanks?"
    r"|thank you(?: very much| so much)?|thanks a lot|great|perfect|cool|nice|by the way|btw|also|oh|ah|and|but|because"
    r"|since|just so you know|fyi|for your information|for the record|for context|in addition|besides|you see"
    r"|as you know)(?: there| all| again)?\b[,!.:;\s–—-]+"
    r"|(?:please )?(?:remember|note|keep in mind|bear in mind|do(?: not|n't) forget|know)(?: that\b|:|,|(?= (?:I|we"
    r"|my|our)\b))\s*"
    r")+",
    re.I,
)

_SMALL_TALK: Final = re.compile(
    r"(?:ok|okay|yes|no|yeah|yep|nope|sure|right|exactly|correct|thanks?|thank you|thx|great|cool|nice|perfect|good"
    r"|fine|awesome|wow|interesting|hello|hi|hey|bye|goodbye|see you|welcome|please|sorry|never mind|no problem|got it"
    r"|go on|continue|that helps|that's (?:all|it|right|wrong|great|good|fine|enough|interesting|helpful)|makes sense"
    r"|sounds good"
    r"|I (?:see|understand|know|got it|get it|agree|think so|don't think so|guess(?: so)?|don't know|don't understand"
    r"|don't get it|have no idea|hope so|am (?:back|here|ready|done|sorry|sure|not sure|confused|fine|good|ok)"
    r"|appreciate (?:it|that|your help))|I'm (?:back|here|ready|done|sorry|sure|not sure|confused|fine|good|ok|lost)"
    r"|I have (?:a|an|another|one more|one|some|two|a few) (?:\w+ )?questions?)"
    r"(?: (?:you|so much|very much|a lot|again|then|now|for (?:your|the|that|this|all)\b.*|that (?:helps|works)\b.*"
    r"|to (?:know|hear|see)|everyone|there|morning|evening|night|afternoon|later|today|here|about (?:that|this|it)))*",
    re.I,
)
# What tells of something that was named before, so nothing by itself: «He studied in Illinois».
_LEANS: Final = re.compile(r"^(?:he|she|it|they|this|that|these|those|his|her|their|its|there)\b", re.I)
# What points at an answer and says nothing without it: «I like that one».
_POINTS_BACK: Final = re.compile(
    r"(?:I|we)(?:'ll| will| would|'d| also| really| still| just)* (?:like|love|hate|prefer|want|need|enjoy|take"
    r"|choose|pick|remember|know|mean|meant|did|do|go (?:with|for)|liked|loved|saw|read|agree with)"
    r"(?: (?:it|that|this|them|so|these|those|one|both|the (?:first|second|third|last|other|latter|former))"
    r"(?: (?:one|two|film|movie|course|option|idea))?)?(?: too| as well| a lot| very much| better| more)*"
    r"|(?:the |that )?(?:first|second|third|last|other|former|latter)(?: (?:one|two|option))?"
    r"|(?:you|that's not what I) (?:said|told|mentioned|wrote|asked|are|were|did|forgot|got)\b.*",
    re.I,
)

_LANGUAGES: Final = (
    r"(?:English|Chinese|Mandarin|Cantonese|French|German|Spanish|Italian|Portuguese|Japanese|Korean|Russian|Arabic)"
)
_STYLE: Final = (
    rf"(?:in (?:{_LANGUAGES}|detail|short|brief|bullet|plain|simple|full|one|two|a few|my|your|the same)"
    r"|with (?:bullet|example|short|source|number)|using|briefly|shortly|concisely|formally|simply|at length"
    r"|as briefly)\b"
)
_REPLY: Final = (
    r"(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me| us)?(?: only| always| everything| all questions)?"
)
_PLEASE: Final = (
    r"(?:please |kindly |could you |can you |would you |will you |you (?:should|must|can) "
    r"|I(?:'d| would) like you to |I want you to )*"
)
REQUEST: Final = re.compile(
    rf"^{_PLEASE}(?:from now on|going forward|in (?:the )?future|for the rest of|every time|each time|always|never"
    rf"|only ever)\b|^{_PLEASE}{_REPLY} {_STYLE}"
    rf"|^{_PLEASE}(?:keep|make) (?:it|them|(?:(?:your|the|all|all the|all your) )?(?:answers?|replies|responses"
    rf"|explanations?))"
    r" (?:short|brief|simple|concise|long|detailed|to the point|plain|clear|formal|informal|under|below|within)"
    r"|^(?:please )?(?:do not|don't|avoid|stop|no more) (?!you\b|we\b|I\b|they\b|worry)\w+"
    r"|^(?:please )?use (?:metric|imperial|simple|plain|bullet|formal|informal|short|British|American|Celsius"
    r"|Fahrenheit)\b"
    rf"|^(?:please )?use {_LANGUAGES}\b"
    r"|^(?:please )?(?:remind me|remember to)\b"
    r"|^(?:please )?(?:short|brief|shorter|concise|longer|more detailed|detailed) (?:answers|replies|responses)\b"
    r"|\b(?:I|we)(?:'d| would) (?:like|prefer|rather have) (?:\w+ )?(?:short|brief|concise|long|longer|detailed"
    r"|simple)(?:er)? (?:answers|replies|responses|explanations)"
    r"|^please\b.*\b(?:from now on|in future|in the future|going forward|every time|always)$",
    re.I,
)
_ASKED_REQUEST: Final = re.compile(r"^(?:could|can|would|will) you\b", re.I)

_QUESTION: Final = re.compile(
    r"^(?:(?:and|but|so|or|then|also|now) )*(?:(?:in|at|on|from|to|by|for|with|of|about|since|until) )?"
    r"(?:(?:who|whom|whose|which|where|why|how)\b(?! (?:I|we) )|what(?:'s)?\b(?! (?:I|we) (?:need|want|like)\b)"
    r"|when\b(?! (?:I|we|you|he|she|they|it|the|my)\b)"
    r"|(?:is|are|was|were|does|do|did|can|could|will|would|should|shall|has|have|had|am|isn't|aren't|don't|doesn't"
    r"|didn't) (?:I|you|he|she|it|we|they|the|there|any|anyone|this|that|these|those|my|your|our|a|an|all|both"
    r"|(?-i:[A-Z]))"
    r"|(?:what|how) about\b)",
    re.I,
)
_SEEKS: Final = (
    r"(?:know|learn|understand|find|see|hear|ask|get|look|figure|check|compare|talk about|discuss|read about|be told"
    r"|have a look|explore|clarify|confirm)\b"
)
_ASKS: Final = re.compile(
    rf"^(?:please |now |then |just |could you |can you |would you |also |again )*(?:tell|show|list|give|explain"
    rf"|describe|compare"
    r"|summari[sz]e|find|search|look up|name|help|recommend|suggest|translate|check|let me (?:know|ask|see)"
    r"|let's (?:talk"
    r"|discuss|go back|return|see|look|start|continue)|calculate|count|define|outline|elaborate|say|repeat|write|draft"
    r"|provide|get me|clarify|expand|go deeper|tell me more|more about|what's|any)\b"
    rf"|\b(?:I|we)(?:'d| would)? (?:just |also |really |only )?(?:like|want|need|wish|hope|have"
    rf"|love)(?:ed)? to {_SEEKS}"
    rf"|\b(?:I|we)(?:'m| am|'re| are| was| were)? (?:just |also |still )?(?:trying|hoping|looking|here) to {_SEEKS}"
    r"|\b(?:I|we)(?:'m| am|'re| are| was| were)? (?:just |also |still )?(?:wondering|wonder|curious|asking)\b"
    r"|\b(?:I'm|I am|we're|we are) looking for (?:info|information|details|a list|an answer|data|facts)\b"
    r"|\b(?:I|we) (?:don't|do not|didn't|can't|cannot) (?:know|understand|remember|recall|see|find|get|tell)"
    r" (?:who|what|when|where|which|why|how|if|whether|out|the|any|this|that)\b"
    r"|\b(?:I'm|I am) not (?:quite )?sure (?:I|what|who|how|which|when|where|why|if|whether|about)\b"
    r"|^(?:and |but |so )*(?:I|we) (?:need|want) (?:the|a list|some info|more|information|details)\b"
    r"|\b(?:my|one|another|the|a|next|last|first) (?:\w+ )?question (?:is|was)\b",
    re.I,
)

_DECIDES: Final = re.compile(
    r"\b(?:decided|agreed|settled (?:on|for)|made up (?:my|our) minds?|opted (?:for|to)|final (?:choice|decision)"
    r"|changed (?:my|our) minds?|it's (?:decided|settled))\b"
    r"|\b(?:I|we)(?:'ve| have|'d| had)? (?:finally |already |now )?(?:chosen|chose|picked|selected)\b"
    r"|^(?:then |now |actually,? |on second thoughts?,? )*(?:let's|let us)\b"
    r"|\b(?:I|we)(?:'ll| will| shall| won't| will not)\b(?! (?:ask|think|check|see|be (?:back|right)|try|let you|read"
    r"|look|wait|come back|get back|do (?:that|it|so)|take a look|note|need|have to|probably ask|tell you|remember))"
    r"|\b(?:I|we)(?:'m| am|'re| are) (?:not )?going to\b(?! ask)"
    r"|\b(?:I|we) (?:now )?(?:plan|intend|am planning|are planning) to\b|\b(?:I|we)'(?:m|re) planning to\b"
    r"|^(?:please |actually,? |no,? |let's |then |can we |on second thoughts?,? )*"
    r"(?:make|change|move|switch|postpone|push|reschedule|bring|shift|set|keep|fix)"
    r" (?:it|that|this|the \w+|our \w+|my \w+)\b.*\b(?:to|on|for|at|forward|back|until|till|(?:Mon|Tues|Wednes|Thurs"
    r"|Fri|Satur|Sun)day)\b|^(?:please |actually,? |no,? |let's )*make (?:it|that) \w+"
    r"|\binstead\b(?! of)",
    re.I,
)
_PREFERS: Final = re.compile(
    r"\b(?:like|likes|love|loves|enjoy|enjoys|prefer|prefers|adore|hate|hates|dislike|dislikes|detest|favou?r"
    r"|can't stand|cannot stand"
    r"|fond of|keen on|crazy about|passionate about|interested in|a (?:big |huge |great )?fan of|tired of|bored (?:by"
    r"|with)|rather"
    r"|favou?rites?|not into|really into|I'm into|am into)\b",
    re.I,
)
_LIKE_TO: Final = re.compile(
    r"\b(?:would|'d) (?:really |also )?(?:like|love)\b|\b(?:feels?|looks?|sounds?|seems?|something|anything|is"
    r"|are) like\b",
    re.I,
)
_FIRST_PERSON: Final = re.compile(_I + r"|\bI'\w+", re.I)
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|has|have|had|will|won't|must|should|can|cannot|can't|costs?|takes?|starts?"
    r"|ends?|opens?|closes?|needs?|means?|moved|changed|happens?|works?"
    r"|lives?|lived|stud(?:y|ies|ied)|says?|said|told|speaks?|likes?|wants?|knows?|comes?|goes|went|became|got)\b",
    re.I,
)
_OPINION: Final = re.compile(
    r"^(?:and |but |so )*(?:I|we) (?:also |just |really )*(?:think|guess|believe|suppose|feel|assume|heard|read|saw"
    r"|watched|noticed|found|remember|forgot|agree|disagree|mean|meant|doubt|wish|hope|thought|said|asked|told)\b"
    r"|\b(?:yesterday|last night|this morning|just now|a moment ago|the other day|earlier today"
    r"|today|tonight|right now|at the moment)\b",
    re.I,
)

_LASTING: Final = re.compile(
    r"\b(?:allerg(?:y|ies|ic)|intoleran(?:t|ce)|diabet(?:es|ic)|coeliac|celiac|asthma|pregnant|wheelchair"
    r"|disab(?:ility|led)"
    r"|(?:colou?r-?)?blind|deaf|medication)\b",
    re.I,
)

_OVERRIDES: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|discard|violate)\b.{0,40}\b(?:instructions?|rules?|prompts?"
    r"|previous|above|prior|guidelines?|everything|restrictions?)\b"
    r"|\byou are now\b|\b(?:act|behave|respond) as (?:if|though|an?|my|the)\b|\bpretend (?:to be|you|that you)\b"
    r"|\brole-?play\b|\b(?:system prompt|developer mode|jailbreak|DAN mode|admin mode|hidden instructions?)\b"
    r"|\b(?:reveal|print|show|repeat|output) (?:me )?(?:your|the) (?:system )?(?:prompt|instructions)\b"
    r"|\bnew (?:system )?instructions?:"
    r"|^\W*(?:system|assistant|developer|user|human|AI)\s*(?:prompt|message)?\s*[:>]",
    re.I,
)


def overrides(text: str) -> bool:
    return _OVERRIDES.search(text) is not None


def is_question(clause: str) -> bool:
    return clause.rstrip().endswith("?") or _QUESTION.search(clause) is not None


def is_opinion(clause: str) -> bool:
    return _OPINION.search(clause) is not None


def in_first_person(clause: str) -> bool:
    return _FIRST_PERSON.search(clause) is not None


def is_lasting(clause: str) -> bool:
    return _LASTING.search(clause) is not None


def kind_of(clause: str) -> Kind | Literal["fragment"] | None:
    """See ``rules.Rules``; a ``fragment`` is a few words without a verb, which search for something or reply."""
    bare = clause.strip(" .!,")
    if not bare or _SMALL_TALK.fullmatch(bare) or _POINTS_BACK.fullmatch(bare):
        return None
    if REQUEST.search(bare) and (not bare.endswith("?") or _ASKED_REQUEST.search(bare)):
        return "request"
    return "topic" if is_question(bare) or _ASKS.search(bare) else _kind_of_statement(bare)


def _kind_of_statement(clause: str) -> Kind | Literal["fragment"] | None:
    if _DECIDES.search(clause):
        return "decision"
    first_person = in_first_person(clause)
    if first_person and _PREFERS.search(_LIKE_TO.sub("", clause)):
        return "preference"
    if not first_person and _LEANS.search(clause):
        return None
    return "said" if first_person or _STATES.search(clause) else "fragment"
