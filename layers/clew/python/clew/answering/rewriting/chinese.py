"""What Chinese words tell of the things they are said of."""

import re
from typing import Final

from clew.answering.rewriting.kinds import (
    ANYTHING,
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
    Kinds,
)
from clew.answering.rewriting.patterns import listed


def _by_word(*entries: tuple[str, Kinds]) -> dict[str, Kinds]:
    found: dict[str, Kinds] = {}
    for words, kinds in entries:
        for word in listed(words):
            found[word] = found.get(word, NO_KINDS) | kinds
    return found


# Nouns that say what kind of thing is meant: 这部电影, 那个办公室.
NOUNS: Final = _by_word(
    ("电影 影片 片子 片 动画片 武侠片 动画", FILMS),
    ("小说 书 作品 故事 教材", BOOKS),
    ("电视剧 剧", WORKS),
    ("课程 课", COURSES),
    ("奖学金 助学金", GRANTS),
    ("专业 学位 项目", PROGRAMMES),
    ("学院 学校 大学 公司 机构 部门 工作室 社团 院 校", ORGANISATIONS),
    ("办公室 图书馆 实验室 中心", PLACES),
    ("大楼 楼 教室 房间", BUILDINGS),
    ("奖 奖项", PRIZES),
    ("人 人物 女士 先生", PEOPLE),
)

# Measure words, and what they count.
MEASURES: Final = _by_word(
    ("部 首", WORKS),
    ("本 篇", BOOKS),
    ("门", COURSES),
    ("项", GRANTS | PRIZES),
    ("位 名", PEOPLE),
    ("所 家", ORGANISATIONS),
    ("座 栋", BUILDINGS),
    ("款 种", THINGS),
    ("个", ANYTHING),
)

ROLES: Final = listed(
    "导演 作曲 作曲者 作曲家 配乐 配乐师 编剧 作者 原作者 原著作者 作家 小说家 演员 主演",
    "主角 男主角 女主角 男演员 女演员 摄影 摄影师 制片人 监制 剪辑 剪辑师 翻译 译者 歌手",
    "演唱者 画家 创始人 创办人 发明者 主讲 主讲教师 主讲老师 任课老师 任课教师 教师 老师",
    "教授 讲师 导师 院长 主任 处长 馆长 校长 部长 负责人 系主任 队长 教练",
    "妻子 太太 夫人 丈夫 先生 配偶 父亲 母亲 爸爸 妈妈 儿子 女儿 哥哥 弟弟 姐姐 妹妹 兄弟 姐妹",
)
FEMALE: Final = listed("女主角 女演员 妻子 太太 夫人 母亲 妈妈 女儿 姐姐 妹妹 女士")
MALE: Final = listed("男主角 男演员 丈夫 父亲 爸爸 儿子 哥哥 弟弟 先生")

