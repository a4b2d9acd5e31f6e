"""What Clew adds to the model's own time to the first token, and what a token costs in CPU.

The message is general: it goes through the workflow and its router, and nothing is searched. The answer server's AWS
calls go through a proxy that times them, so that the emulator's part can be taken out, stream by stream.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import boto3

from clew.local.project import REGION
from clew.table_keys import conversation_id
from tests.bench.figure import percentile, tell
from tests.bench.reliability.asking import USER, Asked, ask, ask_model
from tests.bench.reliability.levels import GENERAL
from tests.bench.reliability.machine import GATEWAY, Parts, cpu_seconds
from tests.bench.reliability.model_process import ModelProcess
from tests.bench.tables import Table
from tests.faults.aws_proxy import AwsProxy, Call, aws_proxy
from tests.faults.chat_model import MODEL
from tests.faults.service import Deployed, Service, service
from tests.faults.world import TENANT

NAME: Final = "overhead"
AIM_MS: Final = 25.0
AIM_CPU_MS: Final = 0.2
STREAMS: Final = 10
TOKENS: Final = 300  # six seconds: with shorter answers ten streams keep two cores busy with the emulator alone
FEW_TOKENS: Final = 20
MANY_TOKENS: Final = 420
# Streams begin apart, as people do: ten at the same moment would measure how the machine's cores are shared.
APART_S: Final = 0.65
PER_SESSION: Final = 4
TENANT_WIDE: Final = b"KB_STAMP"


@dataclass(frozen=True)
class Way:
    """One stream's way to its first token, in milliseconds; ``first`` of its session, which has to be made then."""

    first: bool
    first_token: float
    workflow: float
    table: float
    hops: float


def measure(deployed: Deployed, model: ModelProcess, parts: Parts, rounds: int) -> Table:
    settings = {"CLEW_CHAT_MODEL": "openai", "CLEW_OPENAI_BASE_URL": model.url, "CLEW_OPENAI_MODEL": MODEL}
    with aws_proxy(deployed.stack.emulator_url) as proxy, service(deployed, settings, proxy.url) as of:
        tell("overhead: waking the functions")
        model.script(FEW_TOKENS)
        ask(of.answer_url, GENERAL, STREAMS, 3)
        model.script(TOKENS)
        tell(f"overhead: {STREAMS} streams, {rounds} questions each")
        proxy.calls.clear()
        asked = ask(of.answer_url, GENERAL, STREAMS, rounds, APART_S, PER_SESSION)
        assert not asked.wrong(), asked.wrong()
        ways = _ways(asked, proxy.calls, _hop(deployed, proxy))
        own = [each.tokens[0] for each in ask_model(model.url, STREAMS, 2, APART_S).streams]
    with service(deployed, settings) as of:
        tell("overhead: CPU of a token")
        cpu = _cpu_of_tokens(of, deployed, model, parts)
    return _table(ways, statistics.median(own), cpu)


def _hop(deployed: Deployed, proxy: AwsProxy) -> float:
    """What it costs a call in milliseconds to pass the proxy: the same call through it and past it, in turns."""
    session = boto3.Session("test", "test", region_name=REGION)
    through, past = (session.client("dynamodb", endpoint_url=url) for url in (proxy.url, deployed.stack.emulator_url))
    nothing = {"pk": {"S": "nothing"}, "sk": {"S": "nothing"}}

    def milliseconds(client: Any) -> float:
        began = time.perf_counter()
        client.get_item(TableName=deployed.stack.table_name, Key=nothing)
        return 1000 * (time.perf_counter() - began)

    pairs = [(milliseconds(through), milliseconds(past)) for _ in range(100)]
    return statistics.median(one for one, _ in pairs) - statistics.median(other for _, other in pairs)


