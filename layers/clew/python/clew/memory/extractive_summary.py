"""Summaries without a language model: what the user stated is kept by rule, in the user's own words.

Only the summary so far and the new messages are read. What is kept is a list of notes (``noting``): statements
of the user, each replaced by a later one about the same thing, questions that have no answer yet, and the last
ones that have.
"""

import re
from collections.abc import Sequence
from typing import Final

from clew.conversation.message import Message
from clew.memory.noting.budget import fitted
from clew.memory.noting.note import STATEMENTS, Kind, Note, one_line, shortened
from clew.memory.noting.replacing import corrected, corrects, replaced, same_business
from clew.memory.noting.rules import overrides, rules_of
from clew.memory.noting.shape import parse, render
from clew.memory.noting.statements import Told, read_message
from clew.text.names import name_key
from clew.text.sentences import split_sentences
from clew.text.terms import content_terms

# An answer that says so when nothing was found, in words that the models of both languages use.
_NOTHING_FOUND: Final = re.compile(
    r"\b(?:I|we|the (?:knowledge base|passages?|sources?|documents?|evidence|materials?|context|texts?"
    r"|information))\b[^.]{0,40}?"
    r"\b(?:does not|doesn't|do not|don't|did not|didn't|could not|couldn't|cannot|can't|was unable|am unable"
    r"|found nothing|found no|have no)\b"
    r"|^(?:I'm sorry|I am sorry|sorry|unfortunately)\b|\bno (?:passage|information|document"
    r"|source)s?\b.{0,30}\b(?:found|available"
    r"|answers?|mentions?|says?)\b"
    r"|(?:知识库|资料|段落|文档|文件|来源|材料|我)[^。]{0,16}?(?:没有|没|未(?:能)?|无法|不)(?:回答|找到|提到|提及"
    r"|说明|查到|知道|清楚|确定|给出|涉及|包含)"
    r"|没有找到|找不到相关|未找到|无法回答|^(?:很)?抱歉|^对不起",
    re.I,
)
_DROPS = re.compile(r"^(?:never ?mind|forget (?:it|about it)|no need)\b|^(?:算了|不用了|不必了|没事了)", re.I)
_COLON = re.compile(r"(?::|：)\s*")
SHORT_ANSWER: Final = 3  # sentences; what goes on after saying that something is missing answers all the same


class ExtractiveSummariser:
    """Extends a summary by rule; it never fails."""

    def extend(self, summary: str, messages: Sequence[Message]) -> str:
        notebook = _Notebook(parse(summary))
        for place, message in enumerate(messages):
            if message.role == "user":
                notebook.user(message.content)
            elif message.role == "assistant":
                notebook.assistant(message, first=place == 0)
        return render(fitted(notebook.notes))


class _Notebook:
    """The notes while messages are read, the question that waits for its answer, and what the assistant asked back."""

    def __init__(self, notes: list[Note]) -> None:
        self.notes = notes
        # What the last part ended with is replied to by the first message of this one.
        self._asked_back = self._last("asked_back")
        self._waiting = self._last("open") if self._asked_back else ""

    def user(self, content: str) -> None:
        told = read_message(content)
        if self._asked_back and not told.asks:
            told = self._replied(content, told)
        for note in told.notes:
            self._state(note)
        if _DROPS.match(content.strip()):
            self._close(self._waiting or self._last("open"))
            self._waiting = ""
        if told.asked:
            self._close(told.asked)
            self.notes.append(Note("open", told.asked))
            self._waiting = told.asked
        elif not self._asked_back:
            self._waiting = ""
        self._set_asked_back("")

    def assistant(self, message: Message, *, first: bool) -> None:
        if message.is_ask_user:
            self._set_asked_back(shortened(_last_question(message.content)))
            return
        waiting = self._waiting or (self._last("open") if first else "")
        if waiting:
            asked = _standalone(message, waiting)
            self._close(waiting)
            self._close(asked)
            self.notes.append(Note("open" if _found_nothing(message.content) else "topic", asked))
        self._waiting = ""

    def _replied(self, content: str, told: Told) -> Told:
        """A reply says little without the question that it replies to, unless it is a sentence of the user's own."""
        reply = one_line(content)
        if told.notes or not reply or overrides(content) or _DROPS.match(reply):
            return Told(told.notes)
        return Told((Note("said", shortened(f"{self._asked_back} {reply}")),))

    def _state(self, note: Note) -> None:
        """Add a statement, and take back what it replaces."""
        kept: list[Note] = []
        said = found = False
        for earlier in self.notes:
            outcome = replaced(earlier, note) if earlier.kind in STATEMENTS else None
            if outcome is None:
                kept.append(earlier)
                continue
            found = True
            said = said or outcome.absorbed
            if outcome.left is not None:
                kept.append(outcome.left)
        self.notes = kept
        if not found and corrects(note.text):
            said = self._correct(note)
        if not said:
            self.notes.append(note)

    def _correct(self, note: Note) -> bool:
        """Change the latest statement that a correction such as «make it Friday» fits; whether it says all now."""
        places = [place for place, earlier in enumerate(self.notes) if earlier.kind in STATEMENTS]
        # Decisions first, since those are what is changed most.
        for place in sorted(places, key=lambda place: (self.notes[place].kind == "decision", place), reverse=True):
            amended = corrected(self.notes[place], note)
            if amended is not None:
                self.notes[place] = amended
                return True
        decisions = [place for place in places if self.notes[place].kind == note.kind == "decision"]
        for place in reversed(decisions):
            if same_business(self.notes[place], note):
                del self.notes[place]
                break
        return False

    def _close(self, question: str) -> None:
        """Take out a question, however it was asked before."""
        if question:
            asked = _key(question)
            self.notes = [note for note in self.notes if note.kind not in ("open", "topic") or _key(note.text) != asked]

    def _last(self, kind: Kind) -> str:
        return next((note.text for note in reversed(self.notes) if note.kind == kind), "")

    def _set_asked_back(self, question: str) -> None:
        self._asked_back = question
        self.notes = [note for note in self.notes if note.kind != "asked_back"]
        if question:
            self.notes.append(Note("asked_back", question))


def _key(question: str) -> frozenset[str] | str:
    """What two ways of asking the same have in common."""
    return frozenset(content_terms(question)) or name_key(question)


def _standalone(message: Message, asked: str) -> str:
    """The question as it was looked up, which can be understood alone; as it was asked where that is much shorter."""
    question = message.debug.get("question")
    if not isinstance(question, str) or not question.strip() or overrides(question):
        return asked
    return shortened(question) if len(question) <= 2 * len(asked) + 80 else asked


def _found_nothing(answer: str) -> bool:
    sentences = split_sentences(answer)
    return not sentences or (len(sentences) <= SHORT_ANSWER and _NOTHING_FOUND.search(sentences[0].text) is not None)


def _last_question(content: str) -> str:
    """The question that an assistant's message asks: its last sentence with a question mark, or all of it."""
    questions = [sentence.text for sentence in split_sentences(content) if sentence.text.endswith(("?", "？"))]
    if not questions:
        return content
    # «I need to know one thing: which school are you in?»
    last = _COLON.split(questions[-1])[-1]
    return last if rules_of(last).is_question(last.rstrip("?？")) else questions[-1]
