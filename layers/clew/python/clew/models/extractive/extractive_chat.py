"""The extractive chat model: quotations with citations, no language model."""

import re
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from anyio.to_thread import run_sync

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.answering.usage import Usage
from clew.models.extractive.question import analyse
from clew.models.extractive.remembering import asks, from_conversation, refers_to, tells
from clew.models.extractive.selection import select
from clew.models.extractive.wording import introduction, no_answer, noted, other_language
from clew.text.citation_marks import without_marks
from clew.text.embedding import Embedder
from clew.text.language import detect_language
from clew.text.tokens import estimate_tokens

NAME: Final = "extractive"


class ExtractiveChat:
    """Answers by quoting the evidence, or what was said; says so, in the question's language, when neither answers."""

    name = NAME
    reads_images = False

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        answer = await run_sync(self._answer, prompt)
        for piece in pieces(answer):
            yield TextDelta(piece)
        given = sum(estimate_tokens(passage.text) for passage in prompt.evidence)
        usage = Usage(
            input_tokens=given + estimate_tokens(prompt.question),
            output_tokens=estimate_tokens(answer),
            estimated=True,
        )
        yield Finished(usage, model=self.name)

    def _answer(self, prompt: Prompt) -> str:
        return self._remembered(prompt) or ("" if prompt.general else self._quoted(prompt)) or self._told(prompt)

    def _quoted(self, prompt: Prompt) -> str:
        """Sentences of the evidence that answer, with their citations; empty if none do."""
        question = analyse(prompt.standalone_question, prompt.evidence)
        selection = select(question, prompt.evidence, self._embedder)
        if not selection.sentences:
            return ""
        # A document's own marks would be taken for ours.
        quoted = [f"{without_marks(sentence.text)} [{sentence.number}]" for sentence in selection.sentences]
        foreign = all(detect_language(sentence.text) != prompt.language for sentence in selection.sentences)
        return (other_language(prompt.language) if foreign else "") + " ".join(quoted)

    def _told(self, prompt: Prompt) -> str:
        """What there is to say where nothing was found that answers."""
        if tells(prompt.question):
            return noted(prompt.language)
        if prompt.general:
            return introduction(prompt.knowledge_bases, prompt.language)
        found_anything = bool(prompt.evidence)
        return from_conversation(prompt, self._embedder) or no_answer(prompt.language, found_anything=found_anything)

    def _remembered(self, prompt: Prompt) -> str:
        """An answer from the conversation, where the question is about it, or nothing else was looked up."""
        if refers_to(prompt.question) == "none" and not (prompt.general and asks(prompt.question)):
            return ""
        return from_conversation(prompt, self._embedder)


def pieces(answer: str) -> Iterator[str]:
    """``answer`` in pieces of a word or a Chinese character with what stands before it; joined, the same again."""
    end = 0
    for match in re.finditer(r"\s*(?:[㐀-鿿]|[^\s㐀-鿿]+)", answer):
        yield match.group()
        end = match.end()
    if end < len(answer):
        yield answer[end:]
