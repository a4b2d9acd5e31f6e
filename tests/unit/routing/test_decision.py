"""What a decision means, whoever made it."""

import pytest
from pydantic import ValidationError

from clew.routing.decision import RouteDecision


def decision(**values: object) -> RouteDecision:
    given = {"kb_prefix": "movie", "confidence": 1.0, "method": "default", "reason": "x", "worker_name": ""}
    return RouteDecision.model_validate(given | values)


@pytest.mark.parametrize("kb_prefix", ["", "general"])
@pytest.mark.parametrize("worker_name", ["", "movie:graph_agent:retrieve_only"])
def test_no_knowledge_base_is_general_whatever_the_worker_name_says(kb_prefix: str, worker_name: str) -> None:
    assert decision(kb_prefix=kb_prefix, worker_name=worker_name).is_general


def test_a_knowledge_base_is_not_general_without_a_worker_name_either() -> None:
    assert not decision(kb_prefix="movie", worker_name="").is_general


@pytest.mark.parametrize("values", [{"confidence": -0.1}, {"confidence": 1.1}, {"method": "guess"}], ids=str)
def test_confidence_and_method_are_kept_within_bounds(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        decision(**values)


def test_a_decision_survives_the_workflow() -> None:
    plan = [{"agent_type": "graph_agent", "worker_name": "movie:graph_agent:retrieve_only"}]
    made = decision(worker_name=plan[0]["worker_name"], plan=plan, requested_kb_prefix="movie", plan_reason="A fact.")
    assert RouteDecision.model_validate_json(made.model_dump_json()) == made


def test_a_decision_stored_before_plans_had_a_reason_is_read() -> None:
    assert decision().plan_reason == ""


@pytest.mark.parametrize("method", ["override", "heuristic", "embedding", "llm", "default"])
def test_every_way_of_finding_a_knowledge_base_has_a_name(method: str) -> None:
    assert decision(method=method).method == method
