"""A view × a call of its menu → the real tools that the call is for, without making it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.jobs import CALL_TOOL, CALL_TOOL_CHAIN, read_call, read_chain
from toolbooth.gateway.view import View
from toolbooth.sandbox import simple_call

__all__ = ["View", "Wanted", "unwrapped"]


class Wanted(NamedTuple):
    """A tool by its own name and server; the name as it was written, and no server, where there is no such tool."""

    name: str
    server: str
    arguments: Mapping[str, Any]


def unwrapped(view: View, name: str, arguments: Mapping[str, Any]) -> tuple[Wanted, ...]:
    """Nothing for a search or a look; of code only what is one plain call can be told before it runs."""
    tool = view.pinned(name)
    if tool is not None:
        return (Wanted(tool.name, tool.server, arguments),)
    if name not in view.surface.jobs:
        return (Wanted(name, "", arguments),)
    unwrap = _UNWRAP.get(name)
    return unwrap(view, arguments) if unwrap is not None else ()


def _of_call(view: View, given: Mapping[str, Any]) -> tuple[Wanted, ...]:
    """A call that is written wrongly is made nowhere, yet its tool was chosen."""
    try:
        call = read_call(given)
    except WrongArguments:
        name = given.get("name")
        return (_wanted(view, name, {}),) if isinstance(name, str) and name else ()
    return (_wanted(view, call.name, call.arguments),)


def _of_code(view: View, given: Mapping[str, Any]) -> tuple[Wanted, ...]:
    try:
        plain = simple_call(read_chain(given).code)
    except WrongArguments:
        return ()
    if plain is None:
        return ()
    tool = view.gateway.names_in_code().by_id(plain.name)
    if tool is not None:
        return (Wanted(tool.name, tool.server, plain.arguments),)
    return (_wanted(view, plain.name, plain.arguments),)


def _wanted(view: View, name: str, arguments: Mapping[str, Any]) -> Wanted:
    found = view.gateway.book.look_up(name)
    if isinstance(found, Tool):
        return Wanted(found.name, found.server, arguments)
    return Wanted(name, "", arguments)


_UNWRAP: Final[Mapping[str, Callable[[View, Mapping[str, Any]], tuple[Wanted, ...]]]] = {
    CALL_TOOL.name: _of_call,
    CALL_TOOL_CHAIN.name: _of_code,
}
