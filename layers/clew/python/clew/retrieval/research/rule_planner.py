"""Planning by rule: the words of the question that no good passage says, and the things that may lead to them."""

from collections.abc import Iterator
from typing import Final

from clew.retrieval.asked import Asked, asked_of
from clew.retrieval.evidence import Fact
from clew.retrieval.research.planner import Assessment, Findings, FollowUp
from clew.text.terms import content_terms

LOOKED_AT: Final = 5  # the best passages: what only a later one says is not yet found
FOLLOWED_AT_ONCE: Final = 2


class RulePlanner:
    """Follows the entities that the question's words stand beside, until the best passages say all that is asked."""

    def assess(self, findings: Findings) -> Assessment:
        asked = asked_of(findings.question, findings.linked)
        missing = tuple(need.word for need in _missing(asked, findings))
        if not missing:
            return Assessment()
        follow_ups = [FollowUp(" ".join((name, *missing)), name) for name in _bridges(asked, findings)]
        return Assessment(missing, tuple(follow_ups[:FOLLOWED_AT_ONCE]))


def _missing(asked: Asked, findings: Findings) -> Asked:
    said = {
        term for passage in findings.passages[:LOOKED_AT] for term in content_terms(f"{passage.title}\n{passage.text}")
    }
    return [need for need in asked if not need.forms & said]


def _bridges(asked: Asked, findings: Findings) -> list[str]:
    """Names of things related to what the question names and not followed yet, the most promising first."""
    forms = {form for need in asked for form in need.forms}
    known = {name for entity in findings.linked for name in (entity.name, *entity.aliases)} | findings.followed
    ranked = sorted(findings.facts, key=lambda fact: -len(forms & set(content_terms(fact.said))))
    return [name for name in dict.fromkeys(_ends(ranked)) if name not in known]


def _ends(facts: list[Fact]) -> Iterator[str]:
    for fact in facts:
        yield fact.target
        yield fact.source
