"""Who holds a role in earlier turns: the director, once an answer says who directed."""

import re
from collections.abc import Iterable
from typing import Final

from clew.answering.rewriting.kinds import Kind
from clew.answering.rewriting.mentions import Mention, TurnNames

# The verbs that say as much as a role.
_DOES: Final = {
    "导演": "执导|导演",
    "作曲": "作曲|配乐",
    "作曲者": "作曲|配乐",
    "作曲家": "作曲|配乐",
    "编剧": "编剧|写",
    "作者": "写|著|小说",
    "演员": "饰演|主演|出演",
    "主演": "饰演|主演|出演",
    "老师": "主讲|教师|老师|教",
    "教师": "主讲|教师|老师|教",
    "歌手": "演唱|唱",
    "writer": "wr[io]t|screenplay",
    "screenwriter": "wr[io]t|screenplay",
    "author": "wr[io]t|author",
    "actor": "play|star",
    "actress": "play|star",
    "teacher": "teach|taught",
    "lecturer": "teach|taught|lecturer",
    "instructor": "teach|taught",
}


def holder(role: str, turns: Iterable[TurnNames]) -> Mention | None:
    """The person that the newest of ``turns`` to speak of ``role`` gives for it; None if none does."""
    for turn in turns:
        persons = [mention for mention in (*turn.answered, *turn.asked) if mention.kind is Kind.PERSON]
        does = _DOES.get(role) or (re.escape(role[:-2]) if role.isascii() else re.escape(role))
        if turn.asks_person and turn.answered and persons and re.search(does, turn.question, re.I):
            return persons[0]
        for person in persons:
            name = re.escape(person.name)
            if re.search(rf"(?:{does})\w*(?:是|为|由|,? (?:is|was|by))?[^，。,.]{{0,2}}{name}", turn.answer, re.I):
                return person
            if re.search(rf"{name}[^，。,.]{{0,24}}(?:{does})", turn.answer, re.I):
                return person
    return None