def _ways(asked: Asked, calls: Sequence[Call], hop: float) -> list[Way]:
    """Each stream's calls until its first token, which a turn makes one after the other.

    Those about its conversation name it. One does not: whether the tenant's knowledge bases have changed, asked
    once in a turn after the workflow, so each turn has the next of these that nobody has.
    """
    of_tenant = [each for each in calls if TENANT_WIDE in each.body]
    ways = []
    for number, (session, stream) in enumerate(zip(asked.sessions, asked.streams, strict=True)):
        marks = (conversation_id(TENANT, USER, session).encode(), session.encode())
        until = stream.began + stream.tokens[0] / 1000
        own = [
            each
            for each in calls
            if stream.began <= each.began
            and each.began + each.took <= until
            and any(mark in each.body for mark in marks)
        ]
        (workflow,) = (each for each in own if each.operation == "StartSyncExecution")
        own.remove(workflow)
        after = workflow.began + workflow.took
        shared = next((each for each in of_tenant if after <= each.began and each.began + each.took <= until), None)
        if shared:
            of_tenant.remove(shared)
            own.append(shared)
        table = sum(each.took for each in own)
        first = number % PER_SESSION == 0
        ways.append(Way(first, stream.tokens[0], 1000 * workflow.took, 1000 * table, hop * (len(own) + 1)))
    return ways


@dataclass(frozen=True)
class Cpu:
    """Milliseconds of CPU: of a token in the answer server and in the gateway, and of a turn without its tokens."""

    token: float
    gateway_token: float
    turn: float


def _cpu_of_tokens(of: Service, deployed: Deployed, model: ModelProcess, parts: Parts) -> Cpu:
    """By the difference that four hundred tokens more in each answer make: what a turn costs besides falls out."""

    def used(url: str, pid: int, tokens: int) -> float:
        model.script(tokens)
        ask(url, GENERAL, STREAMS, 1, APART_S)
        before = cpu_seconds(pid)
        assert not ask(url, GENERAL, STREAMS, 1, APART_S).wrong()
        return 1000 * (cpu_seconds(pid) - before)

    def slope(url: str, pid: int) -> tuple[float, float]:
        few, many = used(url, pid, FEW_TOKENS), used(url, pid, MANY_TOKENS)
        token = (many - few) / (STREAMS * (MANY_TOKENS - FEW_TOKENS))
        return token, few / STREAMS - FEW_TOKENS * token

    token, turn = slope(of.answer_url, of.pid)
    gateway_token, _ = slope(deployed.stack.url, parts.pids[GATEWAY])
    return Cpu(token, gateway_token, turn)


def _table(ways: Sequence[Way], own: float, cpu: Cpu) -> Table:
    def added(first: bool) -> list[float]:
        return [each.first_token - each.workflow - each.table - each.hops - own for each in ways if each.first is first]

    rows = [
        _row("request to the first token", [each.first_token for each in ways]),
        ("of that the model's own", f"{own:.1f}", "", ""),
        _row("of that the workflow in the emulator (with the router)", [each.workflow for each in ways]),
        _row("of that the table in the emulator", [each.table for each in ways]),
        _row("of that the proxy that times these", [each.hops for each in ways]),
        _row("what Clew adds, in a session that there is", added(False), f"≤ {AIM_MS:.0f}"),
        _row("what Clew adds, with the first message of a session", added(True)),
        ("CPU a token, answer server", f"{cpu.token:.2f}", "", f"≤ {AIM_CPU_MS}"),
        ("CPU a token, gateway", f"{cpu.gateway_token:.2f}", "", ""),
        ("CPU a turn without its tokens, answer server", f"{cpu.turn:.1f}", "", ""),
    ]
    note = f"Milliseconds; {STREAMS} streams at once, {len(ways)} questions, {TOKENS} tokens each."
    return Table(NAME, ("what", "median", "p95", "aim"), rows, note=note)


def _row(name: str, milliseconds: Sequence[float], aim: str = "") -> tuple[str, str, str, str]:
    return name, f"{statistics.median(milliseconds):.1f}", f"{percentile(milliseconds, 0.95):.1f}", aim
