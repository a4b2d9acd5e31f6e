"""The same conversation kept by LangGraph's checkpoints; run in the environment of ``requirements/peers.txt``.

Reads a request as JSON from standard input: where DynamoDB is, the table, the setting and the turns. After each
turn it writes a line and waits for one, so that the meter can be read in between.
"""

import json
import sys
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph_checkpoint_aws import DynamoDBSaver

NODES = ("intent", "slots", "retrieve", "verify", "report")


class State(TypedDict):
    """What a chat graph of this kind carries: the messages, and what its nodes tell each other."""

    messages: Annotated[list[AnyMessage], add_messages]
    intent: str
    evidence: list[str]


def graph(saver: BaseCheckpointSaver[Any], answer: list[str]) -> Any:
    """Five nodes in a row, of which the last writes what ``answer`` holds."""

    def intent(state: State) -> dict[str, Any]:
        return {"intent": "search"}

    def slots(state: State) -> dict[str, Any]:
        return {"intent": state["intent"]}

    def retrieve(state: State) -> dict[str, Any]:
        return {"evidence": []}  # what is looked up is kept by neither side

    def verify(state: State) -> dict[str, Any]:
        return {"intent": "answer"}

    def report(state: State) -> dict[str, Any]:
        return {"messages": [AIMessage(answer[0])], "evidence": []}

    builder = StateGraph(State)
    for name, node in zip(NODES, (intent, slots, retrieve, verify, report), strict=True):
        builder.add_node(name, node)
    for one, other in zip((START, *NODES), (*NODES, END), strict=True):
        builder.add_edge(one, other)
    return builder.compile(checkpointer=saver)


def main() -> None:
    request = json.loads(sys.stdin.readline())
    saver = DynamoDBSaver(
        table_name=request["table"],
        endpoint_url=request["endpoint"],
        region_name="us-east-1",
        enable_checkpoint_compression=request["compressed"],
    )
    answer = [""]
    compiled = graph(saver, answer)
    options = {"durability": request["durability"]} if request["durability"] else {}
    config = {"configurable": {"thread_id": request["thread"]}}
    for question, text in request["turns"]:
        answer[0] = text
        compiled.invoke({"messages": [HumanMessage(question)]}, config, **options)
        sys.stdout.write("turn\n")
        sys.stdout.flush()
        sys.stdin.readline()
    kept = compiled.get_state(config).values["messages"]
    sys.stdout.write(json.dumps({"messages": len(kept)}) + "\n")


if __name__ == "__main__":
    main()
