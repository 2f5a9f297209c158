"""Resources of the gateway and of all servers: listed together, read and watched at the server that owns them."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from toolbooth import errors, safetext
from toolbooth.catalog.connect import Peer, ServerError
from toolbooth.gateway import methods, public_names
from toolbooth.gateway.builtin_resources import (
    RESOURCES,
    SCHEME,
    TEMPLATES,
    entries,
    is_builtin,
    read_builtin,
)
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.calls.upstream_call import pass_through, passed_on
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.handlers.merged_lists import ListedItem, gather, listed
from toolbooth.gateway.session import INVALID_PARAMS, RESOURCE_NOT_FOUND, Caller, Refusal, refusal_of
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.connection import listen_for_resource
from toolbooth.gateway.upstreams.upstream import Upstream

_LISTENING: WeakKeyDictionary[Peer, set[str]] = WeakKeyDictionary()


async def watch(gateway: Gateway, upstream: Upstream, caller: Caller, uri: str) -> None:
    """Subscribe at the server; raises its error if it refuses."""
    connection = await upstream.connection_for(caller.session, caller.client_identity)
    if not connection.peer.protocol.modern:
        await upstream.request(caller, "resources/subscribe", {"uri": uri})
    elif uri not in _LISTENING.setdefault(connection.peer, set()):
        _LISTENING[connection.peer].add(uri)
        gateway.spawn(_listen, connection.peer, uri)


async def _listen(peer: Peer, uri: str) -> None:
    """One stream for each resource: a second one would report every change twice."""
    try:
        await listen_for_resource(peer, uri)
    finally:
        _LISTENING[peer].discard(uri)


async def unwatch(upstream: Upstream, caller: Caller, uri: str) -> None:
    """A stateless server's stream stays open: such clients may listen to it, and do not say when they stop."""
    with suppress(errors.BackendFault):
        connection = await upstream.connection_for(caller.session, caller.client_identity)
        if not connection.peer.protocol.modern:
            await upstream.request(caller, "resources/unsubscribe", {"uri": uri})


