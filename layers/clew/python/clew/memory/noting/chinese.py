"""Signs in Chinese of what a clause does: it asks, states, prefers, decides or requests."""

import re
from typing import Final, Literal

from clew.memory.noting.note import Kind

_END: Final = r"[，,。！!：:\s]"

OPENING: Final = re.compile(
    rf"^(?:(?:你好|您好|大家好|嗨|哈喽|早上好|下午好|晚上好|好的|好吧|好|嗯+|哦|噢|对了|另外|还有|顺便(?:说一下"
    rf"|提一下|说一句|问一下)?"
    r"|谢谢(?:你|您)?|多谢|是的|没错|那么|那|补充一下|先说一下|说明一下|说一下|告诉你)(?:呀|啊|啦|哈)?"
    rf"{_END}+|(?:请|麻烦)?(?:你|您)?(?:要|一定要)?(?:记住|记得|记一下|注意|别忘了|不要忘了|不要忘记)(?:{_END}+|(?=我"
    rf"|咱)))+"
)

_SMALL_TALK: Final = re.compile(
    r"(?:谢谢|多谢|感谢|辛苦).*|(?:好|行|可以|嗯|哦|噢|对|是|没错|不是|没有|没事|没关系|没问题|当然)(?:的|吧|呀|啊|嘞"
    r"|了|啦|哈|哦|就这样)*"
    r"|(?:好的|嗯嗯|是的|对的)*(?:我)?(?:知道|明白|了解|懂|清楚|收到|看到|记住)(?:了|啦)|原来如此|原来是这样|(?:你|您"
    r"|大家)好(?:呀|啊)?|哈喽|嗨|早上好|下午好"
    r"|晚上好|晚安|再见|拜拜|不用了|不必了|算了|太好了|太棒了|不错|很好|真好|有意思|哈+|继续|请继续|接着说"
    r"|我(?:再)?(?:看看|想想|试试|考虑一下|考虑考虑|查查|想一想|看一下)(?:吧)?|我(?:有|还有)?(?:一?个|几个|些)?问题"
    r"|我(?:不|没)(?:知道|明白|懂|清楚|太明白|太懂)|我(?:没)?(?:看|听)(?:不)?(?:懂|明白)(?:了)?|我回来了|我在"
)
# What tells of something that was named before, so nothing by itself: «他住在上海».
_LEANS: Final = re.compile(r"^(?:他|她|它|这|那|其)")
_POINTS_BACK: Final = re.compile(
    r"我们?(?:也|更|比较|很|就|还是|都|挺|最|不)*(?:喜欢|爱|要|想要|选|记得|同意|觉得|看过|要选|想看|指"
    r"|说)(?:的)?(?:是)?"
    r"(?:它|这个|那个|这部|那部|这门|那门|这样|前者|后者|第[一二三四五][个部]|是|可以|对|都)?(?:了|吧)?"
    r"|(?:你|您)(?:刚才|刚刚|之前)?(?:说|讲|答|提到|弄|搞).*"
    r"|(?:那)?(?:就)?(?:选|要)?(?:这个|那个|前者|后者|第[一二三四五][个部门种项])(?:了|吧)*"
)

