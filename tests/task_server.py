"""A server on the SDK whose tools run as tasks, in the form of a protocol version: `python -m tests.task_server old`.

The SDK dispatches no method of tasks, so a middleware answers them by hand. A task makes one step each time it is
looked at: nothing depends on the clock. What a task does is in the arguments of its call, as `do`.
"""

import argparse
import itertools
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

Context = ServerRequestContext[Any, Any]
EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
FORM = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
QUESTION: dict[str, Any] = {
    "method": "elicitation/create",
    "params": {"mode": "form", "message": "which word?", "requestedSchema": FORM},
}
ENDED = ("completed", "failed", "cancelled")
LONG = "a line of a long report\n" * 4000


@dataclass(eq=False)
class Work:
    """One task and what became of it."""

    id: str
    do: str
    token: Any = None
    status: str = "working"
    step: int = 0
    heard: dict[str, Any] | None = None
    failed: bool = False
    resumed: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)

    def end(self, status: str) -> None:
        self.status = status
        self.ended.set()

    def result(self) -> dict[str, Any]:
        facts = {"do": self.do, "steps": self.step, "heard": self.heard}
        text = LONG if self.do == "long" else "researched"
        return {"content": [{"type": "text", "text": text}], "structuredContent": facts}

    def described(self, modern: bool) -> dict[str, Any]:
        names = ("ttlMs", "pollIntervalMs") if modern else ("ttl", "pollInterval")
        interval = 3_600_000 if self.do == "slow" else 1
        updated = f"2026-01-01T00:00:{min(self.step, 59):02}Z"
        said = {} if self.do == "never" else {"statusMessage": f"step {self.step}"}
        times = {"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": updated}
        limits = dict(zip(names, (60_000, interval), strict=True))
        return {"taskId": self.id, "status": self.status, **said, **times, **limits}