@methods.answers("resources/list")
async def list_resources(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Built-in ones, then every server's. The first server that lists a URI owns it; others get an alias."""
    found = await gather(view, caller, "resources", "resources/list", "resources", params)
    uris = view.scope.uris
    for each in reversed(found):
        uri = str(each.item.get("uri"))
        uris.owners[uri] = SCHEME if is_builtin(uri) else each.upstream.name
    shown = [_shown(uris, each, "uri").item for each in found]
    return listed(caller, "resources", [*entries(RESOURCES), *shown])


@methods.answers("resources/templates/list")
async def list_templates(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Built-in templates, then every server's; one that a server offers under our scheme gets an alias."""
    method, key = "resources/templates/list", "resourceTemplates"
    found = await gather(view, caller, "resources", method, key, params)
    uris = view.scope.uris
    for at, each in enumerate(found):
        template = str(each.item.get("uriTemplate"))
        if is_builtin(template):
            uris.owners[template] = SCHEME
            found[at] = _shown(uris, each, "uriTemplate")
    uris.templates.update({str(each.item.get("uriTemplate")): each.upstream.name for each in reversed(found)})
    return listed(caller, key, [*entries(TEMPLATES), *(each.item for each in found)])


def _shown(uris: public_names.ResourceUris, found: ListedItem, key: str) -> ListedItem:
    """The entry under the URI that clients see."""
    uri = str(found.item.get(key))
    shown = uris.shown(found.upstream.name, uri)
    return found if shown == uri else ListedItem(found.upstream, {**found.item, key: shown})


@methods.answers("resources/read")
async def read(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Read at the owner; if no owner is known, at the first server that has it."""
    uri = _uri(params)
    if is_builtin(uri):
        return await _read_builtin(view, caller, uri)
    faults: list[errors.BackendFault] = []
    for upstream in await owners(view, caller, uri):
        there = uri_there(view.scope.uris, uri)
        try:
            return await pass_through(
                view.gateway.suspended_calls, upstream, caller, "resources/read", passed_on(params, uri=there)
            )
        except errors.BackendFault as fault:
            faults.append(fault)
    if faults:  # a server that answers knows better than one that is down
        raise refusal_of(next((each for each in faults if isinstance(each, ServerError)), faults[0]))
    raise _not_found(caller, uri, f"Resource not found: {uri}")


async def _read_builtin(view: View, caller: Caller, uri: str) -> methods.Result:
    try:
        content = await read_builtin(view, caller.session, uri)
    except errors.WrongArguments as mistake:
        raise _not_found(caller, uri, str(mistake)) from None
    return ToolResult({"contents": [content]}).for_version(caller.modern, cacheable=True)


def _not_found(caller: Caller, uri: str, message: str) -> Refusal:
    return Refusal(INVALID_PARAMS if caller.modern else RESOURCE_NOT_FOUND, message, {"uri": uri})


@methods.answers("resources/subscribe")
async def subscribe(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Watch a resource at its owner."""
    uri = _uri(params)
    await watch_resource(view, caller, uri)
    caller.session.subscribed.add(uri)
    return {}


@methods.answers("resources/unsubscribe")
async def unsubscribe(view: View, caller: Caller, params: methods.Params) -> methods.Result:
    """Stop watching it when nobody does any more."""
    uri = _uri(params)
    caller.session.subscribed.discard(uri)
    own = (each for each in view.gateway.sessions if each.principal == caller.session.principal)
    if not is_builtin(uri) and not any(uri in session.subscribed for session in own):
        for upstream in (await owners(view, caller, uri))[:1]:
            await unwatch(upstream, caller, uri_there(view.scope.uris, uri))
    return {}


async def watch_resource(view: View, caller: Caller, uri: str) -> None:
    """Subscribe to a resource at its owner. Built-in ones change with every call, and nobody could follow."""
    if is_builtin(uri):
        raise Refusal(
            INVALID_PARAMS, f"{safetext.for_terminal(uri)} does not report changes; read it again instead"
        )
    for upstream in (await owners(view, caller, uri))[:1]:
        try:
            await watch(view.gateway, upstream, caller, uri_there(view.scope.uris, uri))
        except errors.BackendFault as fault:
            raise refusal_of(fault) from None


async def owners(view: View, caller: Caller, uri: str) -> list[Upstream]:
    """The owner of a URI, or all servers that may own it."""
    scope = view.scope
    name = _owner(scope.uris, uri)
    if name is None and (scope.single is None or _ALIASED in uri):
        await list_resources(view, caller, {})
        await list_templates(view, caller, {})
        name = _owner(scope.uris, uri)
    if name in scope.upstreams:
        return [scope.upstreams[str(name)]]
    return scope.offering("resources")


def _owner(uris: public_names.ResourceUris, uri: str) -> str | None:
    owner = uris.alias_owner(uri) or uris.owners.get(uri)
    found = (name for template, name in uris.templates.items() if matches(template, uri))
    return owner or next(found, None)


def uri_there(uris: public_names.ResourceUris, uri: str) -> str:
    """The URI as its server knows it, also if it matches a template that is an alias."""
    if uri in uris.aliases or _ALIASED not in uri:
        return uris.there(uri)
    fitting = (pair for pair in uris.aliases.items() if matches(pair[0], uri))
    return next((uri[len(alias) - len(there) :] for alias, (_, there) in fitting), uri)


_ALIASED = f"+{SCHEME}"  # a server that offers resources under our scheme is another gateway


def matches(template: str, uri: str) -> bool:
    """Whether a URI matches a template: good enough to find the owner, which decides for itself.

    Not a regular expression: one made from a server's template can take forever.
    """
    literals = _EXPRESSION.split(template)
    if len(literals) == 1:
        return template == uri
    if not uri.startswith(literals[0]):
        return False
    at = len(literals[0])
    optional = [each[1] in _MAY_BE_EMPTY for each in _EXPRESSION.findall(template)]
    for empty, literal in zip(optional[:-1], literals[1:-1], strict=True):
        found = uri.find(literal, at if empty else at + 1)
        if found < 0:
            return False
        at = found + len(literal)
    return uri.endswith(literals[-1]) and len(uri) - len(literals[-1]) >= (at if optional[-1] else at + 1)


_EXPRESSION = re.compile(r"\{[^{}]+\}")
_MAY_BE_EMPTY = "?&#/;."  # expressions of queries, fragments and paths disappear if they have no value


def _uri(params: Mapping[str, Any]) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise Refusal(INVALID_PARAMS, "uri is missing")
    return uri
