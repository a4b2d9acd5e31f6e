"""``clew feedback``: what users thought of an agent's answers on a day.

It reads the table, with the credentials of whoever operates it, and there is no such route over HTTP: the list holds
questions of all users of a tenant, and a caller may see those of one.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any

import typer

from clew.cli.loading import load_environment
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly

PAGE = 100


@failing_plainly
def feedback(
    agent_type: Annotated[str, typer.Option("--agent-type", help="Whose answers, such as graph_agent, or general.")],
    day: Annotated[str, typer.Option("--day", metavar="YYYY-MM-DD", help="Day in UTC; default: today.")] = "",
    negative: Annotated[bool, typer.Option("--negative", help="Only answers that were judged bad.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The newest N.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")] = False,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose users judged.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """List what users thought of an agent's answers on a day, newest first.

    A line has the time, the judgement, the answer's message id, its session and the question.

    Example: clew feedback --agent-type graph_agent --day 2026-11-21 --negative
    """
    with load_environment(data_dir):
        judged = _judged(tenant, agent_type, day or datetime.now(UTC).date().isoformat())
        wanted = (each for each in judged if not (negative and each["is_positive"]))
        found = list(islice(wanted, limit))
    if as_json:
        typer.echo(json.dumps({"feedback": found}, ensure_ascii=False, indent=2))
    elif not found:
        typer.echo("Nothing was judged.")
    else:
        for each in found:
            judgement = "good" if each["is_positive"] else "bad "
            typer.echo(
                f"{each['created_at'][11:19]}  {judgement}  {each['message_id']}  {each['thread_id']}  "
                + _on_one_line(each["query"])
            )


def _on_one_line(question: str) -> str:
    """A user's text without what would move the operator's cursor."""
    return " ".join("".join(each if each.isprintable() else " " for each in question).split())


def _judged(tenant: str, agent_type: str, day: str) -> Iterator[dict[str, Any]]:
    from clew import wiring
    from clew.settings import TableSettings

    store, cursor = wiring.stores.feedback(TableSettings.load(), tenant), ""
    while True:
        page = store.list(agent_type, day, PAGE, cursor)
        yield from (each.model_dump(mode="json") for each in page.feedback)
        cursor = page.next_cursor
        if not cursor:
            return