class TaskServer(Server[Any]):
    """Declares tasks in the form of its protocol version; `plain` declares none, and refuses to run one."""

    def __init__(self, protocol: str) -> None:
        super().__init__("tasks", version="1")
        self._protocol = protocol
        self._works: dict[str, Work] = {}
        self._ids = map("task-{}".format, itertools.count(1))
        self._seen: list[str] = []
        self._released = anyio.Event()
        self.middleware.append(self._answer)

    def get_capabilities(self, *arguments: Any, **named: Any) -> Any:
        reported: dict[str, Any] = {"tools": {}}
        if self._protocol == "old":
            reported["tasks"] = {"cancel": {}, "list": {}, "requests": {"tools": {"call": {}}}}
        if self._protocol == "new":
            reported["extensions"] = {EXTENSION: {}}
        return super().get_capabilities(*arguments, **named).model_validate(reported)

    async def _answer(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS and ctx.method != "initialize"
        if modern and self._protocol != "new":
            raise MCPError(METHOD_NOT_FOUND, "Method not found", ctx.method)
        if ctx.method == "initialize" and self._protocol == "new":
            supported = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": "2025-11-25"}
            raise MCPError(UNSUPPORTED_PROTOCOL_VERSION, "only 2026-07-28 is spoken here", supported)
        self._note(ctx)
        answer = await self._own(ctx, modern)
        if answer is None:
            return await call_next(ctx)
        cached = {"ttlMs": 0, "cacheScope": "private"} if ctx.method == "tools/list" else {}
        return {"resultType": "complete", **cached, **answer} if modern else answer

    def _note(self, ctx: Context) -> None:
        named = (ctx.params or {}).get("taskId") or (ctx.params or {}).get("name") or ""
        if named != "seen" and ctx.method.startswith(("tools/call", "tasks/", "notifications/cancelled")):
            self._seen.append(f"{ctx.method} {named}".strip())

    async def _own(self, ctx: Context, modern: bool) -> dict[str, Any] | None:
        if ctx.method == "tools/list":
            return {"tools": [tool(name, support) for name, support in TOOLS.items()]}
        if ctx.method == "tools/call":
            return await self._call(ctx, modern)
        if ctx.method == "tasks/get":
            return await self._get(ctx, modern)
        if ctx.method == "tasks/update" and modern:
            self._resume(self._known(ctx), (ctx.params or {})["inputResponses"]["word"])
            return {}
        if ctx.method == "tasks/cancel":
            work = self._known(ctx)
            work.end("cancelled")
            return {} if modern else work.described(modern)
        return await self._result(ctx) if ctx.method == "tasks/result" and not modern else None

    # -- calls ---------------------------------------------------------------------------------------------
    async def _call(self, ctx: Context, modern: bool) -> dict[str, Any]:
        params = ctx.params or {}
        name, do = params["name"], (params.get("arguments") or {}).get("do", "work")
        if name == "seen":
            await self._steer(ctx, modern, do)
            return {"content": [], "structuredContent": {"seen": self._seen[-12:]}}
        meta = params.get("_meta") or {}
        wants = (
            EXTENSION in (meta.get(CAPABILITIES) or {}).get("extensions", {}) if modern else "task" in params
        )
        if self._protocol == "plain" or not wants:
            if name == "research" and self._protocol != "plain":
                raise MCPError(-32021 if modern else METHOD_NOT_FOUND, "this tool runs only as a task")
            return {"content": [{"type": "text", "text": f"ordinary {'task' in params}"}]}
        if name == "maybe" and modern:
            return {"content": [{"type": "text", "text": "ordinary False"}]}
        if do == "late":
            await self._released.wait()
        work = Work(next(self._ids), do, meta.get("progressToken"))
        self._works[work.id] = work
        if do == "stray":
            await ctx.session._request_outbound.notify(
                f"notifications/tasks{'' if modern else '/status'}", {"taskId": "nobody's"}
            )
        described = work.described(modern)
        return {"resultType": "task", **described} if modern else {"task": described}

    async def _steer(self, ctx: Context, modern: bool, do: str) -> None:
        """What a test makes happen between two requests of its call."""
        if do == "release":
            self._released.set()
        if do == "tell":
            method = f"notifications/tasks{'' if modern else '/status'}"
            for work in self._works.values():
                await ctx.session._connection.outbound.notify(method, work.described(modern))

    def _known(self, ctx: Context) -> Work:
        work = self._works.get((ctx.params or {})["taskId"])
        if work is None:
            raise MCPError(INVALID_PARAMS, "Failed to retrieve task: Task not found")
        return work

    async def _get(self, ctx: Context, modern: bool) -> dict[str, Any]:
        work = self._known(ctx)
        if work.do == "die":
            os._exit(3)
        if work.do == "flaky" and not work.failed:
            work.failed = True
            os.write(1, json.dumps({"jsonrpc": "2.0", "id": ctx.request_id, "result": []}).encode() + b"\n")
            return work.described(modern)
        if work.do == "lose":
            del self._works[work.id]
        if work.status not in ENDED and work.do != "never":
            work.step += 1
            if work.do == "progress" and work.token is not None:
                params = {"progressToken": work.token, "progress": work.step, "total": 3}
                await ctx.session._request_outbound.notify("notifications/progress", params)
            if work.do == "ask" and work.heard is None:
                work.status = "input_required"
            elif work.step >= 3:
                work.end({"fail": "failed", "withdraw": "cancelled"}.get(work.do, "completed"))
        described = work.described(modern)
        if modern and work.status == "input_required":
            described["inputRequests"] = {"word": QUESTION}
        if modern and work.status == "completed":
            described["result"] = work.result()
        if modern and work.status == "failed":
            described["error"] = {"code": -32000, "message": "no sources"}
        return described

    async def _result(self, ctx: Context) -> dict[str, Any]:
        work = self._known(ctx)
        if work.status == "input_required":
            asked = {**QUESTION["params"], "_meta": {RELATED: {"taskId": work.id}}}
            self._resume(
                work, await ctx.session._request_outbound.send_raw_request("elicitation/create", asked)
            )
        await work.ended.wait()
        if work.status == "failed":
            raise MCPError(-32000, "no sources")
        return {**work.result(), "_meta": {RELATED: {"taskId": work.id}}}

    def _resume(self, work: Work, heard: Mapping[str, Any]) -> None:
        work.heard, work.status = dict(heard), "working"


TOOLS = {"research": "required", "maybe": "optional", "seen": "forbidden"}


def tool(name: str, support: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"do": {"type": "string"}}}
    description = {
        "research": "Research a topic for a long time",
        "maybe": "Do it now or later",
        "seen": "What came",
    }
    return {
        "name": name, "description": description[name], "inputSchema": schema, "execution": {"taskSupport": support}
    }  # fmt: skip


async def serve_stdio(protocol: str) -> None:
    server = TaskServer(protocol)
    async with stdio_server() as (incoming, outgoing):
        if protocol == "new":
            await server.run(incoming, outgoing, server.create_initialization_options())
        else:
            await serve_loop(server, incoming, outgoing, lifespan_state={})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.task_server")
    parser.add_argument("protocol", choices=("old", "new", "plain"))
    parser.add_argument("--port", type=int, help="serve Streamable HTTP at http://127.0.0.1:PORT/mcp")
    chosen = parser.parse_args()
    if chosen.port is None:
        anyio.run(serve_stdio, chosen.protocol)
    else:
        uvicorn.run(
            TaskServer(chosen.protocol).streamable_http_app(),
            host="127.0.0.1",
            port=chosen.port,
            log_level="warning",
        )


if __name__ == "__main__":
    main()
