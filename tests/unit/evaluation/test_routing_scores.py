"""Figures of routing from labelled messages and what the router decided, and reading the labels."""

import json
from pathlib import Path

import pytest

from clew.errors import DocumentError
from clew.evaluation.routing import LabelledMessage, RoutedMessage, read_messages, route_messages, routing_scores
from clew.routing.decision import RagRunSpec, RouteDecision


def routed(
    expected: str, got: str, expected_agent: str = "", agents: tuple[str, ...] = ("graph_agent",)
) -> RoutedMessage:
    names = () if got == "general" else agents
    plan = tuple(RagRunSpec(agent_type=name, worker_name=f"{got}:{name}:retrieve_only") for name in names)
    label = LabelledMessage(message=f"{expected} {got}?", expected_kb=expected, expected_agent=expected_agent)
    decision = RouteDecision(
        kb_prefix=got, confidence=1, method="default", reason="So.", worker_name="", plan=plan, plan_reason="Thus."
    )
    return RoutedMessage(label, decision)


def test_figures_count_each_message_where_it_belongs() -> None:
    found = routing_scores(
        [
            routed("movie", "movie", "graph_agent"),
            routed("movie", "movie", "hybrid_agent", ("graph_agent", "hybrid_agent")),
            routed("movie", "edu", "deep_research_agent"),
            routed("edu", "general", "graph_agent"),
            routed("edu", "edu"),
            routed("general", "general"),
            routed("general", "general"),
            routed("general", "movie"),
        ]
    )
    assert (found.messages, found.accuracy) == (8, 0.625)
    assert (found.with_agent, found.agent_accuracy) == (4, 0.5)
    assert (found.general, found.general_to_kb) == (3, 0.3333)
    assert found.runs == 1.2  # six runs in the five plans that are not empty
    assert found.confusion == {
        "edu": {"edu": 1, "general": 1},
        "general": {"general": 2, "movie": 1},
        "movie": {"edu": 1, "movie": 2},
    }


def test_what_went_wrong_is_listed_with_what_was_decided() -> None:
    right, other_kb, other_agent = (
        routed("movie", "movie", "graph_agent"),
        routed("movie", "edu"),
        routed("movie", "movie", "hybrid_agent"),
    )
    found = routing_scores([right, other_kb, other_agent])
    assert found.wrong == (other_kb, other_agent)
    assert found.accuracy == 0.6667
    listed = found.to_dict()["wrong"]
    assert listed[0] == {
        "message": "movie edu?",
        "expected_kb": "movie",
        "kb_prefix": "edu",
        "agents": ["graph_agent"],
        "reason": "So.",
        "plan_reason": "Thus.",
    }
    assert listed[1]["expected_agent"] == "hybrid_agent"


def test_a_worker_in_two_knowledge_bases_is_named_once() -> None:
    twice = routed("movie", "movie", "graph_agent", ("graph_agent", "graph_agent"))
    assert twice.agents == ("graph_agent",)
    assert routing_scores([twice]).runs == 2


def test_shares_of_nothing_are_none_and_all_of_it_is_json() -> None:
    found = routing_scores([routed("general", "general")])
    assert (found.agent_accuracy, found.runs, found.general_to_kb) == (None, None, 0.0)
    assert routing_scores([routed("edu", "edu")]).general_to_kb is None
    assert json.loads(json.dumps(found.to_dict()))["confusion"] == {"general": {"general": 1}}


def test_each_message_is_routed_once_in_order_and_progress_is_told() -> None:
    labels = [LabelledMessage(message=text, expected_kb="movie", requested_kb=text) for text in ("a", "b")]
    told: list[tuple[int, int]] = []

    def router(label: LabelledMessage) -> RouteDecision:
        return routed("movie", label.requested_kb).decision

    found = route_messages(labels, router, lambda done, whole: told.append((done, whole)))
    assert [(each.label.message, each.decision.kb_prefix) for each in found] == [("a", "a"), ("b", "b")]
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_labels_are_read_with_what_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text(
        '\ufeff{"message": "谁？", "expected_kb": "movie", "expected_agent": "graph_agent", "note": 1}\r\n'
        "\r\n"
        '{"message": "Hi\u2028there", "requested_kb": "edu", "expected_kb": "edu"}',
        encoding="utf-8",
    )
    assert read_messages(path) == [
        LabelledMessage(message="谁？", expected_kb="movie", expected_agent="graph_agent"),
        LabelledMessage(message="Hi\u2028there", expected_kb="edu", requested_kb="edu"),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "as JSON on one line"),
        ("[]", "as JSON on one line"),
        ('"x"', "as JSON on one line"),
        ('{"expected_kb": "movie"}', "message: "),
        ('{"message": "Hi"}', "expected_kb: "),
        ('{"message": " ", "expected_kb": "movie"}', "message: must not be empty"),
        ('{"message": "Hi", "expected_kb": ""}', "expected_kb: must not be empty"),
        ('{"message": 7, "expected_kb": "movie"}', "message: "),
        ('{"message": "Hi", "expected_kb": null}', "expected_kb: "),
        ('{"message": "Hi", "expected_kb": "movie", "expected_agent": "oracle"}', "expected_agent: must be one of"),
    ],
)
def test_a_line_that_does_not_fit_is_told_with_its_number(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text(f'{{"message": "Hi", "expected_kb": "general"}}\n\n{line}\n', encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        read_messages(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_empty_or_not_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "messages.jsonl"
    for content, told in ((None, "no such file"), (b"\n \n", "no message"), (b"\xff\xfe{", "not UTF-8")):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(DocumentError, match=told):
            read_messages(path)
    with pytest.raises(DocumentError, match="no such file"):
        read_messages(tmp_path)
