"""The command line's table of contents: a verb → the module that carries it out."""

import sys

from toolbooth import __version__

COMMANDS = {
    "start": {
        "demo": "the whole story in a minute on bundled servers: no keys",
        "doctor": "weigh your MCP servers and tools, and say what to do",
        "wrap": "put the servers of a client's config behind the gateway",
        "unwrap": "put them back as they were",
    },
    "use": {
        "serve": "the gateway: a few tools in front of all your servers",
        "daemon": "see or stop the process that the gateway's clients share",
        "search": "find the right tool among those of all servers",
        "stats": "what went through the gateway, and what it saved",
        "auth": "sign in to a remote server that wants OAuth",
        "scripts": "saved Python that calls tools; agents find it as a tool",
    },
    "hold the line": {
        "lock": "write down what servers offer; notice what changes in CI",
        "diff": "what changed between two versions of servers, worst first",
        "scan": "look for attacks in tool definitions, and for waste",
        "profile": "what answers may cost, did cost, and what bounds them",
    },
    "prove": {
        "bench": "token reduction, retrieval quality, latency, growth",
        "test": "suites of agents with gates: record, replay, compare",
        "score": "score recorded agent runs against classes of tools",
        "report": "render a saved run of a suite again",
        "init": "write a first suite from your servers",
        "validate": "check suites and configs without running anything",
        "schema": "the JSON Schema of toolbooth.yaml and suites, for editors",
    },
}
VERBS = {verb: what for group in COMMANDS.values() for verb, what in group.items()}
# Only the chosen verb's module is imported: `toolbooth --help` must not pay for the protocol SDK. And since a client
# waits for each start of `serve`, this module imports nothing that Python has not loaded for itself.

HELP = """\
usage: toolbooth COMMAND [options]

{verbs}

`toolbooth help COMMAND` explains a command, with examples.

first steps:
  toolbooth demo                              see it on bundled servers
  toolbooth doctor                            weigh the servers of your clients
  toolbooth doctor .mcp.json --budget 8000    fail in CI above 8,000 tokens
  toolbooth doctor -- npx -y some-mcp-server  weigh one command
  toolbooth wrap cursor                       let Cursor use the gateway
  toolbooth stats --since 7d                  what that saved
  toolbooth search open a ticket              find a tool by what it does
  toolbooth lock .mcp.json                    then `lock --check` in CI
  toolbooth test                              do agents find the right tools?

exit codes: 0 well · 1 over budget, or a gate failed · 2 the call is wrong ·
  3 nothing could be reached · 5 refused by a budget or policy ·
  7 nothing was selected to run · 130 interrupted
"""


def entry() -> None:
    """Console script."""
    sys.exit(main())


def main(argv: list[str] | None = None) -> int:
    """Carry out one verb and give back its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    code = _bridge(words[1:]) if words[:1] == ["serve"] else None
    return _guarded(words) if code is None else code


def _bridge(words: list[str]) -> int | None:
    from toolbooth.gateway.bridge import bridge

    return bridge(words)


def _guarded(words: list[str]) -> int:
    from toolbooth.cli.streams import guarded

    return guarded(lambda: _run(words))


def _run(words: list[str]) -> int:
    if words[:1] == ["help"] and len(words) > 1:
        words = [*words[1:], "--help"]
    verb = words[0] if words else "--help"
    if verb in ("-h", "--help", "help"):
        print(HELP.format(verbs=_verb_table()), end="")  # noqa: T201
        return 0
    if verb in ("-V", "--version"):
        print(f"toolbooth {__version__}")  # noqa: T201
        return 0
    if verb not in VERBS:
        from toolbooth.safetext import for_terminal

        return _complain(f"unknown command {for_terminal(verb, 40)!r}; {_nearest(verb)}", 2)
    return _carry_out(verb, words[1:])


def _carry_out(verb: str, words: list[str]) -> int:
    from importlib import import_module

    from toolbooth.cli.where_looked import for_verb, where_looked
    from toolbooth.errors import ToolboothError

    _end_like_ctrl_c()
    try:
        return int(import_module(f"toolbooth.cli.{verb}").run(words))
    except ToolboothError as error:
        places = getattr(error, "places", ())
        return _complain(for_verb(str(error), verb), error.exit_code, where_looked(places, verb))
    except KeyboardInterrupt:
        return _complain("interrupted; every server that was started has been stopped", 130)


def _end_like_ctrl_c() -> None:
    """A polite kill, or a closed terminal, takes the same way out as Ctrl-C: no orphans."""
    import signal

    def interrupt(_number: int, _frame: object) -> None:
        signal.raise_signal(signal.SIGINT)

    # A shell starts background jobs with SIGINT ignored; then neither it nor what we turn into it would be heard.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _complain(message: str, code: int, more: list[str] | None = None) -> int:
    from toolbooth.safetext import for_terminal

    line = f"toolbooth: {for_terminal(message, 2000)}"
    print(_filled(line) if sys.stderr.isatty() else line, *(more or []), sep="\n", file=sys.stderr)  # noqa: T201
    return code


def _filled(line: str) -> str:
    """Wrapped between words; a terminal would break them anywhere."""
    from shutil import get_terminal_size
    from textwrap import fill

    width = get_terminal_size().columns
    return fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _verb_table() -> str:
    groups = []
    for title, verbs in COMMANDS.items():
        groups.append("\n".join([f"{title}:", *(f"  {verb:10}{what}" for verb, what in verbs.items())]))
    return "\n\n".join(groups)


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, (*VERBS, "--version", "--help"), n=1)
    return f"did you mean `toolbooth {near[0]}`?" if near else "`toolbooth help` lists them"
