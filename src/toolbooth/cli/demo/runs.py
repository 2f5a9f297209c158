"""The live part of the demo: a few calls through a gateway in this process, and a small suite.

Both use the bundled servers; the suite's model needs no key.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from toolbooth.catalog import LoadedCatalog, SourceError, Sources
from toolbooth.cli import suite_output, terminal
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.errors import NothingToWeigh
from toolbooth.files import FOLDER_VARIABLES
from toolbooth.gateway import InProcessClient, in_process_client
from toolbooth.suite import CellFilter, RunOptions, SuiteRun, load_suite, plan
from toolbooth.suite.reporters import SuiteReport
from toolbooth.tokens import count, weigh

if TYPE_CHECKING:
    from toolbooth.gateway import GatewayRequest, Runtime

LOOK_AGAIN, LEDGER_WAIT = 0.05, 5.0  # seconds
TICKET = {"title": "Login page is blank"}
# The second call is wrong on purpose, as a model's guess is; the answer is enough to get the third one right.
TASK: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("search_tools", {"query": "open a new ticket about the login page", "limit": 3}),
    ("call_tool", {"name": "tickets.create_ticket", "arguments": {**TICKET, "priority": "critical"}}),
    ("call_tool", {"name": "tickets.create_ticket", "arguments": {**TICKET, "priority": "urgent"}}),
)
FAT = {"name": "database.run_query", "arguments": {"sql": "SELECT * FROM bookings"}}
CODE = """\
pages = await asyncio.gather(*[tickets.list_tickets(status="open", page=at, per_page=30) for at in (1, 2)])
found = await asyncio.gather(*[tickets.get_ticket(key=each["key"]) for page in pages for each in page["tickets"]])
talk = collections.Counter()
for each in found:
    talk[each["assignee"] or "nobody"] += each["comments"]
talk.most_common(3)
"""
WANTED = "max_by(rows, &amount_cents)"
NOT_HERE = ("search_tools", {"query": "convert euros to dollars"})


class GatewayCall(NamedTuple):
    """A call of one of the gateway's tools, and its answer."""

    tool: str
    arguments: Mapping[str, Any]
    answer: str
    tokens: int
    is_error: bool


@dataclass(frozen=True)
class GatewayDemo:
    """What one client saw of the gateway."""

    loaded: LoadedCatalog
    menu: tuple[str, ...]
    menu_tokens: int
    instructions_tokens: int
    task: tuple[GatewayCall, ...]
    not_here: GatewayCall
    fat: GatewayCall
    fat_tokens: int
    read: GatewayCall
    code: GatewayCall
    code_calls: int
    code_tokens: int

    @property
    def task_tokens(self) -> int:
        """Of menu and answers over all model calls of the task: every call carries what was answered before it."""
        answers = [each.tokens for each in self.task]
        return _carried(self.menu_tokens + self.instructions_tokens, answers)

    @property
    def task_tokens_without(self) -> int:
        """The tokens without a gateway: every tool is in the menu, and the first choice is right."""
        servers = self.loaded.catalog.servers
        menu = weigh(self.loaded.catalog).total_tokens
        return _carried(
            menu + sum(count(each.instructions or "") for each in servers), [self.task[-1].tokens]
        )


def _carried(menu: int, answers: Sequence[int]) -> int:
    calls = len(answers) + 1
    return calls * menu + sum(tokens * (calls - at) for at, tokens in enumerate(answers, 1))


def run_gateway_demo() -> GatewayDemo:
    """Start the servers, put the gateway in front of them and use it, with a temporary cache folder."""
    from toolbooth.gateway import log_to_stderr, run

    log_to_stderr()
    with TemporaryDirectory(prefix="toolbooth-demo-") as folder, terminal.progress(DEMO_SERVERS) as shown:
        return run(_visit, Path(folder), shown)


async def _visit(folder: Path, shown: terminal.Progress) -> GatewayDemo:
    from toolbooth.gateway import GatewayRequest, open_runtime

    config = folder / "mcp.json"
    config.write_text(json.dumps({"mcpServers": dict(map(_entry, DEMO_SERVERS))}), encoding="utf-8")
    own = dict.fromkeys(FOLDER_VARIABLES, str(folder))
    environ = {**os.environ, **own}
    async with open_runtime(environ, folder) as runtime:
        request = GatewayRequest((str(config),), "search", folder, environ)
        async with in_process_client(runtime, request) as client:
            loaded = await _all_up(runtime, request, shown)
            async with in_process_client(runtime, replace(request, surface="code")) as coder:
                code = await _call(coder, "call_tool_chain", {"code": CODE})
            return await _use(client, loaded, code, await _calls_of_code(runtime, request))


