"""``clew chat``: turn after turn in one session."""

from contextlib import closing
from typing import Annotated

import typer

from clew.cli.ask import new_session, show_events
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
from clew.cli.service import ServiceError


@failing_plainly
def chat(
    kb: Kb = "",
    agent: Agent = "",
    session: Annotated[str, typer.Option("--session", help="Session to go on with; default: a new one.")] = "",
    trace: Trace = False,
    url: Url = "",
    token: Token = "",
    user: User = DEFAULT_USER,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Talk, turn after turn; an empty line or Ctrl-D ends it, Ctrl-C stops the answer that is being written.

    Example: clew chat --session monday
    """
    asked = service(url, token, user, data_dir)
    session = session or new_session()
    typer.echo(f"Session {session}. An empty line ends the conversation.")
    while question := _next_question():
        try:
            with closing(asked.stream(question, session, kb_prefix=kb, agent_type=agent, debug=trace)) as events:
                show_events(events, trace=trace)
        except KeyboardInterrupt:
            typer.echo("\nStopped.")
        except ServiceError as error:
            typer.echo(f"clew: {error}", err=True)


def _next_question() -> str:
    try:
        return input("\n> ").strip()
    except EOFError:
        return ""
