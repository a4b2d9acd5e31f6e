"""The rewriter that needs no model: each way of leaning on the past has its rule, tried in order."""

import re
from typing import Final

from clew.answering.rewriting import (
    chinese_pronouns,
    continuation,
    english_pronouns,
    fragments,
    missing_owner,
    missing_subject,
    ordinals,
    recalling,
    series,
    where_when,
)
from clew.answering.rewriting.language import spoken
from clew.answering.rewriting.leaning import MAX_MESSAGE
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.repeating import asks_again
from clew.answering.rewriting.rewriter import Past
from clew.answering.rewriting.small_talk import is_small_talk
from clew.answering.rewriting.window import Window
from clew.text.language import Language

# «OK, and the deadline?», 谢谢，那编剧呢？
_COURTESY: Final = re.compile(
    r"\s*(?:"
    + any_of(
        "ok okay thanks thank_you thanks_a_lot thank_you_very_much great good nice cool perfect right sure i_see",
        "got_it wow alright interesting 谢谢 谢谢你 谢了 多谢 好 好的 明白 明白了 知道了 了解 了解了 嗯 哦 行 原来如此",
        "这样啊 没错 对",
    )
    + r"[\s,，.。!！;；…]+)+",
    re.I,
)
_AND: Final = re.compile(
    r"^\s*(?:and|but|so|or)\b[ ,]*(?=\w+ \w+)|^\s*(?:那么|那)(?![个部位本门些里边儿时年天种样一是])[，,]?", re.I
)


class RuleRewriter:
    """Puts in what a message leaves to earlier turns, by rule; one that stands alone comes back as it is.

    A request for the last answer again becomes the question that it answered. Older turns are recalled only for
    a message that says that it means one, or a thing of a kind that the window does not have.
    """

    def rewrite(self, message: str, past: Past) -> str:
        if len(message) > MAX_MESSAGE:
            return message
        window = Window(past)
        courtesy = _COURTESY.match(message)
        asked = message[courtesy.end() :] if courtesy else message
        rewritten = _rewritten(asked, window, spoken(asked))
        return message if rewritten == asked else rewritten


def _rewritten(message: str, window: Window, language: Language) -> str:
    if window.previous and asks_again(message, language):
        return window.previous.question
    if is_small_talk(message):
        return message
    if window.previous is None:
        return recalling.recalled(message, window, language)
    return _whole(message, window, language) or _with_names(message, window, language)


def _whole(message: str, window: Window, language: Language) -> str | None:
    """The question that a message of an ordinal or a question word alone stands for."""
    return series.continued(message, window, language) or fragments.completed(message, window, language)


def _with_names(message: str, window: Window, language: Language) -> str:
    text = recalling.recalled(message, window, language)
    text = ordinals.resolve(text, window, language)
    text = where_when.resolve(text, window, language)
    text = (chinese_pronouns if language == "zh" else english_pronouns).resolve(text, window)
    if whole := continuation.continued(text, window, language):
        return whole
    if text == message:
        text = (missing_subject if language == "zh" else missing_owner).completed(text, window) or text
    elif topic := continuation.as_topic(text, window, language):
        return topic
    return _without_and(text) if text != message else message


def _without_and(text: str) -> str:
    bare = _AND.sub("", text, count=1)
    return bare[:1].upper() + bare[1:] if bare != text else text
