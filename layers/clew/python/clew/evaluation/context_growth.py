"""How many tokens of a prompt stand for the conversation so far, as it grows, beside sending all of it."""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, count
from typing import Final

from clew.answering.prompting.context import assemble
from clew.answering.prompting.token_counter import EstimatedCounter
from clew.conversation.message import Message
from clew.conversation.summary import VERBATIM, Summary
from clew.evaluation.dialogues import Dialogue
from clew.memory.due import is_due
from clew.memory.episode import Episode
from clew.memory.episodes import episode_terms
from clew.memory.recall import Candidate, rank
from clew.memory.summariser import Summariser
from clew.text.language import detect_language

EPISODES: Final = 3  # recalled for a turn


@dataclass(frozen=True, slots=True)
class ContextTokens:
    """After so many rounds (a message and its reply), in tokens, the means over the conversations that have so many.

    ``history`` is all that the next prompt holds of the conversation: ``summary``, ``episodes`` and ``window``.
    ``everything`` is what all messages take.
    """

    rounds: int
    conversations: int
    everything: int
    history: int
    summary: int
    episodes: int
    window: int

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


def rounds_told() -> Iterator[int]:
    """5, 10, 15, 20, 30, 40, 50, and then every 50."""
    return chain((5, 10, 15, 20, 30, 40), count(50, 50))


def context_growth(dialogues: Sequence[Dialogue], summariser: Summariser) -> list[ContextTokens]:
    """What the history takes as conversations grow; a row for each of ``rounds_told`` that some conversation has.

    Who speaks first is taken for the user. Summaries are made when memory makes them. Older turns are recalled by
    their words alone, since it makes no difference to their length which they are.
    """
    taken: dict[int, list[ContextTokens]] = defaultdict(list)
    for dialogue in dialogues:
        for tokens in _growth(dialogue, summariser):
            taken[tokens.rounds].append(tokens)
    return [_mean(rounds, taken[rounds]) for rounds in sorted(taken)]


def _growth(dialogue: Dialogue, summariser: Summariser) -> Iterator[ContextTokens]:
    messages = _messages(dialogue)
    language = detect_language(" ".join(message.content for message in messages))
    counter = EstimatedCounter()
    lengths = [counter.count(message.content) for message in messages]
    summary = Summary()
    told = rounds_told()
    next_told = next(told)
    # The last message of the user's is what the last prompt asks, so it is not a round of its own.
    for rounds in range(1, (len(messages) - 1) // 2 + 1):
        newest = 2 * rounds
        if is_due(newest, summary):
            covered = newest - VERBATIM
            text = summariser.extend(summary.text, messages[summary.covered_seq : covered])
            summary = Summary(text=text, covered_seq=covered)
        if rounds < next_told:
            continue
        next_told = next(told)
        question = messages[newest].content
        window = messages[summary.covered_seq : newest]
        _, report = assemble(
            question=question,
            standalone_question=question,
            language=language,
            messages=window,
            summary=summary.text,
            episodes=_recalled(question, messages[: summary.covered_seq]),
        )
        parts = report.parts
        yield ContextTokens(
            rounds=rounds,
            conversations=1,
            everything=sum(lengths[:newest]),
            history=report.history_tokens,
            summary=parts["summary"].tokens,
            episodes=parts["episodes"].tokens,
            window=parts["window"].tokens,
        )


def _messages(dialogue: Dialogue) -> list[Message]:
    """The turns as messages of user and assistant, who alternate: what one says in a row is one message."""
    spoken: list[tuple[str, list[str], str]] = []
    for turn in dialogue.turns:
        role = "user" if turn.speaker == dialogue.turns[0].speaker else "assistant"
        if spoken and spoken[-1][0] == role:
            spoken[-1][1].append(turn.text)
        else:
            spoken.append((role, [turn.text], turn.time or ""))
    return [
        Message(
            message_id=f"{dialogue.id}.{seq}",
            conversation_id=dialogue.id,
            seq=seq,
            role="user" if role == "user" else "assistant",
            content="\n".join(texts),
            created_at=time,
        )
        for seq, (role, texts, time) in enumerate(spoken, start=1)
    ]


def _recalled(question: str, messages: Sequence[Message]) -> list[Episode]:
    """The turns before the window that have most of the question's words, best first."""
    episodes = {
        answer.seq: Episode(
            conversation_id=answer.conversation_id,
            seq=answer.seq,
            question=asked.content,
            answer=answer.content,
            created_at=answer.created_at,
        )
        for asked, answer in zip(messages[::2], messages[1::2], strict=False)
    }
    turns = [Candidate(seq, 0.0, tuple(episode_terms(episode))) for seq, episode in episodes.items()]
    return [episodes[each.seq] for each in rank(question, turns)[:EPISODES]]


def _mean(rounds: int, tokens: Sequence[ContextTokens]) -> ContextTokens:
    def mean(values: Iterator[int]) -> int:
        return round(statistics.fmean(values))

    return ContextTokens(
        rounds=rounds,
        conversations=len(tokens),
        everything=mean(each.everything for each in tokens),
        history=mean(each.history for each in tokens),
        summary=mean(each.summary for each in tokens),
        episodes=mean(each.episodes for each in tokens),
        window=mean(each.window for each in tokens),
    )
