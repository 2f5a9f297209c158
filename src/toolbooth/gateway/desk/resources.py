"""Resources of all servers: listed together, read and watched at the one that owns them."""

import re
from collections.abc import Mapping
from typing import Any

from toolbooth.catalog.connect import ServerError
from toolbooth.errors import BackendFault
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.lists import Item, gather, listed
from toolbooth.gateway.desk.questions import carry_out, passed_on
from toolbooth.gateway.desk.registry import Params, Result, answers
from toolbooth.gateway.desk.watching import unwatch, watch
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.refusal import INVALID_PARAMS, RESOURCE_NOT_FOUND, Refusal, refusal_of
from toolbooth.gateway.view import View


@answers("resources/list")
async def list_resources(view: View, caller: Caller, params: Params) -> Result:
    """Every server's resources. The first server that lists a URI owns it; another one's goes by an alias."""
    found = await gather(view, caller, "resources", "resources/list", "resources", params)
    gateway = view.gateway
    gateway.owners.update({str(each.item.get("uri")): each.backend.name for each in reversed(found)})
    return listed(caller, "resources", [_own(gateway, each) for each in found])


def _own(gateway: Gateway, found: Item) -> dict[str, Any]:
    uri = str(found.item.get("uri"))
    shown = gateway.shown_uri(found.backend, uri)
    return found.item if shown == uri else {**found.item, "uri": shown}


@answers("resources/templates/list")
async def list_templates(view: View, caller: Caller, params: Params) -> Result:
    """The templates of every server."""
    method, key = "resources/templates/list", "resourceTemplates"
    found = await gather(view, caller, "resources", method, key, params)
    view.gateway.templates.update(
        {str(each.item.get("uriTemplate")): each.backend.name for each in reversed(found)}
    )
    return listed(caller, key, [each.item for each in found])


@answers("resources/read")
async def read(view: View, caller: Caller, params: Params) -> Result:
    """Read at the owner; where nobody is known to own the URI, at the first server that has it."""
    uri = _uri(params)
    faults: list[BackendFault] = []
    there = view.gateway.uri_there(uri)
    for backend in await owners(view, caller, uri):
        try:
            return await carry_out(
                view.gateway.parking, backend, caller, "resources/read", passed_on(params, uri=there)
            )
        except BackendFault as fault:
            faults.append(fault)
    if faults:  # a server that answers knows better than one that is down
        raise refusal_of(next((each for each in faults if isinstance(each, ServerError)), faults[0]))
    code = INVALID_PARAMS if caller.modern else RESOURCE_NOT_FOUND
    raise Refusal(code, f"Resource not found: {uri}", {"uri": uri})


@answers("resources/subscribe")
async def subscribe(view: View, caller: Caller, params: Params) -> Result:
    """Watch a resource at its owner."""
    uri = _uri(params)
    await watch_resource(view, caller, uri)
    caller.session.subscribed.add(uri)
    return {}


@answers("resources/unsubscribe")
async def unsubscribe(view: View, caller: Caller, params: Params) -> Result:
    """Watch it no more, once nobody does."""
    uri = _uri(params)
    caller.session.subscribed.discard(uri)
    if not any(uri in session.subscribed for session in view.gateway.sessions):
        for backend in (await owners(view, caller, uri))[:1]:
            await unwatch(backend, caller, view.gateway.uri_there(uri))
    return {}


async def watch_resource(view: View, caller: Caller, uri: str) -> None:
    """Have the owner of a resource tell us of its updates."""
    for backend in (await owners(view, caller, uri))[:1]:
        try:
            await watch(view.gateway, backend, caller, view.gateway.uri_there(uri))
        except BackendFault as fault:
            raise refusal_of(fault) from None


async def owners(view: View, caller: Caller, uri: str) -> list[Backend]:
    """The owner of a URI, or all that may be."""
    gateway = view.gateway
    name = gateway.alias_owner(uri) or gateway.owners.get(uri) or _by_template(gateway, uri)
    if name is None and gateway.single is None:
        await list_resources(view, caller, {})
        await list_templates(view, caller, {})
        name = gateway.owners.get(uri) or _by_template(gateway, uri)
    if name in gateway.backends:
        return [gateway.backends[str(name)]]
    return gateway.offering("resources")


def _by_template(gateway: Gateway, uri: str) -> str | None:
    return next((name for template, name in gateway.templates.items() if matches(template, uri)), None)


def matches(template: str, uri: str) -> bool:
    """Whether a URI is one of a template's; good enough to find the owner, which judges for itself.

    No pattern: one made of a server's template can take forever.
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
_MAY_BE_EMPTY = "?&#/;."  # expressions of queries, fragments and paths vanish where no value is given


def _uri(params: Mapping[str, Any]) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise Refusal(INVALID_PARAMS, "uri is missing")
    return uri
