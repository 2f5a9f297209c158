"""The tools that a script calls: checked before it is saved, and called when it runs."""

import ast
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from toolbooth import catalog, errors, gateway, safetext, sandbox, suggest
from toolbooth.catalog.config import HostContext

_ANYWAY = "; --allow-unknown saves it anyway"
_FEW = 6
_SCRIPTS = "scripts"  # one script may call another


def check_tools(code: str, place: str, configs: Sequence[str]) -> str:
    """Raises UserMistake for a server that no config names, or a tool that its server did not have when last seen.

    Returns a line on the servers whose tools could not be checked because no gateway has connected to them yet.
    """

    host = HostContext.here()
    sources = catalog.gateway_sources(configs, host.environ, host.cwd)
    servers = [*(spec.name for spec in (*sources.servers, *sources.not_started)), *sources.disabled]
    servers += sorted(sources.unusable.difference(servers))
    if not servers:
        return ""  # without any config there is nothing to compare with
    written = [name for server in (*servers, _SCRIPTS) if (name := sandbox.identifier(server))]
    # The name of an unreadable entry may be lost
    for server in () if sources.source_errors else _awaited(code):
        if server not in written:
            shown = safetext.for_terminal(server, 60)
            raise errors.UserMistake(
                f"{place}: no server {shown} is configured{_near(server, written)}{_ANYWAY}"
            )
    known = sandbox.Namespace(
        catalog.Catalog(gateway.remembered(sources.servers, host.environ, host.home, host.cwd))
    )
    for missing in sandbox.mentions(code, known).missing:
        tools = [f"{server}.{tool}" for server in known.servers for tool in known.tools_of(server)]
        raise errors.UserMistake(
            f"{place}: unknown tool {safetext.for_terminal(missing, 100)}{_near(missing, tools)}{_ANYWAY}"
        )
    named = {server for server in _awaited(code) if server not in known.servers}
    return unchecked([server for server in servers if sandbox.identifier(server) in named])


def unchecked(servers: Sequence[str]) -> str:
    """A line on servers of which no tool is known; empty where there are none."""
    if not servers:
        return ""
    shown = ", ".join(safetext.for_terminal(server, 60) for server in servers[:_FEW])
    more = f" and {len(servers) - _FEW} more" if len(servers) > _FEW else ""
    return (
        f"the tools of {shown}{more} could not be checked, because no gateway has connected to them yet; "
        "`toolbooth scripts run` or a client's first call does"
    )


def _near(name: str, known: Sequence[str]) -> str:
    meant = suggest.did_you_mean(name, known)
    return f"; {meant}" if meant else ""


def _awaited(code: str) -> Iterator[str]:
    """`x` of each `await x.y(…)`, where the script itself makes no `x`."""
    tree = sandbox.parse_module(code)
    own = {name for node in ast.walk(tree) for name in _bound(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Await(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name not in own:
                yield name


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]


_LINE = 10_000  # characters of one line of an answer
_EXAMPLE = """try `toolbooth scripts run open_issues '{"label": "bug"}'`"""


def run_script(script: sandbox.Script, given: str | None, configs: Sequence[str], *, as_json: bool) -> int:
    """Run it as an agent would, in a gateway of this process, and print all of its answer."""
    arguments = _arguments(given)
    _check(script, arguments)
    gateway.log_to_stderr()
    answer = gateway.run(_answer, script.source(arguments), tuple(configs))
    if answer.is_error:
        raise errors.CodeFailed(_clean(answer.text))
    print(json.dumps(_as_json(script, answer)) if as_json else _clean(answer.text))  # noqa: T201
    return 0


def _arguments(given: str | None) -> dict[str, Any]:
    try:
        value = catalog.decode((given or "{}").encode())
    except (catalog.NotJson, UnicodeEncodeError) as error:
        raise errors.UserMistake(f"the arguments are not JSON ({error}); {_EXAMPLE}") from None
    if not isinstance(value, dict):
        raise errors.UserMistake(f"the arguments must be a JSON object; {_EXAMPLE}")
    return value


def _check(script: sandbox.Script, arguments: dict[str, Any]) -> None:
    """As the gateway does before it calls a tool."""
    import jsonschema_rs

    wrong = next(iter(jsonschema_rs.validator_for(script.input_schema).iter_errors(arguments)), None)
    if wrong is not None:
        place = ".".join(map(str, wrong.instance_path))
        said = safetext.for_terminal(f"{place}: {wrong.message}" if place else wrong.message)
        names = ", ".join(safetext.for_terminal(name, 40) for name in script.input_schema["properties"])
        raise errors.UserMistake(
            f"wrong arguments for {script.name}: {said}; its arguments are: {names or 'none'}"
        )


async def _answer(code: str, configs: tuple[str, ...]) -> gateway.ToolAnswer:
    environ = dict(os.environ)
    async with gateway.open_runtime(environ) as runtime:
        request = gateway.GatewayRequest(configs, "code", Path.cwd(), environ)
        async with gateway.in_process_client(runtime, request) as client:
            return await client.call("call_tool_chain", {"code": code, "reduce": False})


def _as_json(script: sandbox.Script, answer: gateway.ToolAnswer) -> dict[str, Any]:
    """`printed` are all texts but the last, which is the value."""
    *printed, last = answer.texts
    try:
        value = catalog.decode(last.encode())
    except (catalog.NotJson, UnicodeEncodeError):
        value = last
    return {"script": script.name, "value": value, "printed": "\n".join(printed)}


def _clean(text: str) -> str:
    """Make text safe to print: servers contribute to it."""
    return "\n".join(safetext.for_terminal(line, _LINE) for line in text.splitlines())
