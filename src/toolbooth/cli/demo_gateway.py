"""The bundled servers behind a gateway in this process → what an agent is shown, what it asks, and what that costs."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from toolbooth.catalog.load import Loaded, Sources, Trouble
from toolbooth.cli.terminal import Progress, progress
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.errors import NothingToWeigh
from toolbooth.gateway.own_client import OwnClient, own_client
from toolbooth.tokens import count, weigh

if TYPE_CHECKING:
    from toolbooth.gateway.house import House, Request

LOOK_AGAIN, LEDGER_WAIT = 0.05, 5.0  # seconds
TICKET = {"title": "Login page is blank"}
# The second call is wrong on purpose, as a model's guess is; what comes back is enough to make the third one right.
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


class Exchange(NamedTuple):
    """A call of one of the gateway's tools, and its answer."""

    tool: str
    arguments: Mapping[str, Any]
    answer: str
    tokens: int
    is_error: bool


@dataclass(frozen=True)
class Visit:
    """What one client met at the gateway."""

    loaded: Loaded
    menu: tuple[str, ...]
    menu_tokens: int
    instructions_tokens: int
    task: tuple[Exchange, ...]
    not_here: Exchange
    fat: Exchange
    fat_tokens: int
    read: Exchange
    code: Exchange
    code_calls: int
    code_tokens: int

    @property
    def task_tokens(self) -> int:
        """Of menu and answers over all model calls of the task: every call carries what was answered before it."""
        answers = [each.tokens for each in self.task]
        return _carried(self.menu_tokens + self.instructions_tokens, answers)

    @property
    def task_tokens_without(self) -> int:
        """The same without a gateway: every tool in view, and right at the first try."""
        servers = self.loaded.catalog.servers
        menu = weigh(self.loaded.catalog).total_tokens
        return _carried(
            menu + sum(count(each.instructions or "") for each in servers), [self.task[-1].tokens]
        )


def _carried(menu: int, answers: Sequence[int]) -> int:
    calls = len(answers) + 1
    return calls * menu + sum(tokens * (calls - at) for at, tokens in enumerate(answers, 1))


def visit_gateway() -> Visit:
    """Start the servers, put the gateway before them, and use it; its cache is a folder of this visit alone."""
    from toolbooth.gateway.loop import run

    with TemporaryDirectory(prefix="toolbooth-demo-") as folder, progress(DEMO_SERVERS) as shown:
        return run(_visit, Path(folder), shown)


async def _visit(folder: Path, shown: Progress) -> Visit:
    from toolbooth.gateway.house import Request, open_house

    config = folder / "mcp.json"
    config.write_text(json.dumps({"mcpServers": dict(map(_entry, DEMO_SERVERS))}), encoding="utf-8")
    own = dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"), str(folder))
    environ = {**os.environ, **own}
    async with open_house(environ, folder) as house:
        request = Request((str(config),), "search", folder, environ)
        async with own_client(house, request) as client:
            loaded = await _all_up(house, request, shown)
            async with own_client(house, replace(request, surface="code")) as coder:
                code = await _call(coder, "call_tool_chain", {"code": CODE})
            return await _use(client, loaded, code, await _calls_of_code(house, request))


def _entry(name: str) -> tuple[str, dict[str, Any]]:
    first, *rest = demo_command(name)
    return name, {"command": first, "args": rest}


async def _all_up(house: "House", request: "Request", shown: Progress) -> Loaded:
    """Wait until each server has listed its tools or failed."""
    gateway = (await house.enter(request)).gateway
    while True:
        servers = gateway.status()
        settled = [each for each in servers if each["tools"] is not None or "fault" in each]
        for each in settled:
            shown.done(each["server"])
        if len(settled) == len(servers):
            break
        await anyio.sleep(LOOK_AGAIN)
    loaded = Loaded(gateway.book.catalog, Sources(troubles=tuple(_troubles(servers))))
    if not loaded.catalog.servers:
        first = loaded.sources.troubles[0]
        raise NothingToWeigh(f"no demo server could be started: {first.where} {first.reason}")
    return loaded


def _troubles(servers: Sequence[Mapping[str, Any]]) -> Iterator[Trouble]:
    return (Trouble(each["server"], each["fault"]) for each in servers if "fault" in each)


async def _calls_of_code(house: "House", request: "Request") -> tuple[int, int]:
    """How many calls the code made, and what their servers answered in tokens: rows are written in the background."""
    ledger = (await house.enter(request)).gateway.ledger
    with anyio.move_on_after(LEDGER_WAIT):
        while not any(row.kind == "code" for row in ledger.recent(1)):  # noqa: ASYNC110 - written by a thread
            await anyio.sleep(LOOK_AGAIN)
    calls = [row for row in ledger.recent(1000) if row.kind == "code_call"]
    return len(calls), sum(row.tokens_before for row in calls)


async def _use(client: OwnClient, loaded: Loaded, code: Exchange, calls: tuple[int, int]) -> Visit:
    menu = (await client.ask("tools/list", {}))["tools"]
    task = [await _call(client, tool, arguments) for tool, arguments in TASK]
    fat = await _call(client, "call_tool", FAT)
    whole = await _call(client, "call_tool", {**FAT, "reduce": False})
    ref = fat.answer.partition("read_result(ref='")[2].partition("'")[0]
    return Visit(
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


async def _call(client: OwnClient, tool: str, arguments: Mapping[str, Any]) -> Exchange:
    """One call; its answer's text and what that costs."""
    answer = await client.call(tool, arguments)
    return Exchange(tool, arguments, answer.text, count(answer.text), answer.is_error)
