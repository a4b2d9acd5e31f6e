"""What English words tell of the things they are said of."""

import re
from typing import Final

from clew.answering.rewriting.kinds import (
    BOOKS,
    BUILDINGS,
    COURSES,
    FILMS,
    GRANTS,
    NO_KINDS,
    ORGANISATIONS,
    PEOPLE,
    PLACES,
    PRIZES,
    PROGRAMMES,
    THINGS,
    WORKS,
    Kind,
    Kinds,
)
from clew.answering.rewriting.patterns import any_of, listed


def _by_word(*entries: tuple[str, Kinds]) -> dict[str, Kinds]:
    return {word: kinds for words, kinds in entries for word in listed(words)}


# Nouns that say what kind of thing is meant: «this film», «the same office».
NOUNS: Final = _by_word(
    ("film movie thriller sequel", FILMS),
    ("book novel novella story biography textbook", BOOKS),
    ("series show", WORKS),
    ("course class module", COURSES),
    ("scholarship grant fellowship bursary", GRANTS),
    ("programme program degree major", PROGRAMMES),
    ("school university college institute department faculty company studio organisation organization", ORGANISATIONS),
    ("office library laboratory centre center museum club", PLACES),
    ("building hall room", BUILDINGS),
    ("award prize", PRIZES),
    ("person man woman guy lady", PEOPLE),
    ("one thing", THINGS),
)

# Nouns for persons by what they do or whose they are: «the composer», «her husband».
ROLES: Final = listed(
    "director co-director composer writer screenwriter scriptwriter author novelist actor actress star lead hero",
    "villain cinematographer producer editor translator singer performer artist painter founder creator inventor",
    "owner teacher instructor lecturer professor dean head president principal rector librarian adviser advisor",
    "supervisor coach manager chair chairman successor predecessor winner",
    "wife husband spouse partner father mother son daughter brother sister",
)
FEMALE: Final = listed("actress wife mother daughter sister woman lady girl heroine")
MALE: Final = listed("husband father son brother man guy boy")

# What belongs to a thing, and to which kinds of things: the owner that «the deadline» leaves out.
OWNERS: Final = _by_word(
    ("director composer cinematographer producer", FILMS | {Kind.WORK}),
    ("writer screenwriter scriptwriter actor actress star lead hero villain editor cast score soundtrack music", FILMS),
    ("plot ending budget sequel prequel screenplay script storyline trailer", FILMS),
    ("theme_song release_date running_time box_office original_title", FILMS),
    ("author novelist translator publisher chapters", BOOKS),
    ("theme genre", WORKS),
    ("teacher instructor lecturer prerequisite prerequisites textbook lecture lectures syllabus", COURSES),
    ("exam exams examination examinations final_exam final_examination mid-term mid-term_test homework", COURSES),
    ("assessment grading grade", COURSES),
    ("credits", COURSES | PROGRAMMES),
    ("tuition duration internship programme_director program_director core_courses", PROGRAMMES),
    ("fee fees requirements", PROGRAMMES | COURSES | GRANTS),
    ("deadline amount applicants eligibility application_deadline application_form", GRANTS | PROGRAMMES),
    ("dean head president principal rector librarian", PLACES),
    ("address website location opening_hours", PLACES),
    ("population capital climate", BUILDINGS),
    ("headquarters ceo employees founder founders teaching_office", ORGANISATIONS),
    ("wife husband spouse father mother son daughter brother sister", PEOPLE),
    ("birthplace birthday nationality office office_hours", PEOPLE),
    ("email phone phone_number", PEOPLE | PLACES),
)

# Verbs and nouns that narrow down what «it» may be.
_SAID_OF: Final = tuple(
    (re.compile(rf"\b(?:{words})\b", re.I), kinds)
    for words, kinds in (
        (
            r"direct(?:s|ed)?|released?|premiered?|c[ao]me out|shot|filmed|scored?|compos(?:es|ed?)|sequel|film|movie",
            FILMS,
        ),
        (r"screenplay|cast|stars?|starring|acts?|soundtrack|cinematograph\w+|play(?:s|ed)? in", FILMS),
        (r"writes?|wrote|written|adapted|based", WORKS),
        (r"published?|author|chapters?", BOOKS),
        (r"teach(?:es)?|taught|prerequisites?|lectures?|exams?|examinations?|instructor", COURSES),
        (r"credits?|semester", COURSES | PROGRAMMES),
        (r"apply|deadline|eligible|combine[ds]?|awarded|worth", GRANTS | PROGRAMMES),
        (r"tuition|graduate from", PROGRAMMES),
        (r"opens?|close[sd]?|opening|located|address", PLACES),
        (r"founded|founder|established", ORGANISATIONS),
    )
)
SAID_OF_PEOPLE: Final = re.compile(
    r"\b(?:born|birthplace|died?|grew up|stud(?:y|ied)|graduated?|attend(?:ed)?|married|office hours"
    r"|wife|husband|son|daughter|father|mother|brother|sister)\b",
    re.I,
)

# Of these, one may stand in the other's place: «for undergraduates» and «for graduate students».
ALTERNATIVES: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.I)
    for words in (
        r"(?:(?:under|post)?graduate|master'?s|doctoral|PhD|international|exchange|(?:first|second|final)-year"
        r"|new|current|part-time|full-time) students?|(?:under|post)?graduates|undergraduate|freshmen|seniors|students",
        r"(?:autumn|spring|fall|summer|winter)(?: (?:semester|term))?",
        r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|weekends?|weekdays?",
        any_of("January February March April June July August September October November December"),
        r"(?:1[5-9]|20)\d\d",
        r"(?:first|second|third|fourth|fifth|final) year",
        r"mornings?|afternoons?|evenings?",
    )
)

_IN_ORDER: Final = "first second third fourth fifth sixth seventh eighth ninth tenth".split()  # noqa: SIM905
ORDINALS: Final = {word: number for number, word in enumerate(_IN_ORDER, start=1)} | {"last": -1}

# Participles that are not the past form: a question «Who wrote …?» in the passive.
PARTICIPLES: Final = {
    "wrote": "written",
    "writes": "written",
    "sang": "sung",
    "gave": "given",
    "chose": "chosen",
    "teaches": "taught",
    "makes": "made",
    "shoots": "shot",
    "runs": "run",
    "ran": "run",
    "leads": "led",
    "directs": "directed",
    "composes": "composed",
    "produces": "produced",
}


def kinds_said_of(text: str) -> Kinds:
    """The kinds of things that ``text`` may be said of, by its verbs and nouns; none where it does not tell."""
    found = {kind for pattern, kinds in _SAID_OF if pattern.search(text) for kind in kinds}
    for word in re.findall(r"[a-z-]+", text.lower()):
        owners = OWNERS.get(word) or OWNERS.get(word.removesuffix("s"), NO_KINDS)
        found |= owners if owners != PEOPLE else NO_KINDS
    return frozenset(found)


def noun_kinds(noun: str) -> Kinds:
    """The kinds that a noun of either number stands for; none for a noun that is not known."""
    low = noun.lower()
    for form in (low, low.removesuffix("s"), low.removesuffix("es")):
        if form in ROLES:
            return PEOPLE
        if form in NOUNS:
            return NOUNS[form]
    return NO_KINDS
