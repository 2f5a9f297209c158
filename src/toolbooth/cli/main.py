"""The command line's table of contents: a verb → the module that carries it out."""

import sys

from toolbooth import __version__

VERBS = {
    "demo": "the whole story in a minute on bundled servers: no keys, no network",
    "doctor": "weigh your MCP servers and tools in tokens and dollars, and say what to do",
    "serve": "the gateway: one small set of tools in front of all your servers",
    "daemon": "see or stop the process that the gateway's clients share",
    "stats": "what went through the gateway: calls, tokens and dollars saved, times, tools that flood",
    "search": "find the right tool among those of all servers, and see why it was found",
    "auth": "sign in to a remote server that wants OAuth, and see or forget what is kept",
    "wrap": "put the servers of a client's config behind the gateway, with a backup",
    "unwrap": "put them back as they were",
    "profile": "what each tool's answers may cost and did cost, what bounds them, and the lines of config that help",
    "lock": "write down what your servers offer, and notice in CI what changes: toolbooth.lock",
    "diff": "what changed between two versions of servers: inputs, outputs, descriptions, risk; worst first",
    "scan": "look through tool definitions for what attacks models, and with --lint for what wastes tokens",
    "bench": "token reduction, retrieval quality and latency: your catalog, ours, any gateway; tables, page, gate",
    "test": "suites of agents with gates on tool selection, tokens and dollars: record, replay, compare",
    "score": "score recorded agent runs (ours, OpenAI, Anthropic, OpenTelemetry) against classes of tools",
    "report": "render a saved run of a suite again: terminal, JUnit, Markdown, HTML, TAP, GitHub, for agents",
    "init": "write a first suite from your servers",
    "validate": "check suites and configs without running anything",
    "scripts": "saved Python that calls tools: list, show, save and remove it; agents find each as a tool",
    "schema": "print the JSON Schema of toolbooth.yaml and of suites for your editor",
}
# Only the chosen verb's module is imported: `toolbooth --help` must not pay for the protocol SDK. And since a client
# waits for each start of `serve`, this module imports nothing that Python has not loaded for itself.

HELP = """\
usage: toolbooth VERB [options]      toolbooth VERB --help explains a verb

{verbs}

first steps:
  toolbooth demo                                see it on bundled servers
  toolbooth doctor                              weigh the servers of the clients on this machine
  toolbooth doctor .mcp.json --budget 8000      fail in CI above 8,000 tokens
  toolbooth doctor -- npx -y some-mcp-server    weigh one command
  toolbooth serve                               what a client starts instead of all its servers
  toolbooth daemon status                       which servers run for your clients
  toolbooth stats --since 7d                    what the gateway saved, and which tools flood
  toolbooth search "open a ticket"              find a tool by what it does
  toolbooth auth linear                         sign in to a remote server of your configs
  toolbooth wrap cursor                         let Cursor reach all its servers through the gateway
  toolbooth unwrap cursor                       and back, byte for byte
  toolbooth scripts save digest digest.py       keep Python that calls tools as a tool of its own
  toolbooth profile .mcp.json --fail-on high    fail in CI on a tool whose answers may flood
  toolbooth lock .mcp.json                      write toolbooth.lock; `--check` fails on what changed for the worse
  toolbooth diff old.lock new.lock              what changed, and whether it breaks callers
  toolbooth scan .mcp.json --lint               hidden text, orders to the model, look-alikes, wasted tokens
  toolbooth bench --out report                  tokens, retrieval and latency as tables and one page
  toolbooth init -- npx -y some-mcp-server      write a first suite for it
  toolbooth test                                do agents still find the right tools? replays in CI, no key needed
  toolbooth validate                            check suites before anything runs
  toolbooth report run.json --format html       render a saved run again
  toolbooth score trace.json --classes 'search=brave.web_search;fetch=http.get'
  toolbooth schema > toolbooth.schema.json      let your editor explain and check toolbooth.yaml

exit codes: 0 well · 1 over budget, or a gate failed · 2 the call is wrong · 3 nothing could be reached ·
            5 refused by a budget or policy · 7 nothing was selected to run · 130 interrupted
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
    verb = words[0] if words else "--help"
    if verb in ("-h", "--help", "help"):
        print(HELP.format(verbs=_verb_table()), end="")  # noqa: T201
        return 0
    if verb in ("-V", "--version"):
        print(f"toolbooth {__version__}")  # noqa: T201
        return 0
    if verb not in VERBS:
        from toolbooth.safetext import for_terminal

        return _complain(f"there is no verb {for_terminal(verb, 40)!r}; {_nearest(verb)}", 2)
    return _carry_out(verb, words[1:])


def _carry_out(verb: str, words: list[str]) -> int:
    from importlib import import_module

    from toolbooth.cli.where_looked import where_looked
    from toolbooth.errors import ToolboothError

    _end_like_ctrl_c()
    try:
        return int(import_module(f"toolbooth.cli.{verb}").run(words))
    except ToolboothError as error:
        return _complain(str(error), error.exit_code, where_looked(getattr(error, "places", ()), verb))
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

    print(f"toolbooth: {for_terminal(message, 2000)}", *(more or []), sep="\n", file=sys.stderr)  # noqa: T201
    return code


def _verb_table() -> str:
    return "\n".join(f"  {verb:10}{what}" for verb, what in VERBS.items())


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, VERBS, n=1)
    return f"did you mean `toolbooth {near[0]}`?" if near else f"the verbs are {', '.join(VERBS)}"
