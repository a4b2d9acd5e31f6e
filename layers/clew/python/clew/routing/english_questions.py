"""Signs of a question's kind in English. Rules see one sentence at a time, with quoted names taken out.

They tell capitals from small letters, since a name is not what its words say: «Who directed How to Train
Your Dragon?» asks no how.
"""

import re
from typing import Final

_ASKS: Final = r"(?:which|who|whose|what|is|are|was|were|does|do|did|has|have|had)"
_COMPARATIVE: Final = (
    r"(?:more|less|fewer|older|younger|longer|shorter|taller|bigger|larger|greater|smaller|higher|lower|earlier"
    r"|later|sooner|newer|cheaper|dearer|easier|harder|faster|slower|richer|poorer|stronger|weaker|heavier"
    r"|lighter|wider|deeper|closer|nearer|farther|further|better|worse|first|last|most|least|oldest|youngest"
    r"|longest|shortest|earliest|latest|before|after|rather)"
)
_WORD: Final = r"[A-Z0-9][\w'.&-]*"  # of a name
_NAME: Final = rf"(?:the |an? )?{_WORD}"
# What is no other thing to compare with: «on Saturday or Sunday», «than 20 credits», «lower than required».
_NO_DATE: Final = (
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May\b|June|July|August"
    r"|(?:Sept|Nov|Dec)ember|October|\d)"
)
_NO_MEASURE: Final = (
    r"(?!\d|(?:one|two|three|four|five|half|once|twice|ever|that|this|I|you|we)\b"
    r"|an? (?:day|week|month|year|semester|term)\b|required|allowed|needed|necessary|expected|planned|usual|normal)"
)

_COMPARISON: Final = (
    r"\b(?:[Cc]ompar(?:e[ds]?|ing|ison)|versus|vs|differs?|in common|alike|similar(?:ity|ities)?|distinguish(?:es)?"
    r"|[Pp]ros and cons)\b",
    r"\bdifferen(?:ce|ces|t)\b.*\b(?:between|from|to)\b",
    r"\bboth\b",
    r"\bsame\b.* (?:as|and)\b",
    r"\band\b.*\bsame\b",
    r"\bshare (?:an?|the|any)\b",
    # «Which is longer, A or B?», «Is A or B longer?», «Of A and B, which …?», «A or B: which …?»
    rf"^{_ASKS}\b.*\b{_COMPARATIVE}\b(?! or\b).*\bor (?!{_COMPARATIVE}\b|above\b|below\b|not\b)",
    rf"^{_ASKS}\b.*\bor (?!{_COMPARATIVE}\b).*\b{_COMPARATIVE}\b",
    r"^(?:of|between|among) .* (?:and|or) .*\b(?:which|who)\b",
    r"\bor\b.*[:,–—-] ?(?:which|who)\b",
    rf"^{_ASKS}\b.*\b{_WORD},? or (?:the |an? )?{_NO_DATE}[A-Z]",
    rf"\bwhich(?: one)? of (?:the two|these two|those two|{_NAME}(?: [\w'.&-]+){{0,5}},? (?:and|or) {_NAME})",
    # «Is A older than B?», «Does A pay as much as B?», «Were A and B …?»
    rf"^{_ASKS}\b.*\b(?:{_COMPARATIVE}|(?:more|less) \w+)\b.*\bthan {_NO_MEASURE}",
    rf"^{_ASKS}\b.*\bas (?!well|soon|far|long)\w+(?: \w+)? as (?!I\b|you\b|\d)",
    rf"^(?:are|were|do|did|have) {_NAME}(?: {_WORD}){{0,4}} and {_NAME}",
)
_OVERVIEW: Final = (
    r"\b[Ss]ummar(?:i[sz]e[ds]?|i[sz]ing|y of|ies of)\b",
    r"\b(?:overview|big picture|takeaways?)\b|^[Oo]verall\b|\boverall,|^in general\b",
    r"\b(?:main|common|major|key|central|recurr(?:ing|ent)|overarching)"
    r" (?:theme|topic|idea|motif|subject|point|trend|finding|message)",
    r"\b(?:which|what) (?:themes|motifs|trends)\b|\bwhat are the (?:themes|topics|motifs|trends)\b",
    r"\b(?:which|what) (?:topics|subjects) (?:are (?:there|covered)|do (?:the|these|those) (?:documents|texts))",
    r"\b(?:this|the|these) (?:knowledge base|collection|data ?set|documents) (?:is |are )?(?:about|cover|contain)\b",
)
_OPEN: Final = (
    r"\bwhy\b|^how come\b|\b[Ee]xplain\b",
    r"\bthe reasons? (?:for|why|behind|that)\b|\bwhat (?:causes|caused|makes|made)\b",
    r"\bwhat (?:is|are) the (?:steps|procedure|process)\b|\b(?:what|which) steps\b",
    # «How many», «how long» and the like ask for a fact.
    r"^how (?!(?:many|much|long|old|young|tall|far|near|close|often|high|low|big|large|small|late|early|soon|wide"
    r"|deep|fast|heavy|few|expensive|strong|hot|cold|full|popular)\b)",
    r"(?<!^)\bhow (?:to|I|we|you|do|does|did|is|are|was|were|can|could|should|would|come|it|they|he|she|the|an?)\b",
    r"^(?:tell me (?:more )?about|describe)\b",
)
_CONNECTION: Final = (
    r"\b(?:connections?|relations?|relationship|links?) between\b",
    r"^how (?:is|are|was|were)\b.*\b(?:related|connected|linked)\b",
)

