"""Messages that ask nothing: greetings, thanks, yes and no."""

import re
from typing import Final

from clew.answering.rewriting.patterns import any_of, listed

MAX_LENGTH: Final = 40

_ENGLISH: Final = listed(
    "hi hello hey there good morning afternoon evening night bye goodbye see you later tomorrow thanks thank thx ty",
    "very much so a lot ok okay k yes yeah yep no nope not sure of course great nice cool wow perfect excellent fine",
    "awesome wonderful amazing interesting right alright well done sorry please that's that is it all for now this",
    "helps helpful was never mind nevermind got i see understood understand don't welcome how are doing cheers again",
    "lol haha and to me the my your help answer bot clew",
)
_CHINESE: Final = re.compile(
    any_of(
        "你好 您好 大家好 哈喽 嗨 喂 在吗 早上好 早安 上午好 中午好 下午好 晚上好 晚安 再见 拜拜 回头见 明天见",
        "非常 十分 多谢 谢谢 感谢 谢了 辛苦了 辛苦 好的 好吧 好啊 好 行 可以 噢 啊 呀 呢 吧 了 的 是的 不是 是",
        "对的 对 不对 没错 没有 没 不用了 不用 不 算了 没事 明白 知道 懂 听不懂 不懂 太棒 真棒 厉害 很有帮助 有帮助 很",
        "我 你 您 那就这样 就这样 那 先 这样 帮大忙 麻烦 当然 不客气 没关系 抱歉 对不起 收到 清楚",
    )
    + r"|嗯+|哦+|哈+|[\s，,。.！!？?~～、]+"
)


def is_small_talk(message: str) -> bool:
    """Whether nothing in ``message`` asks for anything."""
    text = message.strip()
    if not text:
        return True
    if len(text) > MAX_LENGTH:
        return False
    if words := re.findall(r"[a-z']+|\d", text.lower().replace("’", "'")):
        return text.isascii() and _ENGLISH.issuperset(words)
    return not _CHINESE.sub("", text)
