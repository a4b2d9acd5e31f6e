"""What a message carries besides its text, deflated into one binary attribute.

    packed = version (1 byte) + raw deflate of JSON, by a dictionary of that version and the message's own text

The JSON is ``{"citations": [...], "debug": {...}, "is_ask_user": true, "pending_intent": "..."}``, without what is
empty. The dictionary is the message's text, which its citations and its question repeat, and before it words, names
and sentences that are likely: an answer's route and timings take some 120 bytes by it instead of 850.

A dictionary never changes once messages have been written with it: a new one is a new version.
"""

import zlib
from typing import Any, Final

from pydantic_core import from_json

VERSION: Final = 1

# Words that quotes are likely to have, for the few bits that each saves.
_WORDS_1: Final = (
    "中国美国英国日本北京上海大学学院专业课程学生教师研究技术科学工程信息管理系统国际社会经济文化历史政府企业公司公共"
    "服务组织部门地区城市世界国家人民生活工作发展建设生产技术问题方法过程结果影响作用关系条件要求申请材料提交截止日期"
    "学期学年成绩绩点学分毕业入学考试奖学金办公室图书馆电影导演演员编剧作曲音乐小说作家作品故事主演获得提名最佳奖项上"
    "映出生于毕业于担任包括由于因此同时其中以及之后以前当时第一第二第三一个两个三个这个那个他们我们自己没有可以已经开"
    "始成为进行通过根据为了作为位于成立于分别主要重要不同相关需要能够应当必须不得二〇年月日，是一部的，并且，但，而，"
    "也，。他的。她的。该。在。这是一种的是由的人。"
    " because before between through without against during several another including however therefore government"
    " international university department information development national history military political economic"
    " production performance education community published released received awarded nominated appeared directed"
    " produced written recorded located established founded designed developed considered described following"
    " became began would could should their there these those which where when while about after again under other"
    " first second third three four five years time people world city town village river island north south east"
    " west eastern western American British English Chinese French German European United States Kingdom January"
    " February March April June July August September October November December 2020 2021 2022 2023 2024 2025 2026"
    " 2000 2010 19 20 company system school college students teacher professor members family father mother"
    " daughter son brother sister wife husband King Queen President film movie music album song series television"
    " book novel story character director actor actress writer author composer won the award for best played the"
    " role of , and is known for as well as one of the most part of the at the end of the a number of such as more"
    " than according to in order to is a , who has been , which is that it was he was she was his her its they have"
    " had not are be by the for the with the from the on the to the and the in the of the . The . It . He . She ."
    " In . A "
)
# Most frequent last: what is near takes fewer bits.
_TEXT_1: Final = (
    '"partial":true,"why":"ClientGone""why":"ModelUnavailableError""why":"ModelThrottledError"'
    '"method":"llm","reason":"A language model chose \'general\'.'
    '"method":"override","reason":"The request names \'general\'.'
    '"plan_reason":"The request names the worker: naive_rag_agent.'
    "The reply leaves open what was asked.The user has dropped the question."
    '"kb_prefix":"general","confidence":0.5,"method":"default",'
    '"reason":"The message uses no name that a knowledge base knows."No knowledge base is loaded."'
    '"worker_name":"","plan":[],"plan_reason":"Nothing is looked up for a general message."'
    '"routed_kb_prefix":"general","kb_prefix":"general","confidence":1.0,"method":"embedding",'
    '"reason":"In meaning the message is nearer to general talk than to any knowledge base (\''
    "In meaning the message is nearer to 'movie' than to general talk (by +0.0), and names "
    " and hardly less near to 'and of 3 more, known in 'edu' (and names of "
    '"plan_reason":"The question asks for an overview: hybrid_agent."'
    '"plan_reason":"The question compares: graph_agent and deep_research_agent."'
    '"plan_reason":"The question asks why or how: graph_agent and hybrid_agent."'
    'fusion_agent","worker_name":":fusion_agent:retrieve_only"naive_rag_agent","worker_name":":naive_rag_agent:'
    'hybrid_agent","worker_name":":hybrid_agent:retrieve_only"'
    '"plan_reason":"The question asks about something that has to be found first: '
    'graph_agent and deep_research_agent."'
    '"intent":{"name":"","known":{"":""},"missing":[],"given":[]}}'
    '"is_ask_user":true,"pending_intent":""'
    '"context":{"kept":{"system":,"known_of_user":,"summary":,"episodes":,"window":,"evidence":,"question":},'
    '"dropped":{"turns":,"passages":,"sentences":},"tokens":,"budget":}'
    '"verdict":{"action":"answer","reason":"again","unknown"}'
    '{"citations":[{"number":1,"passage_id":"c","document_id":"","title":"","source":"","quote":""},'
    '{"number":2,"passage_id":"c","document_id":"","title":" (","source":"","quote":""}],'
    '"debug":{"question":"Who Where What When 谁哪","focus":{"asked":[""],"answered":[""]},'
    '"route":{"requested_kb_prefix":"","routed_kb_prefix":"","kb_prefix":"","confidence":0.95,"method":"heuristic",'
    '"reason":"The message names \'\', known in \'\'.","worker_name":":graph_agent:retrieve_only",'
    '"plan":[{"agent_type":"graph_agent","worker_name":":graph_agent:retrieve_only"},'
    '{"agent_type":"deep_research_agent","worker_name":":deep_research_agent:retrieve_only"}],'
    '"plan_reason":"The question asks for a fact: graph_agent.","intent":null},'
    '"timings_ms":{"remember":1.1,"rewrite":0.1,"lookup":,"look_up":,"merge":,"verify":0.2,"recall":0.1,'
    '"generate":},"usage":{"input_tokens":1,"output_tokens":,"estimated":true}}}'
)
_DICTIONARIES: Final = {1: (_WORDS_1 + _TEXT_1).encode()}
_OWN_TEXT: Final = 16 * 1024
"""Bytes of a message's own text that its dictionary holds: deflate looks back 32 KB, and all must be in sight."""


class UnknownVersionError(ValueError):
    """Packed by a version that this one does not know."""


def pack(json: bytes, content: str) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=_dictionary(VERSION, content))
    return bytes((VERSION,)) + deflate.compress(json) + deflate.flush()


def unpack(packed: bytes, content: str) -> bytes:
    """The JSON; UnknownVersionError, or zlib.error where the text is not the one it was packed with."""
    if not packed or packed[0] not in _DICTIONARIES:
        raise UnknownVersionError(f"version {packed[:1].hex() or 'none'}")
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary(packed[0], content))
    return inflate.decompress(packed[1:]) + inflate.flush()


def read_packed(packed: bytes, content: str) -> dict[str, Any]:
    """What ``unpack`` gives, as values; made for a person who looks at an item of the table."""
    values: dict[str, Any] = from_json(unpack(packed, content))
    return values


def _dictionary(version: int, content: str) -> bytes:
    return _DICTIONARIES[version] + content.encode()[:_OWN_TEXT]
