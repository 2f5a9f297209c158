"""`toolbooth bench latency`: how long search, lists, calls and starts take, compared with direct calls."""

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.text import Text

from toolbooth import bench, demo, errors, figures, safetext
from toolbooth.bench.report import LatencyMeasure, LatencySection
from toolbooth.catalog import NotJson, ServerSpec, decode, find_sources
from toolbooth.cli import arguments, terminal
from toolbooth.cli.bench import output, sources

EXAMPLES = """\
  toolbooth bench latency                        the bundled servers: search, list, call, start
  toolbooth bench latency --quick                the same in a third of the time
  toolbooth bench latency .mcp.json              your servers; their tools are called only if you name one
  toolbooth bench latency .mcp.json --call time.get_current_time --arguments '{"timezone": "UTC"}'
  toolbooth bench latency --rounds 1000 --output report -- uvx mcp-server-time
  toolbooth bench latency --catalog catalog.json only search; no server is started

each request is timed by its client. Gateway and direct calls take turns in small blocks, so the ratio also holds on a
busy machine. The gateway uses a temporary home folder: your cache, ledger and daemon are not touched.
"""
EXITS = {
    3: "no server could be started, or one ended early",
}
ROUNDS, QUICK, BESIDE_OTHERS = 300, 40, 60
QUERIES = 100
DEMO_CALL = ("weather", "get_current_weather", {"station": "TRN"})


