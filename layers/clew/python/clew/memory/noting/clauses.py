"""A sentence taken apart into clauses that can be kept, replaced and forgotten one by one.

Each clause gets the subject that it shares with the one before: «I live in Beijing and study economics» becomes
«I live in Beijing» and «I study economics». A piece that is not plainly a clause of the speaker stays with the
piece before it.
"""

import re
from typing import Final

from clew.text.language import Language

_MAX_CHARACTERS: Final = 400  # of a sentence that is taken apart

_CONDITION = re.compile(
    r"^(?:if|when|whenever|while|as|because|since|although|though|unless|after|before|once|whether)\b"
    r"|^(?:如果|要是|假如|假设|因为|由于|虽然|尽管|当|只要|只有|即使|除非|自从|等我)",
    re.I,
)

_EN_BORDER = re.compile(r"(,\s*(?:and |but |so |also )*|\s+(?:and|but)\s+|\s+[–—-]\s+)")
_EN_OWN = re.compile(r"^(?:I|we|my|our|please|don't|let's)\b|^(?:I|we)'", re.I)
# With «s» too, since a summary may tell of the user in the third person.
_EN_VERB = re.compile(
    r"^(?:(?:also|currently|now|still|mostly|usually|really) )?"
    r"(?:(?:live|work|study|like|love|prefer|hate|enjoy|need|want|come|speak|teach|own|plan|hope|major|dislike)s?"
    r"|studies|teaches|has|have|am|moved|don't|do not|can't|cannot|never)\b",
    re.I,
)
_EN_SPEAKER = re.compile(r"^(?:\w+,? ){0,2}?I(?:'m| )")
_EN_NO_SPEAKER = re.compile(
    r"\bto \w|\b(?:will|can|could|would|should|might|may|not|never|think|hope|wish|don't|won't|can't)\b|'ll\b|'d\b",
    re.I,
)
_EN_DESCRIPTION = re.compile(r"^(?:an? |from |based in |living in |studying |working |majoring )", re.I)
_EN_DESCRIBED = re.compile(r"^(?:my name is|my name's|I'm an? |I am an? |I'm [A-Z][a-z]|I am [A-Z][a-z])", re.I)
_EN_LINK = re.compile(r"^(?:and|but|so|also|then|because)\b,?\s+", re.I)

_ZH_BORDER = re.compile(r"([，,；;]\s*)")
_ZH_LINK = re.compile(r"^(?:并且|而且|但是|不过|然而|所以|因此|同时|并|但|而|还有|另外|其实|且)(?!不)")
_ZH_OWN = re.compile(r"^(?:我|咱|请|以后|不要|别)")
_ZH_STATE = re.compile(
    r"^(?:现在|目前|今年|平时|平常|一直|也|还|更|最|很|比较|特别|非常|都|只|又|正|已经|刚|从来|通常)*"
    r"(?:叫|姓|是|在|住|学|读(?!书)|主修|专业|老家|喜欢|不喜欢|爱|不爱|讨厌|吃素|不吃|不喝|不能|不会|没有|有|来自"
    r"|毕业|从事|过敏|对[^，]{1,12}(?:过敏|感兴趣)"
    r"|打算|准备|计划|希望|需要|想|今年|\d{1,3}岁|大[一二三四]|研[一二三]|爱好|偏好|习惯|会)"
)
_ZH_LIKES = re.compile(
    r"^(?:也|还|更|最|很|比较|特别|非常)*(?:喜欢|不喜欢|讨厌|不吃|不喝|对[^，]{1,12}(?:过敏|感兴趣))"
)
_ZH_SPEAKER = re.compile(
    r"^(?:其实|现在|目前|另外|而且|但是|但|因为|以前|之前|最近|今年)*我们?(?=(?:叫|姓|是|在|住|学|读|念|喜欢|不|没|有"
    r"|想|要|会|能|爱|讨厌|来自|今年|现在|目前"
    r"|已|刚|最近|打算|准备|计划|决定|希望|需要|也|还|就|更|最|很|搬|从|做|当|毕业|工作|主修|选|比较|一直|平时|通常"
    r"|每|对|考|用|养|吃|喝|教|习惯|偏|只|都|常|经常|出生|生|正|转|换|申请|报|名叫|名字|的名字|专业|的专业))"
)
# A clause that says who the speaker is; what follows «我有一个弟弟» tells of the brother.
_ZH_WHO = re.compile(
    r"^(?:其实|现在|目前|另外)*我们?(?:叫|姓|是|在|住|学|读|来自|今年|现在|目前|名|专业|毕业|从|也是|也在)"
)
_ZH_OTHER = re.compile(r"有(?:一)?[个只位名条]|养|认识|遇到|听说|觉得|认为|知道")
_ZH_WANTS = re.compile(r"想|要|打算|计划|希望|准备|会|需要|决定")


def clauses(sentence: str, language: Language) -> list[str]:
    """The clauses of ``sentence`` in order, each of which can be understood as said by the speaker."""
    if len(sentence) > _MAX_CHARACTERS or _CONDITION.search(sentence):
        return [sentence]
    border, continued = (_ZH_BORDER, _chinese) if language == "zh" else (_EN_BORDER, _english)
    first, *rest = border.split(sentence)
    found = [first]
    for separator, piece in zip(rest[::2], rest[1::2], strict=True):
        clause = continued(found[-1], piece.strip())
        if clause:
            found.append(clause)
        else:
            found[-1] += separator + piece
    return [clause.strip() for clause in found if clause.strip()]


def before_the_question(sentence: str, language: Language) -> list[str]:
    """What a sentence that asks says first: «I'm in my second year» of «I'm in my second year, which course …?»."""
    as_one = re.match(r"as an?\b", sentence, re.I)
    if len(sentence) > _MAX_CHARACTERS or (_CONDITION.search(sentence) and not as_one):
        return []
    border, spoken = (_ZH_BORDER, _zh_spoken) if language == "zh" else (_EN_BORDER, _en_spoken)
    return [spoken(piece.strip()) for piece in border.split(sentence)[:-1:2] if spoken(piece.strip())]


def _en_spoken(piece: str) -> str:
    if match := re.match(r"(?:as|being) (an? .*)", piece, re.I):
        return f"I'm {match[1]}"
    return piece if re.match(r"(?:I|my)\b", piece) else ""


def _zh_spoken(piece: str) -> str:
    if match := re.match(r"(?:作为|身为)(.+)", piece):
        return f"我是{match[1]}"
    return piece if piece.startswith("我") else ""


def _english(before: str, piece: str) -> str:
    """``piece`` as a clause of its own; empty where it belongs to ``before``."""
    bare = _EN_LINK.sub("", piece)
    if _EN_OWN.search(bare):
        return bare
    if _EN_DESCRIPTION.search(bare) and _EN_DESCRIBED.search(before):
        return f"I'm {bare}"
    if _EN_VERB.search(bare) and _EN_SPEAKER.search(before) and not _EN_NO_SPEAKER.search(before):
        return f"I {bare}"
    return ""


def _chinese(before: str, piece: str) -> str:
    bare = _ZH_LINK.sub("", piece)
    if _ZH_OWN.search(bare):
        return bare
    if not _ZH_SPEAKER.search(before) or _ZH_OTHER.search(before):
        return ""
    state = _ZH_STATE if _ZH_WHO.search(before) and not _ZH_WANTS.search(before) else _ZH_LIKES
    return f"我{bare}" if state.search(bare) else ""
