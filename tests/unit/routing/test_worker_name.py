"""Worker names: what is read, what is written, what is refused."""

import pytest

from clew.errors import UnknownAgentTypeError, WorkerNameError
from clew.routing.worker_name import AGENT_TYPES, WorkerName, build_worker_name, check_agent_type, parse_worker_name


@pytest.mark.parametrize(
    ("text", "kb_prefix", "agent_type"),
    [
        ("movie:graph_agent:retrieve_only", "movie", "graph_agent"),
        ("movie:graph_agent:", "movie", "graph_agent"),
        ("movie:graph_agent", "movie", "graph_agent"),
        ("graph_agent", "", "graph_agent"),
        ("", "", ""),
        ("   ", "", ""),
        (" movie : graph_agent : retrieve_only ", "movie", "graph_agent"),
        (":graph_agent", "", "graph_agent"),
        ("movie:", "movie", ""),
        ("movie:some_older_agent", "movie", "some_older_agent"),
    ],
)
def test_short_forms_are_read(text: str, kb_prefix: str, agent_type: str) -> None:
    assert parse_worker_name(text) == WorkerName(kb_prefix, agent_type, "retrieve_only")


@pytest.mark.parametrize(
    "text",
    [
        "movie:graph_agent:ask",
        "movie:graph_agent:RETRIEVE_ONLY",
        "movie:graph_agent:retrieve_only:x",
        "movie:graph_agent:retrieve_only:",
        ":::",
        "a:b:c:d:e",
    ],
)
def test_another_mode_and_a_fourth_part_are_refused_by_name(text: str) -> None:
    with pytest.raises(WorkerNameError) as caught:
        parse_worker_name(text)
    assert repr(text) in str(caught.value)
    assert "retrieve_only" in str(caught.value)


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_what_is_built_is_read_back(agent_type: str) -> None:
    name = build_worker_name("movie", agent_type)
    assert name == f"movie:{agent_type}:retrieve_only"
    assert str(parse_worker_name(name)) == name


@pytest.mark.parametrize("kb_prefix", ["", "general"])
@pytest.mark.parametrize("agent_type", ["graph_agent", "", "nonsense"])
def test_general_has_the_empty_name(kb_prefix: str, agent_type: str) -> None:
    assert build_worker_name(kb_prefix, agent_type) == ""


@pytest.mark.parametrize("agent_type", ["", "graph", "Graph_Agent", "graph_agent ", "graph_agent:x"])
def test_a_type_outside_the_contract_is_refused_with_those_inside(agent_type: str) -> None:
    for attempt in (check_agent_type, lambda text: build_worker_name("movie", text)):
        with pytest.raises(UnknownAgentTypeError, match="graph_agent") as caught:
            attempt(agent_type)
        assert caught.value.agent_type == agent_type


def test_the_contract_names_five_types() -> None:
    assert set(AGENT_TYPES) == {
        "naive_rag_agent",
        "graph_agent",
        "hybrid_agent",
        "fusion_agent",
        "deep_research_agent",
    }
