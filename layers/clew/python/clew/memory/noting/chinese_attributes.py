"""What Chinese clauses say of their speaker, as patterns of attributes that have one value at a time.

The group ``value`` is where the value stands.
"""

from typing import Final

LANGUAGES: Final = "中文|汉语|普通话|英文|英语|日语|日文|法语|法文|德语|德文|西班牙语|韩语|俄语|粤语"
_TO_END: Final = r"[^，,。]+"
_JOBS: Final = r"(?:工程师|老师|教师|医生|护士|程序员|设计师|律师|会计|记者|厨师|司机|公务员|经理|编辑|研究员|作家)"
# 学 and 读 of a subject: no part of a longer word, and not what is read for pleasure.
_STUDY: Final = (
    r"(?:^|(?<=[我在院也])|(?<=大学)|(?<=学校))(?:学(?![校生期院习者位费分号会年科业长姐弟妹])|读)"
    r"(?!大[一二三四五]|[研博][一二三究]|本科|硕士|小说|书|诗|报|论文|杂志|漫画|过|完|了|到)"
)
_STUDENT: Final = r"(?:的?(?:本科|研究生|博士|硕士|学生|大[一二三四五]|研[一二三]))"
_ADVERBS: Final = (
    r"(?!现在|目前|今年|也|还|就|都|更|不|只|又|以前|之前|觉得|认为|知道|希望|说|想|看|住|应该|可能|平时|一直)"
)

ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "name": (
        rf"我的?(?:全名|名字|姓名|大名|英文名|中文名)?(?:叫(?!做|它|他|她|了|外卖)|姓(?!名)|是叫)(?P<value>{_TO_END})",
        rf"我的?(?:全名|名字|姓名|英文名|中文名)是(?P<value>{_TO_END})",
    ),
    "called": (rf"(?:叫|称呼)我(?:为)?(?P<value>{_TO_END})",),
    "home": (
        rf"(?:住|居住|定居|生活)(?:在|到)(?P<value>{_TO_END})",
        r"搬(?:家)?(?:到|去|来|回)了?(?P<value>[^，,。]+?)(?:了|来了|去了|住了)?$",
        r"住(?P<value>(?!校|宿|院)[一-鿿]{2,6})$",
        r"我(?:现在|目前|人)+在(?P<value>[一-鿿]{2,6})$",
        rf"我家(?:在|住)(?P<value>{_TO_END})",
    ),
    "origin": (
        r"来自(?P<value>[^，,。的]+)",
        rf"老家(?:是|在)?(?P<value>{_TO_END})",
        rf"我?出生(?:在|于)(?P<value>{_TO_END})",
        r"我是(?P<value>[一-鿿]{2,4})人$",
    ),
    "age": (r"(?P<value>\d{1,3}|[一二三四五六七八九十]{2,3})岁",),
    "field": (
        rf"(?:在读|主修|攻读|学的?是|读的?是|专业(?:现在)?(?:是|为|改成|换成|改为)|转(?:专业)?(?:到|去|成|为)了?"
        rf"|{_STUDY})"
        rf"(?P<value>[^，,。]{{2,16}}?)(?=专业|系|了?$|{_STUDENT})",
        rf"(?:^|[，,]|是|的|学院|大学)(?P<value>[^，,。是的在一我]{{2,10}})专业(?=的|$|{_STUDENT})",
    ),
    "year": (r"(?P<value>大[一二三四五](?![点些个部类家])|研[一二三](?!究)|博[一二三四五]|[一二三四五]年级|新生)",),
    "level": (r"(?P<value>本科生|研究生|硕士生?|博士生?)(?!奖|招|导|院|学院|阶段)",),
    "school": (r"(?:在|就读于?|考上了?|考入|是|转学到)(?P<value>[^，,。在是读]{2,10}?(?:大学|学院|中学|高中))",),
    "job": (
        rf"我?的?(?:工作|职业)是(?P<value>{_TO_END})",
        r"在(?P<value>[^，,。]{2,14})(?:工作|上班|任职|当老师|教书)",
        rf"从事(?P<value>{_TO_END})",
        rf"我(?:现在|目前)?(?:是|当|做)(?:一名|一个|一位|个|名)?(?P<value>[^，,。]{{0,6}}{_JOBS})$",
    ),
    "diet": (r"吃素|素食|吃(?:任何)?肉|纯素|清真",),
    "reply_language": (rf"(?<![我会能])(?:用|说|讲)(?P<value>{LANGUAGES})(?!歌|电影|书|版|课)",),
    "reply_length": (
        r"(?P<value>简短|简洁|精炼|详细|短一?[点些]|长一?[点些])(?:一?[点些])?(?:的|地)?(?:回答|回复|说明|答案|解释)",
        r"(?:回答|回复|答案|解释|说明|答复|说|写).{0,6}(?P<value>简短|简洁|精炼|详细|短一?[点些]|长一?[点些])",
    ),
}

# «我的导师是周老师», «我们的预算是五千元»: whatever it is, it has one value.
OWN: Final = (
    rf"^(?:我们?|咱们?)的?(?P<name>(?:最(?:喜欢|爱|讨厌)的)?{_ADVERBS}[^，,。是的]{{1,8}})(?:现在|已经)?"
    rf"(?:是|定在|定为|改成|改到|改为|换成|换到)(?!不是|因为)(?P<value>{_TO_END})$"
)
# Of whom a clause tells that does not tell of its speaker: «我妈妈住在上海».
ANOTHER: Final = (
    r"^我的?(?P<name>妈妈|母亲|爸爸|父亲|爸|妈|哥哥|姐姐|弟弟|妹妹|女儿|儿子|老婆|老公|妻子|丈夫|男朋友|女朋友|朋友"
    r"|室友|同学|导师|老师|老板|同事|奶奶|爷爷|外婆|外公|孩子|家人|父母|猫|狗)"
)
# A clause of the speaker's own, whose subject may be left out; after OTHERS it tells of others.
SPEAKER: Final = (
    r"我|咱|本人|[?？] |^(?:现在|目前|今年|已经|刚)*(?:住|搬|在|大[一二三四五]|研[一二三]|读|学|来自|老家"
    r"|专业|转|主修|吃素|毕业)"
)
OTHERS: Final = r"他|她|它|《|谁"
# What may be, or was, says nothing of what is.
INTENDED: Final = (
    r"想|打算|计划|希望|准备|考虑|可能|要是|如果|将来|以前|曾经|梦想|听说|觉得|认为|以为|知道|猜"
    r"|会(?=搬|去)|要(?=搬|去|转)"
)
