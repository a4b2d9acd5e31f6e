"""Answering from the conversation itself: what the user said, what was answered, what is known of the user."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from clew.answering.prompting.prompt import Prompt
from clew.models.extractive.candidates import rarity_of
from clew.models.extractive.scoring import has_term
from clew.models.extractive.wording import quoted_from_conversation
from clew.text.embedding import Embedder
from clew.text.glossary import synonyms
from clew.text.language import Language
from clew.text.sentences import split_sentences
from clew.text.terms import content_terms

Reference = Literal["talk", "self", "none"]
Speaker = Literal["user", "assistant", "summary", "known"]

# What was said: «What did I say about …?», «我刚才提到的…».
_TALK = re.compile(
    r"\b(?:did|have|had) (?:I|you|we)\b.*\b(?:say|said|tell|told|mention|mentioned|talk|talked|discuss|ask|asked)\b"
    r"|\b(?:I|you|we) (?:\w+ )?(?:said|told|mentioned|talked|discussed|asked|spoke)\b|\bremember\b|\bearlier\b"
    r"|\bat the (?:beginning|start)\b|\b(?:our|this) conversation\b"
    r"|(?:我|你|您|我们|咱们)(?:刚才|刚刚|之前|先前|前面|最早|一开始|最开始)?(?:曾经?)?"
    r"(?:说过|说的|提到|提过|讲过|告诉过|告诉你|问过|问的|聊过|聊了|谈过|谈到|讨论过)"
    r"|刚才|之前说|还记得|记不记得|一开始说",
    re.I,
)
# What the user is, has or does: «Which programme do I study?», «我叫什么名字？».
_SELF = re.compile(
    r"\b(?:what|which|where|who|whom|when|how|whose)\b.*\b(?:my|mine|am I|do I|did I|was I|have I|I am|I'm|our)\b"
    r"|^(?:is|are|was|were|do|did|am|have) (?:my|I|our)\b|我.*(?:什么|谁|哪|几|多少|吗|何时|怎么称呼)",
    re.I,
)
# What anyone may or must do, asked in the first person, is a question for a knowledge base.
_RULES = re.compile(
    r"\b(?:do|did|would|will) I (?:have|need|get|qualify|apply|register)\b|\bhow (?:do|can|should|would|may) I\b"
    r"|\b(?:can|could|may|must|should|shall) (?:I|we)\b|\bif I\b"
    r"|我(?:们)?(?:可以|能不能|能否|能|应该|应当|需要|必须|得|该|怎么|如何|怎样|要怎么|要如何|想(?:申请|知道|问|了解))",
    re.I,
)
_CLAUSES = re.compile(r"[,;，；]|\band (?=(?:I|I'm|my|we|our)\b)", re.I)
_ASKS = re.compile(
    r"[?？]\s*$|[吗呢么][。.]?\s*$|^(?:who|whom|whose|what|which|where|when|why|how)\b|什么|多少|哪|谁", re.I
)
_TELLS = re.compile(r"\b(?:I|I'm|I've|my|we|we've|our)\b|我|咱们", re.I)
_MARKER = re.compile(r"^[\s#*\-•·]+|^(?:[\w ]{1,24}|[㐀-鿿]{1,8})[:：]\s+")

ENOUGH_WORDS: Final = 0.5  # share of the question's words that is enough by itself
NEARER: Final[dict[Language, float]] = {"en": 0.03, "zh": 0.015}  # than any neutral sentence: near enough
NOT_FARTHER: Final = -0.02  # than the nearest neutral sentence, with words shared
EMBEDDED: Final = 24  # sentences compared in meaning; each short one costs the laptop's embedder some 5 ms
ALIKE: Final = 0.05  # in score; of two that fit alike the later one holds: people correct themselves
# What people say of themselves that answers next to nothing. e5's cosines lie close together, and differently in
# each language, so a sentence is near when it is nearer than these.
_NEUTRAL: Final = (
    "I prefer short answers.",
    "My car is blue.",
    "I usually have lunch at noon.",
    "请用简短的话回答。",
    "我的杯子是白色的。",
    "我平时中午十二点吃饭。",
)


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the conversation: whose, and on which day where that is known; in the order of saying."""

    text: str
    speaker: Speaker
    day: str = ""


def refers_to(question: str) -> Reference:
    """Whether a question asks what was said, what the user is or has, or neither."""
    if _TALK.search(question):
        return "talk"
    return "self" if _SELF.search(question) and not _RULES.search(question) else "none"


