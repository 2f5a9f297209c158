"""`toolbooth bench tokens`: what each way of offering the tools costs, per model call and per session."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from toolbooth import bench, figures, safetext, tokens
from toolbooth.bench.report import BreakEven, CurvePoint, ModeCost, SessionCost, TokensSection
from toolbooth.cli import arguments, terminal
from toolbooth.cli.bench import output, sources

EXAMPLES = """\
  toolbooth bench tokens                              the built-in tools and questions
  toolbooth bench tokens .mcp.json                    the servers of a config
  toolbooth bench tokens -- npx -y some-mcp-server    one command
  toolbooth bench tokens --catalog corpus.json --golden golden.json
  toolbooth bench tokens --catalog corpus.json --encoding o200k_base --json

modes: baseline (every definition as the servers send it), and the gateway's surfaces: direct (every definition with
       slimmed schemas) · search (search, then call) · code (search, then call from Python) · full (every built-in tool)
"""
EXITS = {
    3: "nothing could be reached, or a server is missing",
}


def parser() -> arguments.Parser:
    """The options of the subcommand."""
    made = arguments.Parser("bench tokens", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    sources.add_tools(add)
    sources.add_questions(add)
    add("--encoding", metavar="NAME", help="encoding for token counts (default cl100k_base)")
    output.add_output(add)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Measure and report."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    _encoding(options)  # refuse an unknown name before servers are started
    measured = sources.maybe_pair_of(options, typed.command)
    section = section_of(measured, options, typed.command)

    def show() -> None:
        print_tokens(section)

    report = output.new_report(measured, tokens=section)
    output.deliver(report, section, options, show)
    return output.exit_code(report)


def section_of(
    measured: bench.Corpus | bench.Pair,
    options: Namespace,
    command: Sequence[str],  # noqa: ARG001
) -> TokensSection:
    """The section, also as part of a whole benchmark."""
    with output.status_line("weighing the tools") as progress:
        return sources.noted(bench.measure_tokens(measured, _encoding(options), progress), measured)


def _encoding(options: Namespace) -> str:
    named: str = getattr(options, "encoding", None) or tokens.DEFAULT_ENCODING
    tokens.check_encoding(named)
    return named


BASELINE, CHARTED = "baseline", "search"
_LEFT, _RIGHT = 10, 20  # characters of the chart on each side of its line


def print_tokens(section: TokensSection) -> None:
    """The menus first, since every model call reads them; then sessions, break-even and the heaviest tools."""
    console = terminal.out()
    _heading(console, section)
    gone = [
        *_modes(console, section),
        *_sessions(console, section),
        *_break_even(console, section),
        *_chart(console, section),
        *_heaviest(console, section),
    ]
    # A bar says nothing that the numbers beside it do not say.
    named = [column for column in gone if column.kind not in ("bar", "name")]
    left_out = terminal.left_out_words(named, console.width)
    for note in (left_out, *section.notes):
        if note:
            console.print(terminal.indented(Text(safetext.for_terminal(note, 400), "dim")))


def _heading(console: Console, section: TokensSection) -> None:
    line = Text("Tokens", "bold")
    about = f" {figures.counted(section.corpus_tools, 'tool')} of {safetext.for_terminal(section.corpus_version, 60)}"
    console.print(line.append(f"{about} · {safetext.for_terminal(section.encoding, 40)}", "not bold dim"))
    console.print()


def _title(console: Console, title: str, more: str) -> None:
    console.print(Text(title, "bold").append(f"  {more}", "not bold dim"))


def _modes(console: Console, section: TokensSection) -> list[terminal.Column]:
    modes = section.modes
    most = max((each.tokens for each in modes), default=0) or 1

    def column(
        title: str, cell: Callable[[ModeCost], str], goes: int = 0, style: str = ""
    ) -> terminal.Column:
        return terminal.Column(title, "number", [cell(each) for each in modes], goes, style)

    _title(console, "menu", "what a model reads on every call")
    gone = terminal.print_columns(
        console,
        [
            _names([each.mode for each in modes], "mode"),
            column("tools", lambda each: figures.number(each.context_tools), 1),
            column("menu", lambda each: figures.number(each.tokens), style="bold"),
            terminal.Column("", "bar", [each.tokens / most for each in modes], 9, "cyan"),
            column("saved", lambda each: _saved(each, each.savings_vs_baseline), style="green"),
            column(
                "menu + instructions", lambda each: figures.number(each.tokens + each.instructions_tokens), 2
            ),
            column("saved with them", lambda each: _saved(each, each.savings_with_instructions), 3, "green"),
        ],
        console.width,
    )
    console.print()
    return gone


def _saved(mode: ModeCost, share: float | None) -> str:
    """A report from before savings with instructions has none of them, and nothing was withheld there."""
    if mode.mode == BASELINE or (share is None and mode.savings_vs_baseline is not None):
        return ""
    return "withheld" if share is None else figures.percent(share)


def _sessions(console: Console, section: TokensSection) -> list[terminal.Column]:
    sessions = section.sessions
    if not sessions:
        return []

    def column(
        title: str, cell: Callable[[SessionCost], str], goes: int = 0, style: str = ""
    ) -> terminal.Column:
        return terminal.Column(title, "number", [cell(each) for each in sessions], goes, style)

    asked = figures.counted(sessions[0].questions, "question")
    _title(console, "session of one call", f"mean of {asked}; right: a right tool was shown")
    gone = terminal.print_columns(
        console,
        [
            _names([each.mode for each in sessions], "mode"),
            column("turns", lambda each: figures.number(each.turns), 4),
            column("search", lambda each: _number(each.search_response), 6),
            column("definition", lambda each: _number(each.definition), 8),
            column("calls", lambda each: _number(each.call_envelope), 7),
            column("paid", lambda each: _number(each.paid)),
            column("+ history", lambda each: _number(each.paid_with_history), 3),
            column("right", lambda each: _share(each.correct, each.questions)),
            column("first", lambda each: _share(each.correct_first, each.questions), 2),
            column("paid / right", lambda each: _number(each.paid_per_correct), style="bold"),
            column("+ history / right", lambda each: _number(each.history_per_correct), 5),
        ],
        console.width,
    )
    console.print()
    return gone


def _break_even(console: Console, section: TokensSection) -> list[terminal.Column]:
    rows = section.break_even
    if not rows:
        return []
    _title(console, "break-even", "when a session costs less than the baseline, history included")
    gone = terminal.print_columns(
        console,
        [
            _names([each.mode for each in rows], "mode"),
            terminal.Column("cheaper for one call", "words", [_tools(each) for each in rows]),
            terminal.Column(
                f"cheaper with {figures.counted(section.corpus_tools, 'tool')}",
                "words",
                [_calls(each) for each in rows],
            ),
            terminal.Column("label", "words", [each.label for each in rows], 1, "dim"),
        ],
        console.width,
    )
    console.print()
    return gone


def _tools(row: BreakEven) -> str:
    return (
        "never" if row.catalog_tools is None else f"with {figures.counted(row.catalog_tools, 'tool')} or more"
    )


def _calls(row: BreakEven) -> str:
    if row.first_call is None:
        return "never"
    if row.last_call is None:
        return f"from call {figures.number(row.first_call)} on"
    return f"for calls {figures.number(row.first_call)} to {figures.number(row.last_call)}"


def _chart(console: Console, section: TokensSection) -> list[terminal.Column]:
    """A bar to the left of the line costs more, one to the right costs less. Not shown where savings are withheld."""
    points = section.curve
    if len(points) < 2 or not all(_costs(each).keys() >= {BASELINE, CHARTED} for each in points):
        return []

    def costs(mode: str) -> terminal.Column:
        return terminal.Column(mode, "number", [_number(_costs(each)[mode]) for each in points])

    how = ", ".join(dict.fromkeys(each.label for each in points))
    _title(console, "a session of one call, by size of catalog", f"{how} tokens, history included")
    sizes = terminal.Column("  tools", "number", [f"  {figures.number(each.tools)}" for each in points])
    compared = _less_by_size(points) if section.authoritative_headline else []
    gone = terminal.print_columns(console, [sizes, costs(BASELINE), costs(CHARTED), *compared], console.width)
    console.print()
    return gone


def _less_by_size(points: Sequence[CurvePoint]) -> list[terminal.Column]:
    less = [_less(each) for each in points]
    return [
        terminal.Column("saved", "number", [figures.percent(each) for each in less], 0, "bold"),
        terminal.Column(
            f"{'costs more':>{_LEFT}}│costs less", "name", [_around_zero(each) for each in less], 1
        ),
    ]


def _around_zero(share: float) -> Text:
    """`◂` marks a bar that is cut because it does not fit."""
    left = "█" * round(min(1.0, -share) * _LEFT) or "▕" if share < 0 else ""
    left = f"◂{left[1:]}" if share < -1 else left
    return Text.assemble(
        (f"{left:>{_LEFT}}", "red"), ("│", "dim"), (terminal.bar(max(0.0, share), _RIGHT), "green")
    )


def _costs(point: CurvePoint) -> Mapping[str, float]:
    return point.paid_with_history or point.paid


def _less(point: CurvePoint) -> float:
    costs = _costs(point)
    return 1 - costs[CHARTED] / costs[BASELINE] if costs[BASELINE] else 0.0


def _heaviest(console: Console, section: TokensSection) -> list[terminal.Column]:
    tools = section.heaviest
    if not tools:
        return []
    most = tools[0].tokens or 1
    _title(console, "heaviest tools", "tokens of their definitions")
    gone = terminal.print_columns(
        console,
        [
            _names([each.id for each in tools], "tool"),
            terminal.Column("tokens", "number", [figures.number(each.tokens) for each in tools], 0, "bold"),
            terminal.Column("", "bar", [each.tokens / most for each in tools], 9, "cyan"),
            terminal.Column("name", "number", [figures.number(each.name) for each in tools], 3, "dim"),
            terminal.Column(
                "description", "number", [figures.number(each.description) for each in tools], 2, "dim"
            ),
            terminal.Column("schema", "number", [figures.number(each.schema) for each in tools], 1, "dim"),
        ],
        console.width,
    )
    console.print()
    return gone


def _names(names: list[str], title: str) -> terminal.Column:
    return terminal.Column(
        f"  {title}", "name", [Text("  " + safetext.for_terminal(each, 60)) for each in names]
    )


def _number(value: float | None) -> str:
    """Empty where there is no value."""
    return "" if not value else figures.number(round(value))


def _share(part: int, whole: int) -> str:
    return figures.percent(part / whole) if whole else ""
