"""Phrases of replies in English and Chinese: declining, not knowing, taking all, choosing by place, asking."""

import re
from typing import Final

MARKS: Final = " \t\r\n.。!！,，?？"

_CANCELLING: Final = "|".join(
    (
        r"(?:no[,，]?\s+)?(?:never ?mind|forget (?:about )?(?:it|that|this)|cancel(?: it| that| this)?|drop it|leave it"
        r"|skip (?:it|that|this)|stop|no,? thanks?(?: you)?|no need|don['’]t bother)\b",
        "算了吧?|不用了|不必了|取消|没事了|不问了|先不问了|不需要了|别管了|不说了|当我没问",
    )
)
CANCELS: Final = re.compile(rf"\s*(?:{_CANCELLING})(?P<rest>.*)", re.I | re.S)
POLITE: Final = re.compile(
    r"(?:\b(?:then|thanks?|thank you|please|ok(?:ay)?|sorry|it|that|hi|hello|hey|very|much|so|a lot|bye)\b"
    r"|谢谢你?|多谢|你好|您好|再见|吧|了|啊|那|好的?|[\W_])*",
    re.I,
)
GREETS: Final = re.compile(
    r"\W*(?:hi|hello|hey|thanks?|thank you|bye|goodbye)(?: (?:there|a lot|so much|very much))?\W*"
    r"|\W*(?:你好|您好|谢谢你?|多谢|再见)\W*",
    re.I,
)
NOT_KNOWN: Final = re.compile(
    r"\b(?:(?:do not|don['’]?t|did not|can ?not|can['’]?t) (?:really )?(?:know|care|mind|remember|say|tell)"
    r"|no idea|no clue|not (?:really |quite )?sure|unsure|whatever|whichever|no preference|doesn['’]?t matter"
    r"|any(?: of (?:them|these))?|anything|either)\b"
    r"|不知道|不太?清楚|不太?确定|不晓得|不记得|记不清|忘了|说不准|没想好|随便|无所谓|任意|哪个都行|哪个都可以|都行|都可以",
    re.I,
)
ALL: Final = re.compile(
    r"(?:i (?:want|need|mean) )?(?:both|all|each|every one)(?: of (?:them|these|those))?(?:,? please)?"
    r"|(?:两个|两者|全部|所有的?|全都?|都)都?(?:要|想知道|说说|告诉我)?",
    re.I,
)
ORDINAL: Final = re.compile(
    r"(?:the )?(first|second|third|fourth|fifth|sixth|seventh|eighth|last|former|latter)(?: one| option)?(?:,? please)?"
    r"|第([一二三四五六七八])[个种项]?吧?|(前者|后者|最后一个)吧?",
    re.I,
)
PLACES: Final = {
    word: place
    for place, words in enumerate(
        (
            "first 一 former 前者",
            "second 二",
            "third 三",
            "fourth 四",
            "fifth 五",
            "sixth 六",
            "seventh 七",
            "eighth 八",
        )
    )
    for word in words.split()
} | dict.fromkeys(("last", "latter", "后者", "最后一个"), -1)
# What asks or orders something: whether that is something new is seen by its other words.
ASKS: Final = re.compile(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|actually|by the way|then),?\s+)*(?:who|whom|whose|what|when|where|which|why|how|is"
    r"|are|was|were|do|does|did|can|could|would|should|tell|show|list|explain|describe|summari[sz]e|compare|give|find)\b"
    r"|什么|谁|哪|几点|几个|多少|怎么|怎样|如何|为何|何时|能否|是否|能不能|可不可以|有没有|吗|呢\W*$"
    r"|请问|介绍|说说|讲讲|列出|解释|总结|比较|告诉我",
    re.I,
)
ASKS_IN_A_LATER_SENTENCE: Final = re.compile(
    r"[.!;,]\s+(?:(?:and|but|so|also)\s+)?(?:who|whom|whose|what|when|where|which|why|how)\b[^.!]*\?", re.I
)
# Asking what the question meant, or what there is to choose from.
ASKS_BACK: Final = re.compile(
    r"\W*(?:what|which)(?: \w+){0,3} (?:options?|choices?|ones|values)\b.*|\W*(?:what|how) do you mean\b.*"
    r"|\W*why\b.{0,40}\b(?:ask|need|want|know|matter)\b.*"
    r"|\W*(?:都?有哪些|都?有什么)(?:选项|选择|可选)?\W*|\W*什么意思\W*|\W*为什么(?:要|需要)?(?:问|知道).*",
    re.I,
)
OF_ONESELF: Final = re.compile(r"\W*(?:i|i['’]m|my|me|we|our|mine)\b|\W*(?:我|本人|俺|咱)", re.I)
TITLE: Final = re.compile(r"《([^《》]+)》")
FILLERS: Final = (
    "one ones thing option mean help enough right correct sure yes yeah no maybe think guess probably actually question"
    " answer ok okay now 那个 这个 应该 大概 可能 好像"
)
