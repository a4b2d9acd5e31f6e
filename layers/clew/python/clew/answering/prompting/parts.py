"""What the items of a prompt's parts cost in tokens, as they are rendered, and how each kind is cut."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from clew.answering.prompting.fitting import evenly
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.answering.prompting.prompt_text import (
    episode_lines,
    fact_line,
    frame,
    instructions,
    passage_lines,
    question_lines,
    summary_lines,
    theme_line,
)
from clew.answering.prompting.shortening import beginning, middle_out
from clew.answering.prompting.token_counter import MESSAGE_TOKENS
from clew.answering.prompting.window import SpokenTurn
from clew.memory.episode import Episode
from clew.retrieval.evidence import CommunityRef, Passage
from clew.text.language import Language

NumberedPassage = tuple[int, Passage]


class PartCosts:
    """Tokens of the items of one prompt; a text that is met again is not counted again."""

    def __init__(self, language: Language, count: Callable[[str], int]) -> None:
        self._language = language
        self._uncached = count
        self._counted: dict[str, int] = {}

    def count(self, text: str) -> int:
        if text not in self._counted:
            self._counted[text] = self._uncached(text)
        return self._counted[text]

    def system(self, prompt: Prompt) -> int:
        return self.count(instructions(prompt)) + self.count(frame(prompt)) + MESSAGE_TOKENS

    def question(self, prompt: Prompt) -> int:
        return self._lines(question_lines(prompt)) + MESSAGE_TOKENS

    def fact(self, fact: str) -> int:
        return self._lines([fact_line(fact)])

    def summary(self, summary: str) -> int:
        return self._lines(summary_lines(summary))

    def episode(self, episode: Episode) -> int:
        return self._lines(episode_lines(episode, self._language))

    def turn(self, turn: SpokenTurn) -> int:
        return sum(self._message(message) for message in turn.messages)

    def passage(self, numbered: NumberedPassage) -> int:
        return self._lines(passage_lines(*numbered, self._language))

    def theme(self, theme: CommunityRef) -> int:
        return self._lines([theme_line(theme)])

    def _message(self, message: ChatMessage) -> int:
        return self.count(message.content) + MESSAGE_TOKENS

    def _lines(self, lines: Iterable[str]) -> int:
        text = "\n".join(lines)
        return self.count(text + "\n") if text else 0

    def shorter_fact(self, fact: str, tokens: int) -> str | None:
        return beginning(fact, tokens, self.fact) or None

    def shorter_summary(self, summary: str, tokens: int) -> str | None:
        return beginning(summary, tokens, self.summary) or None

    def shorter_passage(self, numbered: NumberedPassage, tokens: int) -> NumberedPassage | None:
        """The passage's first sentences; its id and place still name the whole."""
        number, passage = numbered
        bare = passage.model_copy(update={"text": ""})
        text = beginning(passage.text, tokens - self.passage((number, bare)), self.summary)
        return (number, passage.model_copy(update={"text": text})) if text else None

    def shorter_episode(self, episode: Episode, tokens: int) -> Episode | None:
        """Each of its texts cut in its middle, the long ones first."""
        texts = list(dict.fromkeys(text for text in (episode.said, episode.question, episode.answer) if text))
        bare = self.episode(replace(episode, said="", question="", answer=""))
        limits = evenly(tokens - bare, [self.count(text) for text in texts])
        cut = {text: middle_out(text, limit, self.count) for text, limit in zip(texts, limits, strict=True)}
        if not any(cut.values()):
            return None
        return replace(
            episode,
            said=cut.get(episode.said, ""),
            question=cut.get(episode.question, ""),
            answer=cut.get(episode.answer, ""),
        )

    def shorter_turn(self, turn: SpokenTurn, tokens: int) -> SpokenTurn | None:
        """Its messages cut in their middle, the long ones first; None where one would be empty."""
        limits = evenly(tokens, [self._message(message) for message in turn.messages])
        messages = tuple(
            ChatMessage(message.role, middle_out(message.content, limit - MESSAGE_TOKENS, self.count))
            for message, limit in zip(turn.messages, limits, strict=True)
        )
        return SpokenTurn(messages) if all(message.content for message in messages) else None
