"""Kinds of things that names stand for, as far as pronouns and questions tell them apart."""

import re
from collections.abc import Set
from enum import Enum, auto
from typing import Final

from clew.answering.rewriting.patterns import any_of


class Kind(Enum):
    """What a name stands for. WORK is a film or a book, where nothing says which; CHARACTER is somebody in one."""

    PERSON = auto()
    CHARACTER = auto()
    WORK = auto()
    FILM = auto()
    BOOK = auto()
    COURSE = auto()
    GRANT = auto()
    PROGRAMME = auto()
    ORGANISATION = auto()
    PLACE = auto()
    PRIZE = auto()
    TIME = auto()
    UNKNOWN = auto()


Kinds = frozenset[Kind]

PEOPLE: Final[Kinds] = frozenset({Kind.PERSON})
FILMS: Final[Kinds] = frozenset({Kind.FILM})
BOOKS: Final[Kinds] = frozenset({Kind.BOOK})
WORKS: Final[Kinds] = frozenset({Kind.WORK, Kind.FILM, Kind.BOOK})
COURSES: Final[Kinds] = frozenset({Kind.COURSE})
GRANTS: Final[Kinds] = frozenset({Kind.GRANT})
PROGRAMMES: Final[Kinds] = frozenset({Kind.PROGRAMME})
ORGANISATIONS: Final[Kinds] = frozenset({Kind.ORGANISATION})
BUILDINGS: Final[Kinds] = frozenset({Kind.PLACE})
PLACES: Final[Kinds] = BUILDINGS | ORGANISATIONS
PRIZES: Final[Kinds] = frozenset({Kind.PRIZE})
THINGS: Final[Kinds] = frozenset(Kind) - {Kind.PERSON, Kind.CHARACTER, Kind.TIME, Kind.UNKNOWN}
ANYTHING: Final[Kinds] = THINGS | PEOPLE
NO_KINDS: Final[Kinds] = frozenset()

# Surnames that a Chinese name of two or three characters begins with.
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋"
    "蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段"
    "雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤葛巩章倪鲍郎奉"
)
_WEEKDAY: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH: Final = any_of("January February March April June July August September October November December")
_BODY: Final = any_of(
    "University College School Institute Academy Office Department Studio Studios Company Library Center Centre"
    " Laboratory Museum Festival"
)
_BY_SPELLING: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (Kind.WORK, r"《.+》"),
        (Kind.COURSE, r"[A-Z]{2,4}\d{3}"),
        (Kind.PROGRAMME, r"(?:B|M)(?:Sc|A|Eng|BA)\b|PhD\b|.*(?:专业|学位|[Pp]rogramme)$"),
        (Kind.GRANT, r".*(?:\b(?:[Ss]cholarship|[Gg]rant|[Ff]ellowship|[Bb]ursary)|奖学金|助学金|补助)$"),
        (Kind.TIME, rf".*\b(?:{_WEEKDAY}|{_MONTH})\b|(?:1\d|20)\d\d年?$|.*\d[月日年周]$|.*(?:学期|semester)$"),
        (Kind.PRIZE, r".*(?:\b(?:Awards?|Prize|Oscars?|Golden (?:Lion|Bear|Globe)|Palme d['’]Or)|[^中]奖|金熊|金狮)$"),
        (
            Kind.PLACE,
            r".*(?:\b(?:Hall|Building|Room|Street|Island|City|Church|Campus)(?: \d+)?|[楼岛市省县镇村室厅国])$",
        ),
        (Kind.ORGANISATION, r"(?:[Tt]he )?(?:School|University|College|Institute|Academy|Faculty|Department) of\b"),
        (Kind.ORGANISATION, rf".*(?:\b{_BODY}|大学|学院|学校|研究生院|工作室|公司|中心|.处|办公室)$"),
        (Kind.ORGANISATION, r".*(?:图书馆|博物馆|电影节|制片厂|实验室)$|University College\b"),
        (Kind.PERSON, r"[㐀-鿿]{1,8}(?:·[㐀-鿿A-Z.]{1,8})+$"),
    )
)


def kind_by_spelling(name: str) -> Kind:
    """The kind that the spelling of ``name`` gives away; a title in 《》 is a work."""
    for kind, pattern in _BY_SPELLING:
        # 何建国 is nobody's country.
        if pattern.match(name) and not (kind is Kind.PLACE and looks_like_person(name)):
            return kind
    return Kind.UNKNOWN


def looks_like_person(name: str) -> bool:
    """Whether ``name`` is written as Chinese names of persons are."""
    return 2 <= len(name) <= 3 and name[0] in _SURNAMES and all("㐀" <= character <= "鿿" for character in name)


def fits(kind: Kind, wanted: Set[Kind]) -> bool:
    """Whether a thing of ``kind`` may be what is ``wanted``, a work being a film or a book."""
    if kind in wanted:
        return True
    return (kind is Kind.WORK and bool(wanted & WORKS)) or (kind in WORKS and Kind.WORK in wanted)
