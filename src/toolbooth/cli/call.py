"""`toolbooth call`: one tool of a server, called as an agent would call it: checked before, and cut after."""

import logging
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth import __version__, catalog, errors, gateway, limits, safetext, suggest
from toolbooth.cli import arguments, sources, terminal

EXAMPLES = """\
  toolbooth call tickets.list_tickets                         a tool without arguments
  toolbooth call tickets.get_ticket '{"key": "WEB-7"}'
  toolbooth call tickets.list_tickets --fields tickets[].key  only this of the answer
  toolbooth call files.read_file - --whole < arguments.json   arguments from stdin; nothing is cut
  toolbooth call tickets.get_ticket '{"key": "WEB-7"}' --json
  toolbooth call get_current_time '{"timezone": "UTC"}' -- uvx mcp-server-time

arguments are checked against the tool's schema before the server is asked. The answer is cut as for an agent.
`toolbooth search` finds a tool; `toolbooth search NAME` shows what it takes.
"""
EXITS: Final = {1: "the tool answered with an error", 3: "the server could not be reached, or failed"}
STDIN: Final = "-"
_EXAMPLE: Final = """try `toolbooth call tickets.get_ticket '{"key": "WEB-7"}'`"""
_SHOWN: Final = 6


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("call", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("name", metavar="SERVER.TOOL", help="the tool, as `toolbooth search` shows it")
    add(
        "arguments", nargs="?", metavar="JSON", help="its arguments as a JSON object; - reads them from stdin"
    )
    add("--fields", metavar="PATHS", help="the parts of the answer to show, such as items[].id,items[].name")
    add("--intent", metavar="WORDS", help="words to look for in a long answer")
    add("--whole", action="store_true", help="the whole answer, uncut")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="a client's config (default: known places)",
    )
    arguments.add_project(add)
    add(
        "--timeout",
        type=arguments.seconds,
        metavar="S",
        help="seconds to start the server, and again for the call (default 60)",
    )
    add("--json", action="store_true", help="the result as MCP has it, and whether it is cut, as JSON")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Call and print; the exit code says whose mistake an error was."""
    typed = arguments.split_command_line(words)
    options = parser().parse_intermixed_args(typed.options)
    given = _arguments(options.arguments)
    found = _sources(options, typed.command)
    options.name = _whole_name(options.name, found)
    found = _server_of(options.name, found, options.timeout)
    logging.getLogger("toolbooth").addHandler(
        logging.NullHandler()
    )  # a server that fails is one line of ours
    request = gateway.GatewayRequest((), "search", Path.cwd(), dict(os.environ), found)
    answer = gateway.run(_answer, request, _asked(options, given))
    if options.json:
        terminal.print_json(
            {"toolbooth": __version__, "tool": options.name, "cut": answer.cut, "result": answer.result}
        )
    else:
        _print(answer)
    return answer.exit_code


def _arguments(written: str | None) -> dict[str, Any]:
    """A JSON object, from the command line or stdin."""
    data = _stdin() if written == STDIN else (written or "{}").encode("utf-8", "surrogateescape")
    try:
        value = catalog.decode(data)
    except catalog.NotJson as error:
        raise errors.UserMistake(f"the arguments are not JSON ({error}); {_EXAMPLE}") from None
    if not isinstance(value, dict):
        raise errors.UserMistake(f"the arguments must be a JSON object; {_EXAMPLE}")
    return value


def _stdin() -> bytes:
    if sys.stdin is None:
        raise errors.UserMistake("stdin is closed; write the arguments after the tool's name")
    if sys.stdin.isatty():
        print("type the arguments as JSON, then Ctrl-D:", file=sys.stderr, flush=True)  # noqa: T201
    data = sys.stdin.buffer.read(limits.MAX_FRAME + 1)
    if len(data) > limits.MAX_FRAME:
        raise errors.UserMistake(
            f"stdin is longer than {limits.MAX_FRAME >> 20} MiB; no server takes that much"
        )
    return data.strip() or b"{}"


def _sources(options: Namespace, command: Sequence[str]) -> catalog.Sources:
    """Everything that is configured; files that cannot be used are reported."""
    found = sources.named_sources(
        options.config,
        command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
    )
    for wrong in found.source_errors:
        terminal.complain(wrong.where, wrong.reason)
    if not found.servers and found.wrong_files:
        raise errors.UserMistake(sources.correct_files(found.wrong_files, "called"))
    if not found.servers:
        saved = f"{found.recorded[0].server} is a saved catalog, in which " if found.recorded else ""
        raise errors.NothingToWeigh(f"{saved}nothing can be called; name a config with a server")
    return found


def _whole_name(name: str, found: catalog.Sources) -> str:
    """SERVER.TOOL; the name of the tool is enough where there is one server."""
    servers = [spec.name for spec in found.servers]
    server, dot, tool = name.partition(".")
    if len(servers) == 1 and server not in {*servers, *(each.server for each in found.absent)}:
        return f"{servers[0]}.{name}"
    if dot and tool:
        return name
    example = f"{safetext.for_terminal(servers[0], 60)}.{safetext.for_terminal(tool or name, 60)}"
    shown = safetext.for_terminal(name, 60)
    raise errors.UserMistake(f"{shown} is not the name of a tool; write SERVER.TOOL, such as {example}")


def _server_of(name: str, found: catalog.Sources, timeout: float | None) -> catalog.Sources:
    """The sources with the tool's server alone: no other is started for this call."""
    server = name.partition(".")[0]
    wanted = tuple(spec for spec in found.servers if spec.name == server)
    if not wanted:
        raise errors.UserMistake(_no_server(server, found))
    if timeout is not None:
        wanted = tuple(replace(spec, call_timeout=timeout) for spec in wanted)
    return replace(found, servers=wanted)


