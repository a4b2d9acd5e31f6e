"""Everyday words of questions in English and Chinese, so that a question finds words in the other language.

Not a dictionary: the nouns and verbs that questions to knowledge bases turn on. Names are matched by
their aliases in the graph, and meaning by the embedder; this closes the gap between the two.
"""

import functools
from typing import Final

from clew.text.language import Language
from clew.text.terms import content_terms, fold

# English words | Chinese words; all on one line mean about the same.
_ENTRIES: Final = """
director direct directed | 导演 执导 导过
writer write wrote written screenplay screenwriter script | 编剧 写 剧本
author novel book novella story | 作者 原著 小说 书 著
composer compose composed score music soundtrack | 作曲 作曲家 作曲者 配乐 音乐
actor actress star starring play plays played role cast | 演员 主演 饰演 扮演 出演 主角 女主角 男主角
cinematographer cinematography camera | 摄影 摄影师 摄影指导
producer produce produced studio | 制片 制片人 监制 制作 工作室
release released premiere premiered | 上映 首映 发行
born birth birthplace | 出生 生于 出生地 诞生
died death | 去世 逝世 死于
study studied graduate graduated attend attended educated school university college | 毕业 就读 学习 读书 大学 学院 母校
degree major | 学位 专业
wife husband married spouse | 妻子 丈夫 配偶 结婚 夫人
father mother parents son daughter brother sister | 父亲 母亲 父母 儿子 女儿 兄弟 姐妹 哥哥 弟弟 姐姐 妹妹
award prize oscar won win winner | 奖 获奖 获得 奥斯卡 得奖 金棕榈
nominated nomination | 提名
year date when | 年 年份 日期 时候 时间
city town place where located | 城市 地点 哪里 位于
country nationality | 国家 国籍
based adapted adaptation | 改编 根据
found founded founder established | 创立 创办 创始人 成立
name original title | 名字 本名 原名 片名
teach teaches teacher instructor lecturer taught | 老师 教师 讲授 主讲 授课 任课
professor | 教授
course class | 课程 课
prerequisite required require | 先修 必修 要求 前提
credit credits | 学分
semester term | 学期
deadline due until | 截止 期限 之前
apply application submit | 申请 提交 递交 交到
scholarship grant | 奖学金 助学金
amount pay money | 金额 多少钱 报酬
office | 办公室 部门 中心
building hall room | 楼 栋 室 教室
hours open | 时间 开放
student students undergraduate graduate | 学生 本科生 研究生
thesis | 论文 毕业论文
grade gpa score | 成绩 绩点 分数
leave absence | 休学 请假
library borrow | 图书馆 借书 借阅
dean | 院长
president principal | 校长 总统
head director | 主任 处长 负责人
member members | 成员
price cost fee | 价格 费用 学费
work works worked job | 工作 任职 作品
company organisation organization | 公司 机构 组织
founder owner | 创始人 所有者
capital population | 首都 人口
language | 语言
cause reason why | 原因 为什么
effect result | 结果 影响
"""


def synonyms(term: str) -> frozenset[str]:
    """Terms of the same language that stand on one line of the glossary with ``term``, itself included."""
    return _synonyms().get(term, frozenset()) | {term}


@functools.lru_cache(maxsize=4_096)
def translated_groups(text: str, language: Language) -> tuple[frozenset[str], ...]:
    """Terms of the other language, a set for each line of the glossary that ``text`` touches.

    Any term of a set stands for the word of ``text``. ``language`` is that of ``text``.
    """
    return tuple(dict.fromkeys(_found(text, language)))


def _found(text: str, language: Language) -> list[frozenset[str]]:
    folded = fold(text)
    if language == "zh":
        return [english for english, chinese in _glossary() if any(word in folded for word in chinese)]
    terms = set(content_terms(text))
    return [
        frozenset(term for word in chinese for term in content_terms(word))
        for english, chinese in _glossary()
        if english & terms
    ]


@functools.cache
def _glossary() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    lines = (line.split("|") for line in _ENTRIES.strip().splitlines())
    return tuple((frozenset(content_terms(english)), tuple(chinese.split())) for english, chinese in lines)


@functools.cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for english, chinese in _glossary():
        chinese_terms = frozenset(term for word in chinese for term in content_terms(word))
        for line in (english, chinese_terms):
            for term in line:
                found[term] = found.get(term, frozenset()) | line
    return found
