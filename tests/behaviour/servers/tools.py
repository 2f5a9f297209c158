"""A call of one of the talking server's tools → its raw result."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp_types import LoggingLevel

from tests.behaviour.servers.ledger import LEDGER
from tests.behaviour.servers.questions import Context, ask
from tests.behaviour.servers.samples import SAMPLES

Run = Callable[[Context, dict[str, Any]], Awaitable[dict[str, Any]]]
LEVELS: tuple[LoggingLevel, ...] = ("debug", "info", "warning", "error")
CHANGES = InMemorySubscriptionBus()
EVENTS: dict[str, ServerEvent] = {
    "tools": ToolsListChanged(),
    "prompts": PromptsListChanged(),
    "resources": ResourcesListChanged(),
}
ANYTHING: dict[str, Any] = {"type": "object"}


def _said(**facts: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "done"}], "structuredContent": facts}


async def sample(_ctx: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    if "times" in arguments:
        return {"content": [{"type": "text", "text": "a line of text\n" * arguments["times"]}]}
    return SAMPLES[arguments["kind"]]


async def client_facts(ctx: Context, _arguments: dict[str, Any]) -> dict[str, Any]:
    """What the client said of itself, and what came with this request."""
    can = ctx.session.client_capabilities
    who = ctx.session.client_params
    return _said(
        capabilities=None if can is None else can.model_dump(by_alias=True, mode="json", exclude_none=True),
        client=None if who is None else who.client_info.name,
        version=ctx.protocol_version,
        meta=(ctx.params or {}).get("_meta"),
    )


async def progress(ctx: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    for step in range(1, 5):
        await ctx.session.report_progress(step, 4, f"step {step}")
    if arguments.get("ask"):
        return await ask(ctx, {"kind": "elicitation"})
    return _said()


async def log(ctx: Context, _arguments: dict[str, Any]) -> dict[str, Any]:
    for level in LEVELS:
        await ctx.session.send_log_message(level, {"at": level}, "talk", related_request_id=ctx.request_id)
    return _said()


async def grow(ctx: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """One more tool, or news of prompts or resources."""
    kind = arguments["kind"]
    if kind == "tools":
        LEDGER.extra_tools.append(arguments["name"])
    if ctx.protocol_version >= "2026-07-28":
        await CHANGES.publish(EVENTS[kind])
    else:
        await ctx.session._connection.outbound.notify(f"notifications/{kind}/list_changed", None)
    return _said()


async def touch(ctx: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    if ctx.protocol_version >= "2026-07-28":
        await CHANGES.publish(ResourceUpdated(arguments["uri"]))
    else:
        await ctx.session.send_resource_updated(arguments["uri"])
    return _said()


async def wait(ctx: Context, _arguments: dict[str, Any]) -> dict[str, Any]:
    """Say that it has begun, then wait to be cancelled."""
    try:
        await ctx.session.report_progress(1, None, "waiting")
        await anyio.sleep(60)
    except anyio.get_cancelled_exc_class():
        LEDGER.cancelled += 1
        raise
    return _said()


async def fail(_ctx: Context, _arguments: dict[str, Any]) -> dict[str, Any]:
    raise MCPError(-32050, "no such table", {"table": "t", "tried": [1, 2]})


async def seen(_ctx: Context, _arguments: dict[str, Any]) -> dict[str, Any]:
    return _said(**LEDGER.as_json())


TOOLS: dict[str, Run] = {
    "sample": sample, "client_facts": client_facts, "progress": progress, "log": log, "grow": grow, "touch": touch,
    "wait": wait, "fail": fail, "seen": seen, "ask": ask,
}  # fmt: skip


def listed() -> list[dict[str, Any]]:
    names = [*TOOLS, *LEDGER.extra_tools]
    return [
        {"name": name, "description": f"Does {name} for tests", "inputSchema": ANYTHING} for name in names
    ]


async def call(ctx: Context) -> dict[str, Any]:
    params = ctx.params or {}
    name = params["name"]
    LEDGER.calls[name] += 1
    if name in LEDGER.extra_tools:
        return _said(grown=name)
    if name not in TOOLS:
        raise MCPError(-32602, f"Unknown tool: {name}")
    return await TOOLS[name](ctx, dict(params.get("arguments") or {}))