# Nouns for what belongs to a thing, and to which kinds of things: the owner that 截止日期 leaves out.
OWNERS: Final = _by_word(
    ("导演 作曲 作曲者 作曲家 配乐 配乐师 编剧 主演 主角 男主角 女主角 男演员 女演员 演员", FILMS),
    ("摄影 摄影师 制片人 监制 剪辑 剪辑师 主题歌 主题曲 演唱者 片长 票房 原著 剧情 原名 片名", FILMS),
    ("故事 续集 前传 类型 结局 上映时间 上映日期 出品方", FILMS),
    ("作者 原作者 出版社 译者", BOOKS),
    ("先修课 先修课程 主讲 主讲教师 主讲老师 老师 教师 任课老师 任课教师 教材 考试 期末考试", COURSES),
    ("期中考试 作业 教室 上课时间 上课地点 授课语言 总评 总评成绩 考核方式", COURSES),
    ("学分", COURSES | PROGRAMMES),
    ("学费 学制 核心课程 实习 海上实习 毕业要求 培养方案", PROGRAMMES),
    ("金额 截止日期 截止时间 申请截止日期 申请截止时间 申请条件 申请材料 申请要求", GRANTS),
    ("名额 评审 绩点要求 奖金", GRANTS),
    ("条件 要求 材料 流程 手续 费用", THINGS - WORKS),
    ("人口 面积 首都 气候", BUILDINGS),
    ("总部 员工 市值 规模 创始人", ORGANISATIONS),
    ("负责人", PROGRAMMES | ORGANISATIONS),
    ("院长 主任 处长 馆长 校长 部长 系主任", PLACES),
    ("办公时间 开放时间 地址 位置 电话", PLACES | PEOPLE),
    ("办公室", PEOPLE | ORGANISATIONS),
    ("妻子 太太 夫人 丈夫 配偶 父亲 母亲 爸爸 妈妈 父母 儿子 女儿 孩子 哥哥 弟弟 姐姐 妹妹", PEOPLE),
    ("出生地 国籍 年龄 本名 艺名 代表作 处女作 母校 学历 研究方向 答疑时间 生日 职业", PEOPLE),
)
VERBS: Final = _by_word(
    ("执导 上映 首映 改编自 拍 拍摄 取景 作曲 配乐 主演 饰演 扮演 出演 演 改编 导演 剪辑 制作", FILMS),
    ("出品 演唱 配音", FILMS),
    ("写 编剧 创作", WORKS),
    ("出版", BOOKS),
    ("讲 讲述", COURSES | WORKS),
    ("主讲 教 上课 开课 授课 考试", COURSES),
    ("截止 申请 发放 评选 评审 评出 颁发 审批 交到 交给 提交 递交 拿到 领取 负责", GRANTS | PROGRAMMES),
    ("招生 毕业要求", PROGRAMMES),
    ("开门 关门 上班 下班 营业 开放 办公 成立 创立 创办 创建 位于", PLACES),
    ("出生 出生于 生于 毕业 毕业于 就读 就读于 结婚 去世 逝世 答疑 任教 长大", PEOPLE),
    ("哪国 哪里人", PEOPLE | FILMS),
    ("获得 得过 获过 获奖 得奖 拿过", PEOPLE | FILMS | BOOKS),
)
RATHER: Final = {"写": BOOKS, "创作": BOOKS}  # said of several kinds, and of these before others

# What is asked of what belongs to a thing: when, where, how much.
TIMES: Final = listed(
    "截止日期 截止时间 申请截止日期 申请截止时间 办公时间 开放时间 上课时间 答疑时间",
    "上映时间 上映日期 生日",
)
SPOTS: Final = listed("地址 位置 上课地点 教室 办公室 出生地")
AMOUNTS: Final = listed("学分 学费 金额 名额 费用 票房 片长 奖金 年龄")

# Of these, one may stand in the other's place: 本科生 and 研究生.
ALTERNATIVES: Final = tuple(
    re.compile(words)
    for words in (
        r"本科生|研究生|硕士生|博士生|国际学生|留学生|交换生|新生|在校生|老生"
        r"|[一二三四]年级(?:本科生|研究生|硕士生|学生)?|大[一二三四](?:学生)?|学生",
        r"(?:秋季|春季|夏季|上|下)学期|秋季|春季|秋学期|春学期",
        r"(?:星期|周)[一二三四五六日天]|周末|工作日|平时",
        r"(?:1[5-9]|20)\d\d年?",
        r"\d{1,2}月",
        r"上午|下午|晚上|早上|中午",
        r"寒假|暑假",
        r"第[一二三四]学年",
    )
)

ORDINAL: Final = r"(?:第(?:[一二三四五六七八九十]|1?\d)|最后一)"
_DIGITS: Final = "一二三四五六七八九十"


def ordinal_number(ordinal: str) -> int:
    """1 for 第一, -1 for 最后一."""
    if ordinal.startswith("最后"):
        return -1
    digits = ordinal.removeprefix("第")
    return int(digits) if digits.isascii() else _DIGITS.index(digits) + 1


def kinds_said_of(text: str) -> Kinds:
    """The kinds of things that ``text`` may be said of, by its verbs and nouns; none where it does not tell."""
    return frozenset(
        kind for words in (OWNERS, VERBS) for word, kinds in words.items() if word in text for kind in kinds
    )


def owner_kinds(word: str) -> Kinds:
    """The kinds of what a noun belongs to or a verb is said of."""
    return OWNERS.get(word, NO_KINDS) | VERBS.get(word, NO_KINDS)


def noun_at(text: str, start: int) -> tuple[str, Kinds]:
    """The longest noun for a person or thing that begins at ``start``, and its kinds; empty if there is none."""
    for size in range(6, 0, -1):
        noun = text[start : start + size]
        if noun in ROLES:
            return noun, PEOPLE
        if noun in NOUNS:
            return noun, NOUNS[noun]
    return "", NO_KINDS
