"""Messages that ask for the last answer again, otherwise: «in more detail», 用英文说, «any others?»"""

import re
from typing import Final

from clew.answering.rewriting.patterns import any_of, listed
from clew.text.language import Language

MAX_LENGTH: Final = 80

# A message of these words alone, with one that asks for it, is about the last answer.
_WORDS_EN: Final = listed(
    "please can could would will you me us it that this again more less in into detail details detailed chinese",
    "english french german spanish japanese mandarin explain elaborate on clarify expand expanding simpler simply",
    "simple plain words other one two three sentence sentences short shorter brief briefly summary summarise",
    "summarize translate to answer the your last previous response repeat rephrase tell give say a bit little",
    "further go continue longer list bullet points table example examples as with an and i want need know show put",
    "write ok okay so now just like version steps step by paragraph quickly",
)
_ASKS_EN: Final = re.compile(
    r"\b(?:explain|elaborate|clarify|expand|summar\w+|translate|repeat|rephrase|continue|go on|tell me more"
    r"|say (?:it|that|this)|more details?|shorter|longer|briefly|simpler|again|example"
    r"|in (?:more|greater|other|short|chinese|english|french|german|spanish|japanese|one|a|plain|simpler?))\b",
    re.I,
)
_CHECKS_EN: Final = re.compile(
    r"\s*(?:and |but |so )?(?:are you (?:really |quite |absolutely )?sure(?: about (?:that|this|it))?|really|seriously"
    r"|is (?:that|this) (?:right|true|correct|all|so)|(?:is|are) there (?:any )?(?:more|others?)"
    r"|any(?:thing|one|body)? (?:else|others?|more)|(?:what|who|where) else|(?:and )?(?:the )?others?|more"
    r"|what|huh|pardon|come again|what was that|do you have more(?: details?)?)\s*[?.!]*\s*",
    re.I,
)
_TONGUE: Final = r"[英中法日德][文语]|汉语"
_ASKS_ZH: Final = re.compile(
    any_of(
        "详细 具体 翻译 概括 总结 简短 简单 解释 说明 展开 举例 例子 继续 接着 重复 再说 再讲 说一遍 列出 列表 表格",
        "通俗 多说 多讲",
    )
    + rf"|{_TONGUE}|换.{{0,2}}说法"
)
_WORDS_ZH: Final = re.compile(
    any_of(
        "请 麻烦 能否 能不能 可不可以 可以 能 再 更 用 以 说得 讲得 说 讲 一遍 一次 详细 具体 一点儿 一点 一些 点儿",
        "点 些 翻译 译 成 概括 总结 一下 一句话 两句话 三句话 简短 简单 解释 说明 展开 举个 举例 举 例子 例 换种",
        "换个 换一种 换 说法 方式 继续 接着 介绍 多 的 地 得 吗 吧 呢 啊 把 它 这个 这段 上面 刚才 刚刚 你 我 给 回答",
        "答案 内容 重复 列出来 列出 列表 列成 列 表格 通俗 为 一 个 来 下去 想听 想要 要",
    )
    + rf"|{_TONGUE}|[\s，,。.？?！!、~～]+"
)
_CHECKS_ZH: Final = re.compile(
    r"\s*(?:那|那么)?(?:还有(?:吗|呢|别的吗?|其他的?吗?|没有|哪些|谁)?|(?:别|其他|其它)的呢|真的(?:吗|假的)?|你?确定吗?|是吗|对吗"
    r"|是这样吗|没错吧|没有(?:了吗|别的了吗)|什么|啊)\s*[？?！!。]+\s*|\s*还有(?:吗|别的吗|没有)\s*"
)
# What the assistant can do, and texts of the user's own.
_NO_ANSWER: Final = re.compile(
    rf"\bthis (?:sentence|word|text|paragraph|phrase)|[能会][说讲](?:{_TONGUE})[吗么]|这句话|这段话|这个词", re.I
)


def asks_again(message: str, language: Language) -> bool:
    """Whether ``message`` wants what was asked before looked up again: said otherwise, in full, or checked."""
    if len(message) > MAX_LENGTH or _NO_ANSWER.search(message):
        return False
    if language == "zh":
        asks = _ASKS_ZH.search(message) and not _WORDS_ZH.sub("", message)
        return bool(asks or _CHECKS_ZH.fullmatch(message))
    if _CHECKS_EN.fullmatch(message):
        return True
    words = re.findall(r"[a-z']+|\d", message.lower())
    return bool(_ASKS_EN.search(message)) and _WORDS_EN.issuperset(words)
