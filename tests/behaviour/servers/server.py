"""One MCP server of a protocol version whose results are written by hand, so that none is tidied on its way out."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server import InitializationOptions, NotificationOptions, Server
from mcp.server.context import CallNext, HandlerResult
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tests.behaviour.servers.ledger import LEDGER
from tests.behaviour.servers.questions import Context, ask
from tests.behaviour.servers.tools import CHANGES, call, listed

NOTES = {"note://1": "a note", "note://watched": "watch me"}
TEMPLATE = "page://{book}/{number}"
Answer = Callable[[Context], Awaitable[dict[str, Any]]]


async def list_tools(_ctx: Context) -> dict[str, Any]:
    return {"tools": listed()}


async def list_resources(_ctx: Context) -> dict[str, Any]:
    return {"resources": [{"uri": uri, "name": uri, "_meta": {"own": 1}} for uri in NOTES]}


async def list_templates(_ctx: Context) -> dict[str, Any]:
    return {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "page"}]}


async def read(ctx: Context) -> dict[str, Any]:
    uri = (ctx.params or {})["uri"]
    text = NOTES.get(uri) or (f"page {uri}" if uri.startswith("page://") else None)
    if text is None:
        raise MCPError(-32002, "no such note", {"uri": uri})
    return {"contents": [{"uri": uri, "text": text}], "_meta": {"own": 2}}


async def subscribe(ctx: Context) -> dict[str, Any]:
    LEDGER.watched.add((ctx.params or {})["uri"])
    return {}


async def unsubscribe(ctx: Context) -> dict[str, Any]:
    LEDGER.watched.discard((ctx.params or {})["uri"])
    return {}


async def list_prompts(_ctx: Context) -> dict[str, Any]:
    return {
        "prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}, {"name": "quiz"}]
    }


async def get_prompt(ctx: Context) -> dict[str, Any]:
    params = ctx.params or {}
    if params["name"] == "quiz":
        asked = await ask(ctx, {"kind": "elicitation"})
        if asked.get("resultType") == "input_required":
            return asked
        words = str(asked["structuredContent"]["heard"])
    else:
        words = f"Hello {params['arguments']['who']}"
    return {"messages": [{"role": "user", "content": {"type": "text", "text": words}}], "_meta": {"own": 3}}


async def complete(ctx: Context) -> dict[str, Any]:
    params = ctx.params or {}
    of = params["ref"].get("name") or params["ref"]["uri"]
    return {"completion": {"values": [f"{of}:{params['argument']['value']}"], "total": 1, "hasMore": False}}


async def set_level(ctx: Context) -> dict[str, Any]:
    LEDGER.level = (ctx.params or {})["level"]
    return {}


ANSWERS: dict[str, Answer] = {
    "tools/list": list_tools, "tools/call": call, "resources/list": list_resources, "resources/read": read,
    "resources/templates/list": list_templates, "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe, "prompts/list": list_prompts, "prompts/get": get_prompt,
    "completion/complete": complete, "logging/setLevel": set_level,
}  # fmt: skip
NOT_CACHED = {"ttlMs": 0, "cacheScope": "private"}


class RawResultServer(Server[Any]):
    """Declares everything; the SDK derives capabilities from handlers, of which it has none here."""

    def __init__(self, protocol: str) -> None:
        super().__init__("talking", version="1", on_subscriptions_listen=ListenHandler(CHANGES))
        self._protocol = protocol
        self.middleware.append(self._answer)

    def get_capabilities(self, *arguments: Any, **named: Any) -> Any:
        declared = {"listChanged": True}
        reported = {
            "tools": declared, "prompts": declared, "resources": {"subscribe": True, **declared},
            "completions": {}, "logging": {},
        }  # fmt: skip
        return super().get_capabilities(*arguments, **named).model_validate(reported)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        return super().create_initialization_options(
            notification_options, experimental_capabilities, extensions
        )

    async def _answer(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS and ctx.method != "initialize"
        if modern and self._protocol == "old":
            raise MCPError(METHOD_NOT_FOUND, "Method not found", ctx.method)
        if ctx.method == "initialize" and self._protocol == "new":
            supported = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": "2025-11-25"}
            raise MCPError(UNSUPPORTED_PROTOCOL_VERSION, "only 2026-07-28 is spoken here", supported)
        if ctx.method == "notifications/roots/list_changed":
            LEDGER.roots_changed += 1
        if ctx.method not in ANSWERS:
            return await call_next(ctx)
        result = await ANSWERS[ctx.method](ctx)
        cached = (
            NOT_CACHED if modern and (ctx.method.endswith("/list") or ctx.method == "resources/read") else {}
        )
        return {"resultType": "complete", **cached, **result} if modern else result


def build_server(protocol: str) -> RawResultServer:
    return RawResultServer(protocol)
