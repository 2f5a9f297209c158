"""Tools by name, as far as the principal of a call may use them: for it, no other tool exists."""

from collections.abc import Iterable

from toolbooth import access, catalog, sandbox
from toolbooth.gateway import public_names
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.gateway import Gateway

Found = catalog.Tool | public_names.AmbiguousName | public_names.UnknownName


def authorized(call: CallContext, tool: catalog.Tool) -> bool:
    """The authorize step: whether the tool exists for whoever calls."""
    return call.view.gateway.authorizer.may(call.caller.session.principal, tool)


def pinned(call: CallContext, name: str) -> catalog.Tool | None:
    """A server's tool that is itself in the menu."""
    tool = call.view.pinned(name)
    return tool if tool is not None and authorized(call, tool) else None


def find(call: CallContext, name: str) -> Found:
    """The tool of this name, or what it may have meant, or why it is held back."""
    registry = call.gateway.registry
    found = registry.find(name)
    if call.gateway.authorizer is access.OPEN or (
        isinstance(found, catalog.Tool) and authorized(call, found)
    ):
        return found
    if isinstance(found, public_names.AmbiguousName):
        certain = _authorized_names(call, found.candidates)
        if len(certain) > 1:
            return public_names.AmbiguousName(name, certain)
        only = registry.look_up(certain[0]) if certain else None
        if isinstance(only, catalog.Tool):
            return only
    if isinstance(found, public_names.UnknownName):
        held = found.held if found.held is not None and authorized(call, found.held.tool) else None
        if held is not None or found.absent:
            return public_names.UnknownName(name, (), held, found.absent)
    return public_names.UnknownName(name, _authorized_names(call, registry.nearest(name)))


def _authorized_names(call: CallContext, names: Iterable[str]) -> tuple[str, ...]:
    look_up = call.gateway.registry.look_up
    return tuple(
        name for name in names if isinstance(tool := look_up(name), catalog.Tool) and authorized(call, tool)
    )


def held_back(call: CallContext, name: str) -> public_names.HeldTool | None:
    """The tool of this name that the contract gate holds back, and why."""
    held = call.gateway.registry.held_back(name)
    return held if held is not None and authorized(call, held.tool) else None


def names_in_code(call: CallContext) -> sandbox.Namespace:
    """How code calls the tools."""
    gateway = call.gateway
    if gateway.authorizer is access.OPEN:
        return gateway.names_in_code()
    return sandbox.Namespace(_visible(gateway, call.principal))


def _visible(gateway: Gateway, principal: access.Principal) -> catalog.Catalog:
    may = gateway.authorizer.may
    return catalog.Catalog(
        tuple(
            catalog.ServerTools(each.server, tuple(tool for tool in each.tools if may(principal, tool)))
            for each in gateway.registry.catalog.servers
        )
    )
