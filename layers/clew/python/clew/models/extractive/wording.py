"""What the extractive model says in its own words, in both languages."""

from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import Language, detect_language

_NO_ANSWER = {
    "en": "The knowledge base does not answer this question. The passages I found do not say it.",
    "zh": "知识库中的资料没有回答这个问题：找到的段落里没有相关内容。",
}
_NOTHING_FOUND = {
    "en": "I found nothing about this in the knowledge base.",
    "zh": "知识库中没有找到与此相关的内容。",
}
_OTHER_LANGUAGE = {"en": "The sources, in Chinese, say: ", "zh": "资料原文（英文）："}
_GENERAL = {
    "en": "I answer questions from knowledge bases, and quote the passages that I answer from.",
    "zh": "我根据知识库回答问题，并引用所依据的段落。",
}
_AVAILABLE = {"en": "Loaded now:", "zh": "目前加载的知识库："}
_NONE = {"en": "No knowledge base is loaded yet.", "zh": "目前还没有加载知识库。"}
_TRY = {"en": "for example", "zh": "例如"}

_FROM_CONVERSATION: dict[str, dict[Language, str]] = {
    "user": {"en": "You said{when}: “{text}”", "zh": "您{when}说过：“{text}”"},
    "assistant": {"en": "I answered{when}: “{text}”", "zh": "我{when}回答过：“{text}”"},
    "summary": {"en": "From earlier in our conversation: “{text}”", "zh": "我们之前谈到：“{text}”"},
    "known": {"en": "From what I know of you: “{text}”", "zh": "据我所知：“{text}”"},
}
_WHEN: dict[Language, str] = {"en": " on {day}", "zh": "在{day}"}
_NOTED = {
    "en": "Noted. I keep it in mind in this conversation.",
    "zh": "好的，我会在这次对话中记住。",
}


def quoted_from_conversation(text: str, speaker: str, day: str, language: Language) -> str:
    """Something said in the conversation by ``user`` or ``assistant``, or kept of it in ``summary`` or ``known``."""
    when = _WHEN[language].format(day=day) if day else ""
    return _FROM_CONVERSATION[speaker][language].format(when=when, text=text)


def noted(language: Language) -> str:
    """The answer to a message that tells something and asks nothing."""
    return _NOTED[language]


def no_answer(language: Language, *, found_anything: bool) -> str:
    """That the evidence does not answer, or that there is none."""
    return (_NO_ANSWER if found_anything else _NOTHING_FOUND)[language]


def other_language(language: Language) -> str:
    """What goes before quotations in the other language than the question's, ``language``."""
    return _OTHER_LANGUAGE[language]


def introduction(knowledge_bases: tuple[KnowledgeBaseSummary, ...], language: Language) -> str:
    """What the assistant can do, and what it can do it with."""
    if not knowledge_bases:
        return f"{_GENERAL[language]} {_NONE[language]}".strip()
    lines = [f"{_GENERAL[language]} {_AVAILABLE[language]}"]
    for known in knowledge_bases:
        title = (known.title_zh if language == "zh" else "") or known.title
        described = (known.description_zh if language == "zh" else known.description) or ""
        example = _example(known, language)
        lines.append(
            f"- {title} ({known.prefix})"
            + (f": {described}" if described else "")
            + (f" {_TRY[language].capitalize()}: {example}" if example else "")
        )
    return "\n".join(lines)


def _example(known: KnowledgeBaseSummary, language: Language) -> str:
    return next((example for example in known.examples if detect_language(example) == language), "")
