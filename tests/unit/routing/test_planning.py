"""Plans: which workers a kind of question gets, over how many knowledge bases, and what is said of it."""

import pytest

from clew.routing.planning import MAX_PLAN, WORKERS, Plan, make_plan
from clew.routing.question_kind import QUESTION_KINDS
from clew.routing.worker_name import AGENT_TYPES, parse_worker_name

ASKED = {
    "fact": "Who directed Inception?",
    "multi_hop": "Where was the composer of Inception born?",
    "comparison": "Which is longer, Inception or Tenet?",
    "open": "Why does the top keep spinning?",
    "overview": "Summarise the films of Christopher Nolan",
}
PLANNED = {
    "fact": ["graph_agent"],
    "multi_hop": ["graph_agent", "deep_research_agent"],
    "comparison": ["graph_agent", "deep_research_agent"],
    "open": ["graph_agent", "hybrid_agent"],
    "overview": ["hybrid_agent"],
}


def workers(plan: Plan) -> list[str]:
    return [run.agent_type for run in plan.runs]


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_a_kind_of_question_has_its_workers(kind: str) -> None:
    plan = make_plan(ASKED[kind], ("films",), None)
    assert workers(plan) == PLANNED[kind]
    assert [run.worker_name for run in plan.runs] == [f"films:{agent}:retrieve_only" for agent in PLANNED[kind]]


def test_reasons_tell_kinds_apart_and_name_the_workers() -> None:
    plans = [make_plan(message, ("films",), None) for message in ASKED.values()]
    assert len({plan.reason for plan in plans}) == len(plans)
    for plan in plans:
        assert plan.reason.endswith(".")
        assert all(agent in plan.reason for agent in workers(plan))


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
@pytest.mark.parametrize("message", ASKED.values(), ids=ASKED)
def test_a_requested_worker_is_the_only_one_whatever_is_asked(message: str, agent_type: str) -> None:
    plan = make_plan(message, ("films",), agent_type)  # type: ignore[arg-type]
    assert workers(plan) == [agent_type]
    assert "request" in plan.reason


@pytest.mark.parametrize("prefixes", [(), ("",), ("general",), ("general", ""), ("", "")], ids=str)
@pytest.mark.parametrize("agent_type", [None, "graph_agent"])
def test_a_general_message_has_no_worker(prefixes: tuple[str, ...], agent_type: str | None) -> None:
    plan = make_plan(ASKED["open"], prefixes, agent_type)  # type: ignore[arg-type]
    assert plan.runs == ()
    assert plan.reason.endswith(".")


@pytest.mark.parametrize("message", ASKED.values(), ids=ASKED)
def test_two_knowledge_bases_are_both_searched_the_better_one_first(message: str) -> None:
    plan = make_plan(message, ("films", "campus"), None)
    prefixes = [parse_worker_name(run.worker_name).kb_prefix for run in plan.runs]
    assert set(prefixes) == {"films", "campus"}
    assert prefixes == sorted(prefixes, reverse=True)
    assert "films" in plan.reason
    assert "campus" in plan.reason


@pytest.mark.parametrize("message", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_no_plan_is_longer_than_a_workflow_can_carry(message: str, count: int) -> None:
    plan = make_plan(message, tuple(f"kb{number}" for number in range(count)), None)
    assert 1 <= len(plan.runs) <= MAX_PLAN
    assert len({run.worker_name for run in plan.runs}) == len(plan.runs)
    assert len({parse_worker_name(run.worker_name).kb_prefix for run in plan.runs}) == min(count, MAX_PLAN)


def test_the_table_names_workers_of_the_contract_and_evidence_of_a_full_plan_fits_the_workflow() -> None:
    assert set(WORKERS) == set(QUESTION_KINDS)
    for agents in WORKERS.values():
        assert set(agents) <= set(AGENT_TYPES)
        assert 2 * len(agents) <= MAX_PLAN  # two knowledge bases leave no worker out
    assert MAX_PLAN * 40_000 < 256_000