_LANGUAGES: Final = r"(?:中文|汉语|普通话|英文|英语|日语|日文|法语|法文|德语|德文|西班牙语|韩语|俄语|粤语|繁体|简体)"
_PLEASE: Final = r"(?:请|麻烦|希望|你|您|我希望你|我想让你|能不能|可不可以|可以|能否|都|尽量|务必|一律|只|统一)*"
REQUEST: Final = re.compile(
    rf"^{_PLEASE}(?:以后|从现在(?:开始|起)|今后|从今以后|从今往后|接下来|每次|永远|始终|总是"
    rf"|一直)(?![^，,]{{0,2}}我(?!的?(?:回答|答案)))"
    rf"|^{_PLEASE}用{_LANGUAGES}(?:来|跟我|和我|给我|向我)?(?:回答|回复|说|写|讲|交流|解释|沟通|告诉|对话|就|吧|$)"
    rf"|^{_PLEASE}(?:说|讲){_LANGUAGES}|^请[^，,。？?]{{1,8}}回答(?:我)?(?:的?问题)?$"
    rf"|^{_PLEASE}用[^，,。]{{1,10}}(?:回答|回复|解释|说明)(?:我|问题|我的问题)?(?:吧|就行|即可|就好)?$"
    r"|^(?:请|麻烦)?(?:你的?|您的?|把)?(?:所有)?(?:回答|回复|答案|解释|答复)(?:请|要|得|尽量|都|时|的时候|问题时?"
    r"|可以|能不能|希望)*"
    r".{0,6}(?:简短|简洁|简单|详细|精炼|短一?[点些]|长一?[点些]|分点|列表|要点|口语|正式|一点|中文|英文)"
    rf"|^{_PLEASE}(?:回答|回复|说|写|讲|解释)?(?:得|的)?(?:简短|简洁|简单|详细|精炼)(?:一?[点些下])?(?:的)?(?:回答"
    rf"|回复|说明|就行|就好|即可|吧)*$"
    r"|^(?:请|麻烦|你|您|以后|千万)*(?:不要|别|勿|无需|避免)(?:再)?(?:给我|跟我|对我|和我|向我)?"
    r"(?:用|提|推荐|剧透|说|写|讲|建议|发|列|引用|加|重复|使用|出现|给|回答|回复|叫|称呼|翻译|举)"
    r"|^(?:请|麻烦)(?:记得|提醒我|到时候?提醒)|^(?:到时候?|记得)提醒我"
)

_WHICH: Final = r"(?:哪(?!怕)|什么|啥|谁|怎么|怎样|如何|为何|为什么|多少|多久|多大|多长|多高|何时|何地|咋)"
_QUESTION: Final = re.compile(
    rf"[？?]\s*$|[吗么]$|呢$|{_WHICH}|是否|能不能|可不可以|有没有|是不是|会不会|要不要|行不行|好不好|对不对|能否|可否"
    r"|几(?:点|号|月|岁|门|学分|部|位|所|种|级|楼|年级|人)"
)
# Question words that ask nothing.
_NO_QUESTION: Final = re.compile(
    r"无论|不管|没什么|什么都|谁都|哪(?:里|儿|个)都|怎么都|怎样都|如何都|多少都|没(?:有)?(?:多少|谁)|(?:有|好)几"
    r"|(?:前|近)?几(?:天|年|个月)(?:前|来)"
)
_ASKS: Final = re.compile(
    r"^(?:请你?|麻烦你?|劳驾|帮我|帮忙|给我|替我|再|那|那么|能|可以|我们?|接着|现在|先|然后|你|您|想请你|我想请你)*"
    r"(?:告诉|介绍|列出|列举|列一下|说说|讲讲|讲一[下讲]|说一[下说]|谈谈|聊聊|解释|比较一下|对比|总结|概括|概述|推荐"
    r"|查一?[下查询]|搜|找一?[下找出]"
    r"|看看|看一下|翻译|描述|问一?[下问]|问个|请问|了解一下|分析|整理|算一下|计算|举个?例|展示|展开|继续讲|详细(?:说"
    r"|讲|介绍)|说明一下|帮我)"
    r"|^请问|我们?(?:现在|还|也|就|只|很|特别|非常|主要|最|先)*(?:想|要|需要|希望|打算|准备)(?:再|先|能|多)?(?:知道"
    r"|了解|问|查|请教|咨询|确认|弄清|搞清|打听|听听|听一下|看看|看一下|看下|找(?:一?[下找]|到|出))"
    rf"|我们?(?:也|还|就)?(?:不|没)(?:知道|明白|清楚|确定|记得|懂|搞懂|弄懂|理解)[^，,]*{_WHICH}|我们?(?:很)?好奇"
    rf"|我的?(?:下一个|另一个|第.个)?问题是"
)

