"""What the words beside a name tell of it: «directed by Ang Lee», 小说《活着》."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from clew.answering.rewriting.kinds import Kind
from clew.answering.rewriting.patterns import any_of

NEAR: Final = 60  # characters on either side
MAX_PLACES: Final = 4  # of one name in one text

_DID: Final = any_of(
    "was_born were_born died studied graduated attended directed wrote composed play plays played teach teaches taught",
    "joined leads became starred appears sang is_married was_married",
)
_ROLE: Final = any_of(
    "director composer actor actress writer author screenwriter novelist cinematographer producer singer musician",
    "professor lecturer teacher dean librarian leader",
)
_KIN: Final = any_of("wife husband brother sister father mother son daughter")
_DID_ZH: Final = any_of(
    "出生 生于 毕业 就读 任教 执导 主演 出演 饰演 扮演 担任 凭 编写 主讲 考入 演唱 写 教授 副教授 讲师 老师",
)
_ROLE_ZH: Final = any_of("导演 演员 作曲家 作家 小说家 教授 摄影师 编剧")
_OF_PERSON_ZH: Final = any_of("妻子 丈夫 父亲 母亲 儿子 女儿 哥哥 弟弟 答疑 研究方向 本名")
_NAMED_ZH: Final = any_of("导演 作曲 作曲者 编剧 主演 教师 老师 院长 主任 处长 妻子 丈夫 父亲 母亲 儿子 女儿 作者")

_TELLS: Final = (
    (
        Kind.CHARACTER,
        re.compile(r"\bplay(?:s|ed)? (?:the (?:(?!in |of |at )[a-z]+ ){1,4})?$|(?:饰演|扮演)[^，。、《》]{0,6}$"),
        re.compile(r"由[^，。]{1,12}(?:饰演|扮演)"),
    ),
    (
        Kind.PERSON,
        re.compile(
            rf"(?:\b(?:by|starring|{_ROLE}|Professor|Dr\.?|Mr\.?|Ms\.?|Mrs\.?)"
            rf"|\b(?:{_KIN}|office|office hours|research) of"
            r"|\b(?:dean|director|teacher|head|president|librarian)\b[^.]{0,40} is"
            rf"|{_NAMED_ZH}(?:是|为|：|由)?|教授)\s*$"
        ),
        re.compile(
            rf"(?:['’]s)?(?: (?:and|or) [A-Z][\w. -]+?)? (?:{_DID}\b"
            r"|(?:has |have |had )?(?:directed|written|composed) (?!by)"
            rf"|(?:is|was|are|were) (?:also )?(?:an?|the|one of the) [\w\s,-]{{0,40}}?\b{_ROLE}s?\b)"
            rf"|[（(，,]?\s*(?:\d{{4}}年)?(?:{_DID_ZH}|为.{{1,20}}(?:作曲|配音)|的{_OF_PERSON_ZH}"
            rf"|是[^，。]{{0,16}}{_ROLE_ZH})"
        ),
    ),
    (
        Kind.BOOK,
        re.compile(r"(?:\b(?:novel|novella|book|biography|story|textbook)\b,?|小说|书|教材(?:是|为)?)\s*$"),
        re.compile(r",? (?:is |was )?an? (?:\w+ ){0,2}(?:novel|novella|book|biography)\b|是.{0,12}小说"),
    ),
    (
        Kind.FILM,
        re.compile(
            r"\b(?:film|movie|(?:score|screenplay|cast|music|soundtrack|director|composer|cinematographer) of"
            r"|[Ww]ho (?:also )?(?:directed|composed|scored|shot|produced|plays? [\w -]+ in|stars? in))(?: the)?\s*$"
            r"|(?:执导|导演|主演|出演|拍)了?(?:的?电影|的?影片)?《?$"
        ),
        re.compile(
            r"(?: is| was) based on|》?(?:是|,? (?:is|was) )[^，。.]{0,40}(?:\bfilm|\bmovie|片\b|片。|片，|电影|影片)"
            r"|》?(?:是|由)[^。，]{1,24}(?:执导|导演的|作曲)"
            r"|》?(?:的(?:导演|编剧|作曲|主演|男主角|女主角|摄影|主题歌|主题曲)|是?哪一?年上映|改编自|是谁(?:执导|导演|作曲)|中饰演)"
        ),
    ),
)


def kind_told(name: str, *texts: str) -> Kind | None:
    """The kind that the first of ``texts`` gives away by what stands before or after ``name``; None if none does."""
    for text in texts:
        for before, after in islice(_sides(name, text), MAX_PLACES):
            for kind, leads, follows in _TELLS:
                if leads.search(before) or follows.match(after):
                    return kind
    return None


def _sides(name: str, text: str) -> Iterator[tuple[str, str]]:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        yield text[max(0, start - NEAR) : start], text[end : end + NEAR]
        start = text.find(name, end)
