"""The router: detect a knowledge base, ask a model where that is in doubt, apply the override policy, plan."""

import logging
from collections.abc import Mapping
from typing import Final

from clew.errors import InternalError, TransientError, UnknownKnowledgeBaseError
from clew.routing.chooser import KnowledgeBaseChooser
from clew.routing.decision import RouteDecision
from clew.routing.detection import Detection, detect
from clew.routing.intent import IntentMatch
from clew.routing.intents import detect_intent, match_of
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.planning import make_plan
from clew.routing.worker_name import GENERAL, check_agent_type
from clew.text.embedding import Embedder

AUTO: Final = "auto"
INTENT_CONFIDENCE: Final = 0.6  # above an even choice: the words of an intent are chosen by who knows the documents
CHOICE_CONFIDENCE: Final = 0.8  # fixed: a model's own figure means little; below a telling name, above doubt
MAX_CHOICE_REASON: Final = 300  # characters of what the model says

logger = logging.getLogger(__name__)


def route(
    message: str,
    *,
    requested_kb_prefix: str,
    agent_type: str,
    knowledge_bases: list[KnowledgeBaseProfile],
    embedder: Embedder,
    auto_route: bool,
    chooser: KnowledgeBaseChooser | None = None,
    intent: str = "",
    known: Mapping[str, str] | None = None,
) -> RouteDecision:
    """Decide for one message; ``agent_type`` empty or ``auto`` leaves the workers to the router.

    ``chooser`` is asked at most once, and only where neither names nor meaning decide. With ``intent`` the
    message goes on with an earlier question of that intent, of whose slots ``known`` has the values; where its
    knowledge base, the requested one, is gone by now, the message is routed like a new one.
    Raises UnknownKnowledgeBaseError for a requested knowledge base that does not exist and
    UnknownAgentTypeError for a type outside the contract.
    """
    agent = None if agent_type in ("", AUTO) else check_agent_type(agent_type)
    profiles = {profile.prefix: profile for profile in knowledge_bases}
    if intent and requested_kb_prefix not in profiles:
        intent, requested_kb_prefix = "", ""
    # Where the answer is given already, names alone are looked at: they cost nothing.
    decided = bool(requested_kb_prefix) or not auto_route
    detection = detect(message, knowledge_bases, None if decided else embedder)
    if detection.is_doubtful and detection.kb_prefix == GENERAL:
        detection = _wanted(message, knowledge_bases) or detection
    if chooser is not None and detection.is_doubtful and not decided:
        detection = _chosen(message, knowledge_bases, chooser) or detection
    final = _override(detection, requested_kb_prefix, knowledge_bases, auto_route, goes_on=bool(intent))
    plan = make_plan(message, (final.kb_prefix, final.also), agent)
    return RouteDecision(
        requested_kb_prefix=requested_kb_prefix,
        routed_kb_prefix=detection.kb_prefix,
        kb_prefix=final.kb_prefix,
        confidence=final.confidence,
        method=final.method,
        reason=final.reason,
        worker_name=plan.runs[0].worker_name if plan.runs else "",
        plan=plan.runs,
        plan_reason=plan.reason,
        intent=_intent(message, profiles.get(final.kb_prefix), intent, known or {}),
    )


def _intent(
    message: str, profile: KnowledgeBaseProfile | None, name: str, known: Mapping[str, str]
) -> IntentMatch | None:
    """The intent that is gone on with, else the one found in the message."""
    if profile is None:
        return None
    if not name:
        return detect_intent(message, profile.intents)
    declared = next((intent for intent in profile.intents if intent.name == name), None)
    return match_of(declared, known) if declared else IntentMatch(name=name, known=dict(known))


def _wanted(message: str, knowledge_bases: list[KnowledgeBaseProfile]) -> Detection | None:
    """The one knowledge base that declares an intent of the message; it decides where meaning hardly does."""
    wanted = [(profile, intent) for profile in knowledge_bases if (intent := detect_intent(message, profile.intents))]
    if len(wanted) != 1:
        return None
    ((profile, intent),) = wanted
    reason = f"The message wants {intent.name!r}, which {profile.prefix!r} declares."
    return Detection(profile.prefix, INTENT_CONFIDENCE, "heuristic", reason)


def _chosen(
    message: str, knowledge_bases: list[KnowledgeBaseProfile], chooser: KnowledgeBaseChooser
) -> Detection | None:
    """What the model chose; None when it does not answer or names no knowledge base of ours."""
    try:
        choice = chooser.choose(message, knowledge_bases)
    except (TransientError, InternalError) as error:
        logger.warning("knowledge base not chosen by the model: %s", type(error).__name__)
        return None
    if choice.kb_prefix not in (GENERAL, *(profile.prefix for profile in knowledge_bases)):
        logger.warning("knowledge base not chosen by the model: it named none that is known")
        return None
    said = " ".join(choice.reason.split())[:MAX_CHOICE_REASON]
    chose = f"A language model chose {choice.kb_prefix!r}"
    return Detection(choice.kb_prefix, CHOICE_CONFIDENCE, "llm", f"{chose}: {said}" if said else f"{chose}.")


def _override(
    detection: Detection,
    requested: str,
    knowledge_bases: list[KnowledgeBaseProfile],
    auto_route: bool,
    *,
    goes_on: bool,
) -> Detection:
    known = [profile.prefix for profile in knowledge_bases]
    if requested and requested != GENERAL and requested not in known:
        raise UnknownKnowledgeBaseError(requested, known)
    if requested:
        why = "The message goes on with a question to" if goes_on else "The request names"
        return Detection(requested, 1.0, "override", f"{why} {requested!r}.")
    if not auto_route:
        return Detection(GENERAL, 1.0, "default", "Automatic routing is off and the request names no knowledge base.")
    return detection
