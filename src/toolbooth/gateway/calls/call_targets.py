"""The tools that a call of a menu is meant for, found without making the call."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, errors, sandbox
from toolbooth.gateway.builtin_tools import CALL_TOOL_CHAIN, read_call, read_code
from toolbooth.gateway.public_names import CALL_NAMES
from toolbooth.gateway.surfaces.view import View

__all__ = ["CallTarget", "call_targets"]


class CallTarget(NamedTuple):
    """A tool by its own name and server; if it does not exist, the name as written, and no server."""

    name: str
    server: str
    arguments: Mapping[str, Any]


def call_targets(view: View, name: str, arguments: Mapping[str, Any]) -> tuple[CallTarget, ...]:
    """Empty for a search or a lookup; of code, only a single plain call is known before it runs."""
    tool = view.pinned(name)
    if tool is not None:
        return (CallTarget(tool.name, tool.server, arguments),)
    if name not in view.surface.builtin_tools:
        return (CallTarget(name, "", arguments),)
    unwrap = _READERS.get(name)
    return unwrap(view, arguments) if unwrap is not None else ()


def _of_call(view: View, given: Mapping[str, Any]) -> tuple[CallTarget, ...]:
    """A malformed call reaches no tool, but it still shows which tool was chosen."""
    try:
        call = read_call(given)
    except errors.WrongArguments:
        name = given.get("name")
        return (_target(view, name, {}),) if isinstance(name, str) and name else ()
    return (_target(view, call.name, call.arguments),)


def _of_code(view: View, given: Mapping[str, Any]) -> tuple[CallTarget, ...]:
    try:
        plain = sandbox.simple_call(read_code(given).code)
    except errors.WrongArguments:
        return ()
    if plain is None:
        return ()
    tool = view.scope.names_in_code().by_id(plain.name)
    if tool is not None:
        return (CallTarget(tool.name, tool.server, plain.arguments),)
    return (_target(view, plain.name, plain.arguments),)


def _target(view: View, name: str, arguments: Mapping[str, Any]) -> CallTarget:
    found = view.registry.look_up(name)
    if isinstance(found, catalog.Tool):
        return CallTarget(found.name, found.server, arguments)
    return CallTarget(name, "", arguments)


_READERS: Final[Mapping[str, Callable[[View, Mapping[str, Any]], tuple[CallTarget, ...]]]] = {
    **dict.fromkeys(CALL_NAMES, _of_call),
    CALL_TOOL_CHAIN.name: _of_code,
}
