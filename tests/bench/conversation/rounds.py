"""A long conversation with Clew: what each round takes of the table, and of the prompt."""

import asyncio
import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clew import wiring
from clew.answering.events import Done, ExecutionLog, Failed, Token
from clew.answering.running.answers import Answers
from clew.answering.turn.request import TurnRequest
from clew.conversation.store import ConversationStore
from clew.local.running_stack import RunningStack
from clew.settings import AnswerSettings
from clew.text.language import detect_language
from tests.bench.conversation.meter import Count
from tests.bench.conversation.parts import Parts
from tests.laptop import PROJECT

TENANT: Final = "default"
USER: Final = "bench"
QUIET: Final = 1.5  # seconds without a request of the memory function; the stream is delivered each second
LONGEST_WAIT: Final = 120.0
PERIOD: Final = 40

# What people say of themselves among their questions; the summary has something to keep.
TOLD: Final = (
    "My name is Lin Wei, and I study marine science in my third year.",
    "请用简短的话回答。我更喜欢列出要点。",
    "We have decided to hand in the thesis in May.",
    "我打算申请蓝海奖学金，截止日期之前还要补一门课。",
)


@dataclass(frozen=True)
class Round:
    """One round: its texts, what each part took, and the prompt's tokens by part."""

    number: int
    question: str
    answer: str
    taken: dict[str, Count]
    tokens: dict[str, int]

    @property
    def history_tokens(self) -> int:
        return sum(self.tokens.get(part, 0) for part in ("summary", "episodes", "window"))

    def total(self) -> Count:
        total = Count()
        for each in self.taken.values():
            total += each
        return total


def questions(count: int) -> list[str]:
    """``count`` messages: the demo's questions in both languages by turns, and every tenth something told.

    They come again after forty, so that rounds forty apart differ in what was said before alone.
    """
    asked = [
        json.loads(line)["question"] for line in (PROJECT / "demo/questions.jsonl").read_text("utf-8").splitlines()
    ]
    english, chinese = ([each for each in asked if detect_language(each) == language] for language in ("en", "zh"))
    mixed = iter(each for pair in zip(english, chinese, strict=False) for each in pair)
    told = iter(TOLD)
    script = [next(told) if number % 10 == 0 else next(mixed) for number in range(PERIOD)]
    return [script[number % PERIOD] for number in range(count)]


class Conversation:
    """One session, asked round by round through the turn that the answer function runs."""

    def __init__(self, stack: RunningStack, parts: Parts, agent_type: str) -> None:
        self._settings = AnswerSettings.load()
        self._answers: Answers = wiring.answering.answers(self._settings)
        self._parts = parts
        self._agent_type = agent_type
        self.session = f"bench-{uuid.uuid4().hex}"
        self._store = ConversationStore(wiring.stores.dynamodb_table.__wrapped__(self._settings.table_name), TENANT)
        self._number = 0

    def ask(self, message: str) -> Round:
        """One round, with all that the memory function does for it."""
        self._number += 1
        before = self._parts.now()
        answer, tokens = asyncio.run(self._ask(message))
        self._until_quiet()
        after = self._parts.now()
        return Round(self._number, message, answer, {part: after[part] - before[part] for part in after}, tokens)

    def fill(self, rounds: Sequence[Round], up_to: int) -> None:
        """Append what was said in ``rounds`` over and over until ``up_to`` rounds are there, unasked."""
        found = self._store.find_conversation(USER, self.session)
        assert found is not None
        while self._number < up_to:
            past = rounds[self._number % len(rounds)]
            self._store.append_message(found.conversation_id, "user", past.question)
            about = {"question": past.question}
            self._store.append_message(found.conversation_id, "assistant", past.answer, (), about)
            self._number += 1
        self._until_quiet()

    async def _ask(self, message: str) -> tuple[str, dict[str, int]]:
        request = TurnRequest(
            TENANT,
            USER,
            self.session,
            message,
            agent_type=self._agent_type,
            debug=True,
            client_message_id=uuid.uuid4().hex,
        )
        answer, tokens, ended = "", {}, False
        async for batch in self._answers.stream(request):
            for each in batch:
                match each.event:
                    case Token() as token:
                        answer += token.content
                    case ExecutionLog(content=log) if log.node == "context":
                        tokens = {part: int(told["tokens"]) for part, told in log.output["parts"].items()}
                    case Failed() as failed:
                        raise RuntimeError(failed.message)
                    case Done():
                        ended = True
        assert ended
        return answer, tokens

    def _until_quiet(self) -> None:
        """Wait until memory has nothing more to do: its meter stands still."""
        memory = self._parts.meters["memory"]
        give_up = time.monotonic() + LONGEST_WAIT
        seen, since = memory.now().total_requests, time.monotonic()
        while time.monotonic() - since < QUIET:
            assert time.monotonic() < give_up, "memory does not come to rest"
            time.sleep(0.1)
            if (now := memory.now().total_requests) != seen:
                seen, since = now, time.monotonic()
