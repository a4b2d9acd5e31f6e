"""What a Chinese question is about by its own words: what is left without those that any question may have."""

import re
from typing import Final

from clew.answering.rewriting import chinese
from clew.answering.rewriting.patterns import any_of

_OPENING: Final = r"请告诉我|请问|我?想(?:知道|问一?下?)|顺便问一?下?|另外|还有|然后|那么|那|对了"
_ASKED_FOR: Final = any_of(
    "学校 大学 学院 城市 国家 地方 小说 书 电影 影片 作品 奖学金 奖项 奖 人 办公室 部门 大楼 楼",
    "专业 语言 课程 课 材料 条件 要求 内容 成绩 方式 手续 公司 老师 故事 角色",
)
_ASKING: Final = (
    rf"(?:在|到|于|从|去|由|是)?哪(?:一|几|些)?[个位部门本项所座家栋篇届年天月种间里儿边]?{_ASKED_FOR}?",
    rf"什么(?:时候|样的?|时间|日期|地方|名字|{_ASKED_FOR})?",
    any_of("何时 何地 谁 怎么样 怎么办 怎么 怎样 如何 为什么 为何 多久 多长时间 多长 多大 多高 多远"),
    r"多少(?:钱|元|分|人|个|门|学分)?|几[个点月年次门部位号岁周天分室楼层]*",
)
_SMALL_WORDS: Final = (
    any_of("一共 总共 最后 最多 最少 最低 最高 至少 主要 具体 大概 一般 通常 当时 现在 后来 首先"),
    any_of("你觉得 你认为 你知道 我觉得 听说 介绍一下 介绍下 告诉我 说说 讲讲 聊聊 谈谈 关于 对于 除了 时候"),
    any_of("我们 你们 我 你 您 做 另 可以 能够 能 需要 应该 必须 要 得 会 想 有没有 没有 有过 有 是不是 是否 是"),
    any_of("叫做 叫 的 地 了 过 着 吗 呢 吧 啊 呀 在 到 于 从 由 被 为 给 对 把 跟 和 与 也 都 还 又 再 就 才 只"),
    any_of("最 很 不 别的 其他 钱 分 元 年级 年 月 日 号 岁 每人 每年 每次 每学期 一年 一个 人 名"),
    r"(?:奥斯卡|诺贝尔|金[狮熊像马鸡球]|金棕榈)(?:文学)?奖?",
)
_COVERED: Final = re.compile(
    "|".join(
        (_OPENING, *_ASKING, any_of(*chinese.OWNERS, *chinese.VERBS), *_SMALL_WORDS, r"[\s\d，,。.？?！!、；;：:…~～]+")
    )
)


def residue(text: str) -> str:
    """``text`` without the words that any question may have: its own subject, if there is any."""
    return _COVERED.sub("", text)


def without_audience(text: str) -> str:
    """``text`` without those whom a rule is for: 研究生可以申请吗 asks about what can be applied for."""
    return chinese.ALTERNATIVES[0].sub("", text)