_DECIDES: Final = re.compile(
    r"决定|定在|定于|定下|定为|敲定|说好|约好|约在|约定|商定|选定|达成一致|一致同意|改成|改为|改到|改在|改至|改选"
    r"|改去|改看|改吃|改用|改坐|改报|换成|换到|推迟到|推迟至|提前到|提前至"
    r"|延到|延期到|最终选|最后选|不改了|(?:我|我们|咱们)(?:也|就|还|已经|最近|接下来|之后|以后|下\w?)*(?:打算|计划"
    r"|准备)(?!好|得|了)"
    r"|^(?:那)?(?:我们?|咱们?|大家)?(?:还是|那就|就)(?!是|有|会|像|在)[^，,]{1,20}(?:吧|了|好了)$|^(?:那)?(?:我们"
    r"|咱们)[^，,]{1,20}吧$"
    r"|(?:周|星期|礼拜)[一二三四五六日天末][^，,]{1,20}吧$|^(?:那)?就(?:选|定|去|用|按|报|看|吃|买|这么)"
)
_PREFERS: Final = re.compile(
    r"喜欢|热爱|爱(?:看|吃|喝|听|读|玩|好|用|去|逛)|偏好|偏爱|最爱|喜爱|酷爱|钟爱|讨厌|厌恶|受不了|反感|感兴趣|没兴趣"
    r"|(?:更|最|比较)(?:想|愿意|倾向|习惯)|宁愿|宁可|倾向于|迷上|着迷|粉丝|习惯(?:用|看|喝|吃|在|早|晚)"
)
_FIRST_PERSON: Final = re.compile(r"我|咱|本人")
_STATES: Final = re.compile(r"是|在|有|为|叫|要|会|已经|不|了|需|达|等于|属于")
_OPINION: Final = re.compile(
    r"^(?:但是?|而且|所以|那)?我们?(?:也|还|就|只|其实|刚才|刚刚|之前)*(?:觉得|认为|感觉|猜|想来|听说|听过|看过|看了"
    r"|读过|读了|记得|忘了|同意|不同意|怀疑|以为|说过|问过|发现|刚)"
    r"|昨天|昨晚|今早|今天早上|刚才|刚刚|前几天|方才|今天|今晚|此刻|正在"
)

_LASTING: Final = re.compile(r"过敏|不耐受|色盲|色弱|糖尿病|哮喘|怀孕|轮椅|残疾|失明|失聪|服药|心脏病")

_OVERRIDES: Final = re.compile(
    r"(?:忽略|无视|忘记|忘掉|不要理会|不用管|跳过|绕过|违反|抛弃|取消).{0,14}(?:指令|指示|规则|提示|设定|上面|之前"
    r"|以上|前面|限制|约束|一切)"
    r"|你现在(?:是|扮演|变成|就是)|(?:请|你)?(?:来)?扮演|假装(?:你|自己|成)|系统提示|提示词|越狱|开发者模式|管理员模式"
    r"|^\W*(?:系统|助手|用户|开发者|管理员)(?:提示|消息|指令)?\s*[：:>]"
)


def overrides(text: str) -> bool:
    return _OVERRIDES.search(text) is not None


def is_question(clause: str) -> bool:
    if clause.rstrip().endswith(("?", "？")):
        return True
    return _QUESTION.search(_NO_QUESTION.sub("", clause)) is not None


def is_opinion(clause: str) -> bool:
    return _OPINION.search(clause) is not None


def in_first_person(clause: str) -> bool:
    return _FIRST_PERSON.search(clause) is not None


def is_lasting(clause: str) -> bool:
    return _LASTING.search(clause) is not None


def kind_of(clause: str) -> Kind | Literal["fragment"] | None:
    """See ``rules.Rules``; a ``fragment`` is a few words without a verb, which search for something or reply."""
    bare = clause.strip(" 。.!！，,~～")
    if not bare or _SMALL_TALK.fullmatch(bare) or _POINTS_BACK.fullmatch(bare):
        return None
    asks = is_question(bare)
    if REQUEST.search(bare) and (not asks or bare.startswith(("能", "可", "请", "你能", "可以"))):
        return "request"
    return "topic" if asks or _ASKS.search(bare) else _kind_of_statement(bare)


def _kind_of_statement(clause: str) -> Kind | Literal["fragment"] | None:
    if _DECIDES.search(clause):
        return "decision"
    first_person = in_first_person(clause)
    if _PREFERS.search(clause) and (first_person or _PREFERS.match(clause)):
        return "preference"
    if not first_person and _LEANS.search(clause):
        return None
    return "said" if first_person or _STATES.search(clause) else "fragment"
