"""The SDK's low-level server in front of our handlers: it negotiates and validates, and the answers are ours.

One middleware takes every request with its raw parameters; nothing that is only passed on is validated twice.
A valid `tools/call` on stdio gets its caller here without the SDK.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    INVALID_PARAMS,
    LOG_LEVEL_META_KEY,
    METHOD_NOT_FOUND,
    PROTOCOL_VERSION_META_KEY,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
)
from mcp_types.methods import SPEC_CLIENT_METHODS, validate_client_request
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolbooth import __version__, access, errors
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, ClientIdentity
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.change_notices import roots_changed
from toolbooth.gateway.handlers import answer, greeting, watch
from toolbooth.gateway.offload import offload
from toolbooth.gateway.session import LEVELS, Caller, ClientChannel, Refusal, Session, refusal_of
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.sdk_private import Context, connection_of

MakeSession = Callable[[Context, ClientIdentity], Session]
ChooseSurface = Callable[[ClientIdentity], str]
OpenChannel = Callable[[Context, Session], AbstractAsyncContextManager[ClientChannel]]
"""How one request reaches its client; on leaving, everything has been sent."""
_OURS = "toolbooth"


class SdkServer:
    """Answers for one view; the transport says how a session and a request reach their client."""

    def __init__(
        self,
        view: View,
        make_session: MakeSession,
        open_channel: OpenChannel,
        choose: ChooseSurface,
        asking: Callable[[], access.Principal] = lambda: access.LOCAL_USER,
    ) -> None:
        """`choose` is the surface of a client without a session; `asking` is the principal of the request that is
        being answered.
        """
        self._whole, self._make_session, self._open_channel = view, make_session, open_channel
        self._choose, self._asking = choose, asking
        self._listeners: dict[str, ListenHandler] = {}
        self.server: Server[Any] = Server(
            "toolbooth",
            version=__version__,
            on_subscriptions_listen=self._subscribe,
            get_tool_input_schema=self._input_schema,
        )
        self.server.middleware.append(self._serve)

    async def _subscribe(
        self, context: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Each principal has a stream of changes of its own, and its own number of streams."""
        principal = self._asking()
        if principal.id not in self._listeners:
            self._listeners[principal.id] = ListenHandler(self._whole.gateway.notices.bus(principal))
        return await self._listeners[principal.id](context, params)

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = (
            self._whole.on("direct").seen_by(self._asking()).pinned(name)
        )  # of `auto`, every tool that it may show
        return None if tool is None else tool.input_schema

    async def _serve(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.request_id is None:
            return await self._hear(ctx, call_next)
        if ctx.method in ("initialize", "server/discover"):
            return await self._greet(ctx, call_next)
        if ctx.method == "ping":
            return await call_next(ctx)
        self._check(ctx)
        if ctx.method == "subscriptions/listen":
            return await self._listen(ctx, call_next)
        return await self._answer(ctx)

    async def _greet(self, context: Context, call_next: CallNext) -> HandlerResult:
        result = await call_next(context)
        if context.method == "initialize":
            view, modern = self._whole.shown_to(self._open(context)), False
        else:  # it opens no session: the client may go on with a handshake
            meta = _mapping((context.params or {}).get("_meta"))
            view = self._whole.on(self._choose(_client_identity(meta))).seen_by(self._asking())
            modern = True
        return {**result, **greeting(view, modern)} if isinstance(result, dict) else result

    def _check(self, context: Context) -> None:
        """What the SDK checks before its own handlers run."""
        if context.method in SPEC_CLIENT_METHODS:
            try:
                validate_client_request(context.method, context.protocol_version, context.params)
            except KeyError:
                raise MCPError(METHOD_NOT_FOUND, "Method not found", context.method) from None
        modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        if not modern and context.session.client_params is None:
            raise MCPError(INVALID_PARAMS, "the client has not initialized this connection", "")

    async def _answer(self, context: Context) -> dict[str, Any]:
        session = self._session(context)
        try:
            async with self._open_channel(context, session) as channel:
                caller = _caller(context, session, channel)
                result = await answer(self._whole, caller, context.method, context.params or {})
        except Refusal as refusal:
            raise MCPError(refusal.code, refusal.message, refusal.data) from None
        except errors.BackendFault as fault:
            error = refusal_of(fault)
            raise MCPError(error.code, error.message, error.data) from None
        return await offload(result.size, _value, result) if isinstance(result, ToolResult) else result

    async def _listen(self, context: Context, call_next: CallNext) -> HandlerResult:
        """Changes of resources are watched at their servers before the client's own stream opens."""
        wanted = (context.params or {}).get("notifications") or {}
        session = self._session(context)
        async with self._open_channel(context, session) as channel:
            for uri in wanted.get("resourceSubscriptions") or ():
                with suppress(Refusal):  # for a resource that cannot be watched, nothing comes on the stream
                    await watch(self._whole.shown_to(session), _caller(context, session, channel), str(uri))
        return await call_next(context)

    async def _hear(self, context: Context, call_next: CallNext) -> HandlerResult:
        await call_next(context)
        session = connection_of(context).state.get(_OURS)
        if context.method == "notifications/roots/list_changed" and isinstance(session, Session):
            roots_changed(self._whole.gateway.upstreams.values(), session)
        return None

    def _open(self, context: Context) -> Session:
        params = context.params or {}
        offered = _mapping(params.get("capabilities"))
        # No server gets `tasks`: it would ask for tasks of the client, whose ids and statuses are not passed on
        passed = {key: value for key, value in offered.items() if key != "tasks"}
        client_identity = ClientIdentity(_mapping(params.get("clientInfo")), passed)
        session = connection_of(context).state[_OURS] = self._make_session(context, client_identity)
        return session

    def _session(self, context: Context) -> Session:
        """The session of the handshake; since protocol version 2026-07-28 each request brings its own."""
        state = connection_of(context).state
        if _OURS not in state:
            meta = _mapping((context.params or {}).get("_meta"))
            state[_OURS] = self._make_session(context, _client_identity(meta))
        session: Session = state[_OURS]
        return session


def _caller(context: Context, session: Session, channel: ClientChannel) -> Caller:
    meta = _mapping((context.params or {}).get("_meta"))
    client_identity = _client_identity(meta) if session.modern else session.client_identity
    return Caller(session, client_identity, channel, meta.get("progressToken"), meta.get(LOG_LEVEL_META_KEY))


def _client_identity(meta: Mapping[str, Any]) -> ClientIdentity:
    return ClientIdentity(
        _mapping(meta.get(CLIENT_INFO_META_KEY)) or TOOLBOOTH_IDENTITY.info,
        _mapping(meta.get(CLIENT_CAPABILITIES_META_KEY)),
    )


def _value(result: ToolResult) -> dict[str, Any]:
    return result.value


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def fast_caller(session: Session, message: Mapping[str, Any], channel: ClientChannel) -> Caller | None:
    """The caller of a request that is valid for its session's protocol version."""
    params = message.get("params")
    if message.get("jsonrpc") != "2.0" or not isinstance(params, dict):
        return None
    meta = params.get("_meta")
    if meta is not None and not isinstance(meta, dict):
        return None
    token = meta.get("progressToken") if meta else None
    if token is not None and (isinstance(token, bool) or not isinstance(token, (int, str))):
        return None
    if session.modern:
        return _stateless(session, message, channel, token, meta or {})
    if meta and PROTOCOL_VERSION_META_KEY in meta:
        return None
    return Caller(session, session.client_identity, channel, token)


def _stateless(
    session: Session,
    message: Mapping[str, Any],
    channel: ClientChannel,
    token: int | str | None,
    meta: Mapping[str, Any],
) -> Caller | None:
    route = classify_inbound_request(message)
    level = meta.get(LOG_LEVEL_META_KEY)
    if not isinstance(route, InboundModernRoute) or level not in (None, *LEVELS):
        return None
    info, offered = route.client_info, route.client_capabilities
    if not isinstance(offered, Mapping) or not isinstance(info, Mapping | None):
        return None
    return Caller(session, ClientIdentity(info or TOOLBOOTH_IDENTITY.info, offered), channel, token, level)
