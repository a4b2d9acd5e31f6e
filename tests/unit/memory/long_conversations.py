"""Conversations of a hundred messages: something told in the first round, then ordinary questions and answers."""

import json
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Literal

from clew.conversation.message import Message
from clew.memory.extractive_summary import ExtractiveSummariser
from clew.text.language import Language, detect_language

ROOT = Path(__file__).parents[3]

ANSWERS: dict[Language, str] = {
    "en": "The sources say that it is {}.[1] That is all they say.[2]",
    "zh": "资料显示是{}。[1]",
}
NOT_FOUND: dict[Language, str] = {
    "en": "The knowledge base does not answer this question. The passages I found do not say it.",
    "zh": "知识库中的资料没有回答这个问题：找到的段落里没有相关内容。",
}
NOTED: dict[Language, str] = {
    "en": "Noted. I keep it in mind in this conversation.",
    "zh": "好的，我会在这次对话中记住。",
}
# What people ask besides, without telling anything of themselves.
ASIDES: dict[Language, tuple[str, ...]] = {
    "en": (
        "And who teaches it?",
        "I'd like to know which courses have no prerequisite.",
        "Thanks! What about Interstellar?",
        "Can I take CS301 and CS302 in the same semester?",
        "tell me about the Blue Ocean Scholarship",
        "I don't understand the rule about retakes. How often may I retake a course?",
        "Hello again. Do I need a supervisor for the thesis?",
        "I see. Could you list the films of Ang Lee?",
        "who directed parasite",
        "How do I apply for a leave of absence?",
    ),
    "zh": (
        "那它是谁教的？",
        "我想知道哪些课程没有先修要求",
        "谢谢！那《星际穿越》呢？",
        "我可以在同一学期选CS301和CS302吗？",
        "介绍一下蓝海奖学金",
        "我没看懂重修的规定，一门课最多能重修几次？",
        "你好，写毕业论文需要导师吗？",
        "明白了。请列出李安的电影",
        "寄生虫的导演是谁",
        "我该怎么申请休学？",
    ),
}


def message(seq: int, role: Literal["user", "assistant"], content: str, **more: Any) -> Message:
    return Message(
        message_id=f"c.{seq:010}", conversation_id="c", seq=seq, role=role, content=content, created_at="2025", **more
    )


def talk(*texts: str, begin: int = 1) -> list[Message]:
    """User and assistant in turns, the user first; an assistant's text after «?» asks the user back."""
    messages = []
    for seq, text in enumerate(texts, start=begin):
        if (seq - begin) % 2 == 0:
            messages.append(message(seq, "user", text))
        else:
            messages.append(message(seq, "assistant", text.removeprefix("?"), is_ask_user=text.startswith("?")))
    return messages


def ordinary(language: Language) -> Iterator[tuple[str, str]]:
    """Questions of the demo with their answers, an aside after every second of them, without an end."""
    lines = (ROOT / "demo/questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [row for row in map(json.loads, lines) if detect_language(row["question"]) == language]
    asides = cycle(ASIDES[language])
    for place, row in enumerate(cycle(asked)):
        yield row["question"], ANSWERS[language].format(row["expected"][0])
        if place % 2:
            # Every third aside finds nothing.
            yield next(asides), NOT_FOUND[language] if place % 3 == 0 else ANSWERS[language].format("so")


def conversation(told: Sequence[str], language: Language, rounds: int) -> list[Message]:
    """``told`` in one round each, and ordinary questions up to ``rounds``."""
    texts = [(text, NOTED[language]) for text in told]
    texts += islice(ordinary(language), rounds - len(told))
    return talk(*(text for pair in texts for text in pair))


def summaries(messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
    """Each summary as the conversation grows by rounds, with the number of the last message that it covers."""
    summariser = ExtractiveSummariser()
    summary, covered = "", 0
    for newest in range(2, len(messages) + 1, 2):
        due = newest >= 10 if covered == 0 else newest - 6 - covered >= 5
        if due:
            summary = summariser.extend(summary, messages[covered : newest - 6])
            covered = newest - 6
            yield covered, summary