# What a question reaches by way of another thing: roles of people, kin, works, institutions, places.
_RELATION: Final = (
    r"(?:(?:co-)?(?:director|composer|writer|author|screenwriter|scriptwriter|novelist|poet|actor|actress|star|singer"
    r"|musician|performer|cinematographer|producer|editor|creator|designer|architect|inventor|discoverer|painter"
    r"|artist|founder|owner|publisher|developer|maker|manufacturer|supplier|teacher|lecturer|instructor|professor"
    r"|supervisor|advis[eo]r|dean|head|chair|chairman|chairwoman|president|principal|rector|manager|leader|coach"
    r"|captain|mayor|minister|king|queen|boss|chief|winner|recipient|holder|successor|predecessor"
    r"|mother|father|parent|wife|husband|spouse|partner|son|daughter|child|brother|sister|sibling|uncle|aunt|cousin"
    r"|person|man|woman|film|movie|picture|series|show|book|novel|novella|story|play|opera|song|album|poem|painting"
    r"|prerequisite|course|programme|program|subject|school|university|college|faculty|institute|department|company"
    r"|firm|startup|studio|organi[sz]ation|agency|office|unit|team|band|club|city|town|village|country|state"
    r"|province|region|river|building|library|museum|arena|stadium|venue|place)s?)"
)
_ADJECTIVES: Final = r"(?: [a-z][\w-]*){0,3}?"
_OF: Final = (
    r"(?:of|behind|that|which|who|whose|where|by|(?:for|in|at|to) which"
    r"|(?:directed|written|composed|scored|made|shot|produced|founded|taught|given|run|designed|sung) by)"
)
_DESCRIBED: Final = rf"\b(?:the|whose){_ADJECTIVES} {_RELATION} {_OF}\b"
_OWNED: Final = (
    rf"\b(?!(?:Let|It|That|There|Here|He|She)'s)[A-Z0-9][\w.&-]*(?:'s|s') "
    rf"(?:[a-z][\w-]* ){{0,2}}?{_RELATION}\b(?!'s name)"
)
# «Who is the composer of …?» asks for the described thing itself; one step leads there.
_ASKED: Final = re.compile(
    rf"^(?:who|what|which(?: [a-z]+)?)(?:'s| is| was| are| were) (?:also )?(?:the (?:full |real |birth )?names? of )?"
    rf"(?:{_DESCRIBED}|(?:{_WORD} ){{0,4}}{_OWNED})|^(?:[Ll]ist|[Nn]ame|[Ss]how|[Gg]ive|[Ff]ind)(?: me)? {_DESCRIBED}"
)
_ASKED_OF_IT: Final = re.compile(
    r"\b(?:married|related|famous|known|based|named|born|buried|about|from|called after)(?: \w+)?\W*$"
)
_DESCRIPTION: Final = re.compile(rf"{_DESCRIBED}|{_OWNED}")
_CHAIN: Final = (
    rf"\b[Tt]he{_ADJECTIVES} (?!names? |title )\w+ of the{_ADJECTIVES} {_RELATION} {_OF}\b",
    rf"'s (?:\w+ ){{0,2}}?{_RELATION}'s\b",
    # «Who directed Parasite and where did he study?»: the second part asks about what the first one finds.
    r"^(?:(?:in|at|on|from|to|by) )?(?:who|which|what (?!is\b|are\b|was\b|were\b)\w+)\b.*(?:,|\band)"
    r"(?: then)? (?:(?:in|at|on|from|to|by) )?(?:where|when|who|what|which|how)\b"
    r".*\b(?:he|she|they|his|her|their|it|its|that|this)\b",
)

_RULES: Final = {
    kind: re.compile("|".join(patterns))
    for kind, patterns in {
        "comparison": _COMPARISON,
        "overview": _OVERVIEW,
        "open": _OPEN,
        "connection": _CONNECTION,
        "chain": _CHAIN,
    }.items()
}
_FIRST_WORD: Final = re.compile(r"^\W*(?:(?:[Aa]nd|[Ss]o|[Bb]ut|[Tt]hen|[Pp]lease|[Oo]k|[Hh]i|[Hh]ello)\b,? )?(\w+)")
_STARTERS: Final = frozenset(
    """which who whose what where when why how is are was were does do did has have had of between among the in at on
    from to by for tell describe can could""".split()  # noqa: SIM905
)


def kinds(sentence: str) -> set[str]:
    """The kinds that the sentence has signs of."""
    text = _beginning_small(sentence)
    found = {kind for kind in ("comparison", "overview", "open") if _RULES[kind].search(text)}
    if _RULES["connection"].search(text):
        return found - {"open"} | {"multi_hop"}
    return found | {"multi_hop"} if _is_nested(text) else found


def _is_nested(text: str) -> bool:
    if _RULES["chain"].search(text):
        return True
    return bool(_ASKED_OF_IT.search(text) if _ASKED.search(text) else _DESCRIPTION.search(text))


def _beginning_small(sentence: str) -> str:
    """The sentence from its first telling word on, in small letters where that is no name or all are capitals."""
    text = sentence.lower() if sentence.isupper() else sentence
    match = _FIRST_WORD.match(text)
    if match is None:
        return text
    word = match[1]
    return (word.lower() if word.lower() in _STARTERS else word) + text[match.end() :]