def _entry(name: str) -> tuple[str, dict[str, Any]]:
    first, *rest = demo_command(name)
    return name, {"command": first, "args": rest}


async def _all_up(runtime: "Runtime", request: "GatewayRequest", shown: terminal.Progress) -> LoadedCatalog:
    """Wait until each server has listed its tools or failed."""
    gateway = (await runtime.enter(request)).gateway
    while True:
        servers = gateway.status()
        settled = [each for each in servers if each["tools"] is not None or "fault" in each]
        for each in settled:
            shown.done(each["server"])
        if len(settled) == len(servers):
            break
        await anyio.sleep(LOOK_AGAIN)
    loaded = LoadedCatalog(gateway.registry.catalog, Sources(source_errors=tuple(_source_errors(servers))))
    if not loaded.catalog.servers:
        first = loaded.sources.source_errors[0]
        raise NothingToWeigh(f"no demo server could be started: {first.where} {first.reason}")
    return loaded


def _source_errors(servers: Sequence[Mapping[str, Any]]) -> Iterator[SourceError]:
    return (SourceError(each["server"], each["fault"]) for each in servers if "fault" in each)


async def _calls_of_code(runtime: "Runtime", request: "GatewayRequest") -> tuple[int, int]:
    """How many calls the code made, and what their servers answered in tokens: rows are written in the background."""
    ledger = (await runtime.enter(request)).gateway.ledger
    with anyio.move_on_after(LEDGER_WAIT):
        while not any(row.kind == "code" for row in ledger.recent(1)):  # noqa: ASYNC110 - written by a thread
            await anyio.sleep(LOOK_AGAIN)
    calls = [row for row in ledger.recent(1000) if row.kind == "code_call"]
    return len(calls), sum(row.tokens_before for row in calls)


async def _use(
    client: InProcessClient, loaded: LoadedCatalog, code: GatewayCall, calls: tuple[int, int]
) -> GatewayDemo:
    menu = (await client.ask("tools/list", {}))["tools"]
    task = [await _call(client, tool, arguments) for tool, arguments in TASK]
    fat = await _call(client, "call_tool", FAT)
    whole = await _call(client, "call_tool", {**FAT, "reduce": False})
    ref = fat.answer.partition("read_result(ref='")[2].partition("'")[0]
    return GatewayDemo(
        loaded,
        tuple(tool["name"] for tool in menu),
        weigh(menu).total_tokens,
        count(client.hello.get("instructions") or ""),
        tuple(task),
        await _call(client, *NOT_HERE),
        fat,
        whole.tokens,
        await _call(client, "read_result", {"ref": ref, "path": WANTED}),
        code,
        *calls,
    )


async def _call(client: InProcessClient, tool: str, arguments: Mapping[str, Any]) -> GatewayCall:
    """One call; its answer's text and what that costs."""
    answer = await client.call(tool, arguments)
    return GatewayCall(tool, arguments, answer.text, count(answer.text), answer.is_error)


NAME = "agents.toolbooth.yaml"
SUITE = """\
servers:
  tickets: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, tickets]}
  mail: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, mail]}
  calendar: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, calendar]}
tests:
  - name: a complaint is filed and answered
    model: lexical
    surface: [direct, search]
    prompt: Open a ticket about the blank login page. Then send a mail that we are working on it.
    token_efficiency:
      classes:
        - {name: file, members: [tickets.create_ticket]}
        - {name: answer, members: [mail.send_message]}
      expect:
        - token_efficiency.f1: {">=": 80}
"""
SHOWN = SUITE[SUITE.index("tests:") :]


def run_suite() -> SuiteReport:
    """Run the suite live; nothing is recorded."""
    from toolbooth.gateway import run

    with TemporaryDirectory(prefix="toolbooth-demo-") as folder:
        path = Path(folder) / NAME
        path.write_text(SUITE, encoding="utf-8")
        cells = plan([load_suite(path)], CellFilter())
        suite_run = SuiteRun(cells, RunOptions(mode="live"), dict(os.environ), Path.cwd())
        suite_run.prepare()
        with suite_output.suite_progress(len(cells)) as watcher:
            run(suite_run.run, watcher)
        return suite_run.report()
