"""What an earlier question asked for: a person, a film, a book, a place, a time."""

import re
from typing import Final

_ROLE: Final = r"(?:导演|作曲者?|编剧|作者|主演|主角|演员|老师|教师|院长|主任|处长|妻子|丈夫|父亲|母亲|负责人)"

FOR_PERSON: Final = re.compile(
    r"\bwho(?:m|se)?\b|\b(?:which|what) (?:\w+ )?(?:director|composer|actor|actress|teacher|professor|person|author)"
    rf"|谁|哪一?位|{_ROLE}(?:是|叫)",
    re.I,
)
FOR_FILM: Final = re.compile(
    r"\b(?:which|what)\b.{0,80}\b(?:films?|movies?)\b|first (?:feature )?film"
    r"|哪[一几些]?部|(?:什么|哪些|哪几部)(?:电影|影片|片子)|长片",
    re.I,
)
FOR_BOOK: Final = re.compile(
    r"\b(?:which|what) (?:\w+ )?(?:novel|novella|book|stor)|哪[一几]?[部本](?:小说|书)|什么(?:小说|书)", re.I
)
FOR_PLACE: Final = re.compile(
    r"\bwhere\b|\b(?:which|what) (?:city|town|country|place|building|room)|哪里|哪儿|哪座|哪栋|什么地方", re.I
)
FOR_TIME: Final = re.compile(r"\bwhen\b|\b(?:which|what) year\b|哪一?年|什么时候|何时|哪一?天|时间|日期", re.I)
ABOUT_FILM: Final = re.compile(r"\breleased?\b|\bfilm|\bmovie|上映|电影|影片|执导|导演")