def asks(message: str) -> bool:
    """Whether a message or sentence is a question."""
    return _ASKS.search(message) is not None


def tells(message: str) -> bool:
    """Whether a message says something of the user, and asks nothing."""
    return _TELLS.search(message) is not None and not asks(message)


def from_conversation(prompt: Prompt, embedder: Embedder) -> str:
    """A quotation of what was said in the conversation that answers; empty if nothing does.

    Sentences that ask are never quoted, and those of the assistant only where the question is about what was said.
    """
    reference = refers_to(prompt.question)
    said = [each for each in _sentences(prompt) if not asks(each.text)]
    if reference != "talk":
        said = [each for each in said if each.speaker != "assistant"]
    best = _best(prompt, said, embedder, reference)
    return quoted_from_conversation(best.text, best.speaker, best.day, prompt.language) if best else ""


def _sentences(prompt: Prompt) -> Iterator[Said]:
    """All that is known of the conversation, the oldest first."""
    for fact in prompt.known_of_user:
        yield Said(fact, "known")
    for line in prompt.summary.splitlines():
        yield from _split(_MARKER.sub("", line), "summary")
    for episode in prompt.episodes:
        day = episode.created_at[:10]
        yield from _split(episode.said or episode.question, "user", day)
        yield from _split(episode.answer, "assistant", day)
    for message in prompt.history:
        if message.role in ("user", "assistant"):
            yield from _split(message.content, "user" if message.role == "user" else "assistant")


def _split(text: str, speaker: Speaker, day: str = "") -> Iterator[Said]:
    for sentence in split_sentences(text):
        if bare := sentence.text.strip():
            yield Said(bare, speaker, day)


def _best(prompt: Prompt, said: list[Said], embedder: Embedder, reference: Reference) -> Said | None:
    latest = {each.text: each for each in said}  # a sentence said twice counts where it was said last
    if not latest:
        return None
    order = {text: place for place, text in enumerate(latest)}
    words = _words(prompt, list(latest))
    compared = sorted(latest, key=lambda text: (-words[text], -order[text]))[:EMBEDDED]
    meaning = _nearness(prompt.standalone_question or prompt.question, compared, embedder)
    score = {
        text: words[text] + meaning[text]
        for text in compared
        if _fits(words[text], meaning[text], reference, prompt.language)
    }
    if not score:
        return None
    top = max(score.values())
    return latest[max((text for text in score if score[text] >= top - ALIKE), key=lambda text: order[text])]


def _fits(words: float, meaning: float, reference: Reference, language: Language) -> bool:
    if words >= ENOUGH_WORDS:
        return meaning >= NOT_FARTHER
    return reference != "none" and meaning >= NEARER[language]


def _words(prompt: Prompt, texts: list[str]) -> dict[str, float]:
    """The share of the question's words, weighed by rarity, that each text has."""
    asked = frozenset(content_terms(prompt.question)) | frozenset(content_terms(prompt.standalone_question))
    terms = {text: frozenset(content_terms(text)) for text in texts}
    rarity = rarity_of(terms.values())
    most = max(rarity.values(), default=1.0)
    total = sum(rarity.get(term, most) for term in asked) or 1.0

    def has(text: str, term: str) -> bool:
        return has_term(terms[text], term) or any(has_term(terms[text], form) for form in synonyms(term))

    return {text: sum(rarity.get(term, most) for term in asked if has(text, term)) / total for text in texts}


def _nearness(question: str, texts: list[str], embedder: Embedder) -> dict[str, float]:
    """How much nearer in cosine each text is to the question than the nearest neutral sentence.

    A text that tells two things at once, «My name is Lin and I live in Bonn», is as near as the nearer of them.
    """
    clauses = {text: [text, *(each for each in _CLAUSES.split(text) if _TELLS.search(each))] for text in texts}
    compared = list(dict.fromkeys(clause for each in clauses.values() for clause in each))
    vector = embedder.embed_query(question)
    vectors = embedder.embed_passages([*compared, *_NEUTRAL])
    cosines = [sum(a * b for a, b in zip(vector, other, strict=True)) for other in vectors]
    neutral = max(cosines[len(compared) :])
    near = dict(zip(compared, cosines, strict=False))
    return {text: max(near[clause] for clause in each) - neutral for text, each in clauses.items()}
