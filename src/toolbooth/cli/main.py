"""The command line: the table of commands, and the dispatch to their modules.

Each command is a module or package `toolbooth.cli.COMMAND` with `parser()` and `run(words)`, which returns the exit
code. Only the module of the chosen command is imported.
"""

import sys

from toolbooth import __version__, gateway

COMMAND_GROUPS = {
    "start here": {
        "demo": "a one-minute tour on bundled servers; needs no keys",
        "doctor": "weigh your MCP servers and tools, and suggest savings",
        "wrap": "move the servers of a client's config behind the gateway",
        "unwrap": "move them back",
    },
    "use the gateway": {
        "serve": "the gateway: a few tools in front of all your servers",
        "daemon": "show or stop the process that the gateway's clients share",
        "search": "find the right tool among those of all servers",
        "call": "call one tool of a server, as an agent would",
        "stats": "what went through the gateway, and what it saved",
        "auth": "sign in to a remote server that requires OAuth",
        "scripts": "saved Python scripts that agents can call as tools",
    },
    "detect changes": {
        "lock": "record what servers offer, and detect changes in CI",
        "diff": "what changed between two versions of servers, worst first",
        "scan": "look for attacks and waste in tool definitions",
        "profile": "what tool answers cost, and what limits them",
    },
    "measure and test": {
        "bench": "token reduction, retrieval quality, latency, growth",
        "test": "suites of agents with gates: record, replay, compare",
        "score": "score recorded agent runs against classes of tools",
        "report": "render a saved run of a suite again",
        "init": "write a first suite from your servers",
        "validate": "check suites and configs without running anything",
        "schema": "the JSON Schema of toolbooth.yaml and suites, for editors",
    },
}
COMMANDS = {command: what for group in COMMAND_GROUPS.values() for command, what in group.items()}
# Only the chosen command's module is imported: `toolbooth --help` must not pay for the protocol SDK. And since a client
# waits for each start of `serve`, this module imports nothing that Python has not loaded for itself.

HELP = """\
usage: toolbooth COMMAND [options]

{commands}

`toolbooth help COMMAND` explains a command, with examples.

first steps:
  toolbooth demo                              see it on bundled servers
  toolbooth doctor                            weigh the servers of your clients
  toolbooth doctor .mcp.json --budget 8000    fail in CI above 8,000 tokens
  toolbooth doctor -- npx -y some-mcp-server  weigh one command
  toolbooth wrap cursor                       move the servers of Cursor behind the gateway
  toolbooth stats --since 7d                  what that saved
  toolbooth search open a ticket              find a tool by what it does
  toolbooth lock .mcp.json                    then `lock --check` in CI
  toolbooth test                              do agents find the right tools?

{exit_codes}
"""


def entry() -> None:
    """Console script."""
    sys.exit(main())


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["serve"]:
        code = gateway.bridge(words[1:])  # None: this `serve` needs no daemon and runs in this process
        if code is not None:
            return code
    from toolbooth.cli import streams

    return streams.guarded(lambda: _run(words))


def _run(words: list[str]) -> int:
    if words[:1] == ["help"] and len(words) > 1:
        words = [*words[1:], "--help"]
    command = words[0] if words else "--help"
    if command in ("-h", "--help", "help"):
        print(HELP.format(commands=_command_table(), exit_codes=_exit_code_list()), end="")  # noqa: T201
        return 0
    if command in ("-V", "--version"):
        print(f"toolbooth {__version__}")  # noqa: T201
        return 0
    if command not in COMMANDS:
        from toolbooth import safetext

        return _complain(f"unknown command {safetext.for_terminal(command, 40)!r}; {_nearest(command)}", 2)
    return _run_command(command, words[1:])


def _run_command(command: str, words: list[str]) -> int:
    from importlib import import_module

    from toolbooth import errors
    from toolbooth.cli import no_config

    _end_like_ctrl_c()
    try:
        return int(import_module(f"toolbooth.cli.{command}").run(words))
    except errors.ToolboothError as error:
        places = getattr(error, "places", ())
        return _complain(
            no_config.for_command(str(error), command),
            error.exit_code,
            no_config.searched_places(places, command),
        )
    except KeyboardInterrupt:
        return _complain("interrupted; every server that was started has been stopped", 130)


def _end_like_ctrl_c() -> None:
    """SIGTERM and SIGHUP end the process like Ctrl-C, so that no server is orphaned."""
    import signal

    def interrupt(_number: int, _frame: object) -> None:
        signal.raise_signal(signal.SIGINT)

    # A shell starts background jobs with SIGINT ignored; the signals mapped to it would then have no effect.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _complain(message: str, code: int, more: list[str] | None = None) -> int:
    from toolbooth import safetext

    line = f"toolbooth: {safetext.for_terminal(message, 2000)}"
    print(_filled(line) if sys.stderr.isatty() else line, *(more or []), sep="\n", file=sys.stderr)  # noqa: T201
    return code


def _filled(line: str) -> str:
    """Wrapped between words, which a terminal would not do."""
    from shutil import get_terminal_size
    from textwrap import fill

    width = get_terminal_size().columns
    return fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _command_table() -> str:
    groups = []
    for title, commands in COMMAND_GROUPS.items():
        groups.append(
            "\n".join([f"{title}:", *(f"  {command:10}{what}" for command, what in commands.items())])
        )
    return "\n\n".join(groups)


def _exit_code_list() -> str:
    from toolbooth import errors

    return "\n".join(
        ["exit codes:", *(f"  {code:<5}{meaning}" for code, meaning in errors.EXIT_CODES.items())]
    )


def _nearest(word: str) -> str:
    from toolbooth import suggest

    known = (*COMMANDS, "--version", "--help")
    return suggest.did_you_mean(word, known, "`toolbooth help` lists all commands", form="`toolbooth {}`")