def parser() -> arguments.Parser:
    """The options of the subcommand."""
    made = arguments.Parser("bench latency", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    sources.add_tools(add)
    sources.add_questions(add)
    add("--call", metavar="SERVER.TOOL", help="a tool that is safe to call hundreds of times")
    add("--arguments", metavar="JSON", help="with --call: its arguments, a JSON object")
    add("--rounds", type=arguments.positive, metavar="N", help=f"requests of each kind (default {ROUNDS})")
    add("--quick", action="store_true", help=f"{QUICK} requests of each kind, and fewer starts")
    output.add_output(add)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Measure and show; exit 3 if a server ended early."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.quick and options.rounds:
        raise errors.UserMistake("choose one of --quick and --rounds")
    wanted = _call(options)
    rounds = QUICK if options.quick else options.rounds or ROUNDS
    measured = sources.maybe_pair_of(options, typed.command)
    section = _measure(measured, options, typed.command, wanted, rounds)
    partial = (f"latency: {section.partial}",) if section.partial else ()
    report = output.new_report(measured, latency=section, partial=partial)
    output.deliver(report, section, options, lambda: _show(section))
    return output.exit_code(report)


def section_of(
    measured: bench.Corpus | bench.Pair, options: Namespace, command: Sequence[str]
) -> LatencySection:
    """The section as part of a whole benchmark, with fewer rounds."""
    return _measure(measured, options, command, None, BESIDE_OTHERS)


def _measure(
    measured: bench.Corpus | bench.Pair,
    options: Namespace,
    command: Sequence[str],
    wanted: "bench.TimedCall | None",
    rounds: int,
) -> LatencySection:
    specs = _specs(options, command)
    if wanted is not None and not specs:
        raise errors.UserMistake("--call needs a server; name a config or a command instead of a catalog")
    if wanted is None and not sources.names_tools(options, command):
        wanted = bench.TimedCall(*DEMO_CALL)
    catalog, queries = sources.corpus_in(measured).catalog, _queries(measured)
    with output.status_line("starting") as progress:
        section = bench.measure_latency(specs, catalog, queries, wanted, bench.Effort.of(rounds), progress)
    return sources.noted(section, measured)


def _queries(measured: bench.Corpus | bench.Pair) -> tuple[str, ...]:
    """The questions of a golden set, or queries made from the tools' own descriptions."""
    if isinstance(measured, bench.Corpus):
        return bench.queries_of(measured.catalog.tools, QUERIES)
    return tuple(question.query for question in measured.golden.questions)


def _specs(options: Namespace, command: Sequence[str]) -> list[ServerSpec]:
    """The servers that were named; without any name the bundled ones; none for a catalog file."""
    if options.catalog:
        return []
    if not sources.names_tools(options, command):
        commands = {name: demo.demo_command(name) for name in demo.DEMO_SERVERS}
        return [ServerSpec(name, "stdio", first, tuple(rest)) for name, (first, *rest) in commands.items()]
    specs = find_sources(options.config, command).servers
    return [replace(spec, timeout=options.timeout) if options.timeout else spec for spec in specs]


def _call(options: Namespace) -> "bench.TimedCall | None":
    if options.call is None:
        if options.arguments is not None:
            raise errors.UserMistake("--arguments needs --call; name the tool with --call SERVER.TOOL")
        return None

    server, _, tool = options.call.partition(".")
    if not server or not tool:
        raise errors.UserMistake("--call takes SERVER.TOOL; try --call time.get_current_time")
    return bench.TimedCall(server, tool, _arguments(options.arguments))


def _arguments(text: str | None) -> dict[str, Any]:
    try:
        given = decode((text or "{}").encode("utf-8", "surrogateescape"))
    except NotJson as error:
        raise errors.UserMistake(f"--arguments is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise errors.UserMistake('--arguments takes a JSON object; try --arguments \'{"city": "Oslo"}\'')
    return given


def _show(section: LatencySection) -> None:
    print_latency(section)


def print_latency(section: LatencySection) -> None:
    """The table, the meaning of its rows, then the notes."""
    console = terminal.out()
    console.print(Text("Latency", "bold").append(" measured by the client, without warm-up", "not bold dim"))
    console.print()
    gone = terminal.print_columns(console, _latency_columns(section.measures), console.width)
    console.print()
    for line in (*_meanings(section), *_rest(section)):
        console.print(terminal.indented(Text(line, "dim")))
    for note in (*section.notes, terminal.left_out_words(gone, console.width)):
        if note:
            console.print(terminal.indented(Text(safetext.for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(
            terminal.indented(Text(f"partial: {safetext.for_terminal(section.partial, 400)}", "red"))
        )


def _latency_columns(measures: tuple[LatencyMeasure, ...]) -> list[terminal.Column]:
    def column(
        title: str, cell: Callable[[LatencyMeasure], str], goes: int = 0, style: str = ""
    ) -> terminal.Column:
        return terminal.Column(title, "number", [cell(each) for each in measures], goes, style)

    return [
        terminal.Column(
            "  timed", "name", [Text("  " + safetext.for_terminal(each.name, 30)) for each in measures]
        ),
        column("samples", lambda each: f"{each.spread.samples:,}", 2, "dim"),
        column("p50", lambda each: figures.milliseconds(each.spread.p50_ms), style="bold"),
        column("p95", lambda each: figures.milliseconds(each.spread.p95_ms)),
        column("p99", lambda each: figures.milliseconds(each.spread.p99_ms), 1),
        column("max", lambda each: figures.milliseconds(each.spread.max_ms), 3),
        column("direct p50", _direct),
        column("ratio", lambda each: figures.times(each.ratio), style="bold"),
    ]


def _direct(measure: LatencyMeasure) -> str:
    return figures.milliseconds(measure.against_spread.p50_ms) if measure.against_spread else ""


def _meanings(section: LatencySection) -> Iterator[str]:
    for each in section.measures:
        against = f"; direct: {safetext.for_terminal(each.against, 120)}" if each.against else ""
        yield f"{safetext.for_terminal(each.name, 30)}: {safetext.for_terminal(each.what, 160)}{against}"


def _rest(section: LatencySection) -> Iterator[str]:
    if section.load_all_tools_ms is not None:
        yield (
            "listing every tool of every running server directly, once: "
            f"{figures.milliseconds(section.load_all_tools_ms)}"
        )
