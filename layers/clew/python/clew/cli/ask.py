"""``clew ask``: one question, its answer as it is written, its citations."""

import json
import uuid
from collections.abc import Iterator
from contextlib import closing
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.markup import escape

from clew.cli.options import (
    DEFAULT_DATA_DIR,
    DEFAULT_USER,
    Agent,
    DataDir,
    Kb,
    Token,
    Trace,
    Url,
    User,
    failing_plainly,
    service,
)
from clew.cli.service import Service, ServiceError

TORN: Final = "The stream ended before the answer did."


@failing_plainly
def ask(
    question: Annotated[str, typer.Argument(help="The question, in English or Chinese.")],
    kb: Kb = "",
    agent: Agent = "",
    session: Annotated[str, typer.Option("--session", help="Session to ask in; default: a new one.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
    trace: Trace = False,
    url: Url = "",
    token: Token = "",
    user: User = DEFAULT_USER,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Ask one question and stream the answer with its citations.

    Example: clew ask "Where was the composer of Interstellar born?" --trace

    Exit code 1 when the question could not be answered for an error, 0 otherwise.
    """
    asked = service(url, token, user, data_dir)
    options = {"kb_prefix": kb, "agent_type": agent, "debug": trace or as_json}
    with closing(asked.stream(question, session or new_session(), **options)) as events:
        if as_json:
            typer.echo(json.dumps(_collected(events), ensure_ascii=False, indent=2))
        else:
            show_events(events, trace=trace)


def new_session() -> str:
    return f"cli-{uuid.uuid4().hex[:12]}"


def show_answer(url: str, question: str) -> None:
    """Ask the service at ``url`` and show the answer."""
    show_events(Service(url, user_id=DEFAULT_USER).stream(question, new_session()))


def show_events(events: Iterator[dict[str, Any]], *, trace: bool = False) -> None:
    """Print an answer as it comes; ServiceError if the stream ends in an error."""
    console = Console(highlight=False, soft_wrap=True)
    wrote = False
    for event in events:
        match event["status"]:
            case "start" if wrote:
                console.print("\n[dim](The connection was lost; the answer begins anew.)[/]")
            case "token":
                console.print(event["content"], end="", markup=False)
                wrote = True
            case "execution_log" if trace:
                _show_step(console, event["content"], after_text=wrote)
            case "error":
                if wrote:
                    console.print()
                raise ServiceError(event["message"], event.get("type", ""))
            case "done":
                if wrote:
                    console.print()
                _show_done(console, event["content"])
                return
    if wrote:
        console.print()
    raise ServiceError(TORN)


def _show_step(console: Console, step: dict[str, Any], *, after_text: bool) -> None:
    if after_text:
        console.print()
    given = json.dumps(step["input"], ensure_ascii=False)
    result = json.dumps(step["output"], ensure_ascii=False)
    console.print(f"[cyan]{escape(step['node'])}[/] [dim]{escape(given)} → {escape(result)}[/]")


def _show_done(console: Console, done: dict[str, Any]) -> None:
    for citation in done["citations"]:
        source = f" · {citation['source']}" if citation["source"] else ""
        console.print(f"  [dim]\\[{citation['number']}] {escape(citation['title'])}{escape(source)}[/]")
    route = done["route"]
    console.print(f"  [dim]{escape(route['kb_prefix'])} by {escape(route['method'])}: {escape(route['reason'])}[/]")


def _collected(events: Iterator[dict[str, Any]]) -> dict[str, Any]:
    answer: list[str] = []
    log: list[dict[str, Any]] = []
    for event in events:
        match event["status"]:
            case "start":  # also where the answer begins anew
                answer, log = [], []
            case "token":
                answer.append(event["content"])
            case "execution_log":
                log.append(event["content"])
            case "error":
                raise ServiceError(event["message"], event.get("type", ""))
            case "done":
                return {"answer": "".join(answer), **event["content"], "execution_log": log}
    raise ServiceError(TORN)