def _no_server(server: str, found: catalog.Sources) -> str:
    why = next((each.why for each in found.absent if each.server == server), "")
    shown = safetext.for_terminal(server, 60)
    if why:
        return f"{shown} cannot be called: {safetext.for_terminal(why, 300)}"
    names = [spec.name for spec in found.servers]
    known = ", ".join(safetext.for_terminal(name, 60) for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    meant = suggest.did_you_mean(server, names)
    return f"no server {shown} is configured; {meant or f'the servers are {known}{more}'}"


def _asked(options: Namespace, given: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {"name": options.name, "arguments": given}
    if options.whole and (options.fields or options.intent):
        raise errors.UserMistake("choose one of --whole and --fields or --intent")
    if options.whole:
        asked["reduce"] = False
    return asked | {key: value for key in ("fields", "intent") if (value := getattr(options, key))}


class _Answer(NamedTuple):
    result: Mapping[str, Any]
    wrong_arguments: bool
    cut: bool

    @property
    def exit_code(self) -> int:
        """Wrong arguments are the caller's mistake; any other error is the tool's answer."""
        return errors.UserMistake.exit_code if self.wrong_arguments else int(self.is_error)

    @property
    def is_error(self) -> bool:
        return bool(self.result.get("isError"))


async def _answer(request: gateway.GatewayRequest, asked: Mapping[str, Any]) -> _Answer:
    """The server's result without what our gateway noted in it; raises BackendFault if the server failed."""
    async with (
        gateway.open_runtime(request.environ, ledger=False) as runtime,
        gateway.in_process_client(runtime, request) as client,
    ):
        result, reported = await client.call_reported(client.calls_through, asked)
        if reported.fault is not None:
            raise reported.fault
        if reported.outcome == "unknown_tool":
            (spec,) = request.sources().servers
            raise errors.UserMistake(_no_tool(asked["name"], client.view.registry.catalog.tools, spec.tools))
    meta = {key: value for key, value in result.pop("_meta", {}).items() if not key.startswith("toolbooth/")}
    shown = {**result, "_meta": meta} if meta else result
    return _Answer(shown, reported.outcome == "bad_arguments", bool(reported.steps))


def _no_tool(name: str, tools: Sequence[catalog.Tool], lets: catalog.ToolFilter) -> str:
    server, _, tool = name.partition(".")
    meant = suggest.did_you_mean(name, [each.id for each in tools])
    shown = safetext.for_terminal(tool, 60)
    if not lets.lets(tool):
        keys = ", ".join(lets.keys)
        return f"{server}.{shown}, if there is such a tool, is hidden by {keys} of a client; choose another --config"
    return (
        f"{server} has no tool {shown}; {meant or f'`toolbooth search --server {server} WORDS` finds tools'}"
    )


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    """The texts, a line for each other block, and the structure where there is no block at all."""
    blocks = [catalog.block_line(block) for block in catalog.blocks_in(result)]
    yield from blocks
    if not blocks and result.get("structuredContent") is not None:
        yield catalog.encode_line(result["structuredContent"]).decode()


def _print(answer: _Answer) -> None:
    """The texts of the answer, cleaned: to stderr where it is an error."""
    stream = sys.stderr if answer.is_error else sys.stdout
    for text in _lines(answer.result):
        print(safetext.code_for_terminal(text).rstrip("\n"), file=stream)
    if answer.cut:
        print("toolbooth: the answer was cut as for an agent; --whole prints all of it", file=sys.stderr)  # noqa: T201
