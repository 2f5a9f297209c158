"""The scope of a run: the modules and names that the code can use, and the lines that import them."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic_monty import ExternalModule

from toolbooth import catalog
from toolbooth.sandbox import names, stubs, workers

CallTool = Callable[[catalog.Tool, dict[str, Any]], Awaitable[Any]]
HostFunction = Callable[..., Awaitable[Any]]
_HOST_MODULE = "toolbooth_own"
_TAKEN = frozenset({_HOST_MODULE, workers.WARM_UP})


class HostFunctionStub(NamedTuple):
    """A host function beside the tools: its stub for the type checker, and what it does."""

    stub: str
    call: HostFunction


@dataclass(frozen=True)
class CodeScope:
    """The tools and functions that code may reach.

    `call` makes one call of a tool and returns its answer as data; it raises the exceptions that the code is to see.
    """

    names: names.Namespace
    call: CallTool
    functions: Mapping[str, HostFunctionStub] = field(default_factory=dict)


class BoundScope(NamedTuple):
    """`modules` are keyed by the name under which `imports` imports them; `lookup` holds the functions that values
    refer to.
    """

    modules: dict[str, ExternalModule]
    imports: str
    lookup: dict[str, HostFunction]
    callable: frozenset[str]


def bind_scope(scope: CodeScope, mentioned: names.Mentions) -> BoundScope:
    """Bind only what the code mentions: a stub for each of 5,000 tools would take longer than the run."""
    modules: dict[str, ExternalModule] = {}
    lines = [f"import {name}" for name in mentioned.modules]
    for server, tools in mentioned.tools.items():
        importable = _importable(server, scope.names)
        functions = {name: _function(scope.call, tool, name) for name, tool in tools.items()}
        modules[importable] = ExternalModule(functions, stubs=stubs.module_stub(tools))
        lines.append(f"import {importable} as {server}")
    own, lookup = _host_module(scope, mentioned)
    if own is not None:
        modules[_HOST_MODULE] = own
        lines.append(f"from {_HOST_MODULE} import {', '.join(own.attrs)}")
    names = {name for tools in mentioned.tools.values() for name in tools}
    return BoundScope(modules, "\n".join(lines), lookup, frozenset({*names, *mentioned.functions}))


def _importable(server: str, names: names.Namespace) -> str:
    """The server's own name unless a Python module has it; then one that no other server has."""
    name = server
    while name in sys.stdlib_module_names or name in _TAKEN or (name != server and name in names.servers):
        name = f"{name}_server"
    return name


def _host_module(
    scope: CodeScope, mentioned: names.Mentions
) -> tuple[ExternalModule | None, dict[str, HostFunction]]:
    functions = {name: each for name, each in scope.functions.items() if name in mentioned.functions}
    attributes: dict[str, Any] = {name: each.call for name, each in functions.items()}
    stub = stubs.HEAD + "".join(f"{each.stub}\n" for each in functions.values())
    lookup: dict[str, HostFunction] = {}
    if mentioned.chooses:
        everyone = (
            {**scope.names.every_tool(), **mentioned.chosen} if mentioned.any_tool else mentioned.chosen
        )
        attributes[names.TOOLS] = {
            name: _function(scope.call, tool, f"tool_{at}")
            for at, (name, tool) in enumerate(everyone.items())
        }
        lookup = {function.__name__: function for function in attributes[names.TOOLS].values()}
        stub += stubs.chooser_stub(mentioned.chosen, mentioned.any_tool)
    return (ExternalModule(attributes, stubs=stub) if attributes else None), lookup


def _function(call: CallTool, tool: catalog.Tool, name: str) -> HostFunction:
    """A function for one tool; the sandbox identifies functions in values by `__name__` alone, so it must be unique."""

    async def function(*positional: Any, **arguments: Any) -> Any:
        if positional:
            raise TypeError(f"{tool.id} takes its arguments by name")
        return await call(tool, arguments)

    function.__name__ = name
    return function
