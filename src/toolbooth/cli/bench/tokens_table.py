"""The tokens section of a report as tables: modes, sessions, where a mode starts to pay, the heaviest tools."""

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from toolbooth.bench.report import BreakEven, CurvePoint, ModeCost, SessionCost, TokensSection
from toolbooth.cli.terminal import Column, bar, indented, left_out_words, out, print_columns
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal
from toolbooth.web import percent

BASELINE, CHARTED = "baseline", "retrieve_tools"
_LEFT, _RIGHT = 8, 20  # characters of the chart on each side of its line


def print_tokens(section: TokensSection) -> None:
    """The menus first, since every model call reads them; then sessions, break-even and the heaviest tools."""
    console = out()
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
    left_out = left_out_words(named, console.width)
    for note in (left_out, *section.notes):
        if note:
            console.print(indented(Text(for_terminal(note, 400), "dim")))


def _heading(console: Console, section: TokensSection) -> None:
    line = Text("Tokens", "bold")
    about = f" {counted(section.corpus_tools, 'tool')} of {for_terminal(section.corpus_version, 60)}"
    console.print(line.append(f"{about} · {for_terminal(section.encoding, 40)}", "not bold dim"))
    console.print()


def _title(console: Console, title: str, more: str) -> None:
    console.print(Text(title, "bold").append(f"  {more}", "not bold dim"))


def _modes(console: Console, section: TokensSection) -> list[Column]:
    modes = section.modes
    most = max((each.tokens for each in modes), default=0) or 1

    def column(title: str, cell: Callable[[ModeCost], str], goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in modes], goes, style)

    _title(console, "menu", "what a model reads on every call")
    gone = print_columns(
        console,
        [
            _names([each.mode for each in modes], "mode"),
            column("tools", lambda each: number(each.context_tools), 1),
            column("menu", lambda each: number(each.tokens), style="bold"),
            Column("", "bar", [each.tokens / most for each in modes], 9, "cyan"),
            column("saved", lambda each: _saved(each, each.savings_vs_baseline), style="green"),
            column("menu + instructions", lambda each: number(each.tokens + each.instructions_tokens), 2),
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
    return "withheld" if share is None else percent(share)


def _sessions(console: Console, section: TokensSection) -> list[Column]:
    sessions = section.sessions
    if not sessions:
        return []

    def column(title: str, cell: Callable[[SessionCost], str], goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in sessions], goes, style)

    asked = counted(sessions[0].questions, "question")
    _title(console, "session of one call", f"mean of {asked}; right: a right tool was shown")
    gone = print_columns(
        console,
        [
            _names([each.mode for each in sessions], "mode"),
            column("turns", lambda each: f"{each.turns:.3g}", 4),
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


def _break_even(console: Console, section: TokensSection) -> list[Column]:
    rows = section.break_even
    if not rows:
        return []
    _title(console, "break-even", "where a session costs less than with the baseline, history included")
    gone = print_columns(
        console,
        [
            _names([each.mode for each in rows], "mode"),
            Column("one call: pays", "words", [_tools(each) for each in rows]),
            Column(
                f"all {counted(section.corpus_tools, 'tool')}: pays", "words", [_calls(each) for each in rows]
            ),
            Column("label", "words", [each.label for each in rows], 1, "dim"),
        ],
        console.width,
    )
    console.print()
    return gone


def _tools(row: BreakEven) -> str:
    return "never" if row.catalog_tools is None else f"from {counted(row.catalog_tools, 'tool')} on"


def _calls(row: BreakEven) -> str:
    if row.first_call is None:
        return "never"
    if row.last_call is None:
        return f"from call {number(row.first_call)} on"
    return f"for calls {number(row.first_call)} to {number(row.last_call)}"


def _chart(console: Console, section: TokensSection) -> list[Column]:
    """Dearer to the left of a line, cheaper to the right of it: where the bars cross it is break-even.
    Where savings are withheld, so are these."""
    points = section.curve
    if len(points) < 2 or not all(_costs(each).keys() >= {BASELINE, CHARTED} for each in points):
        return []

    def costs(mode: str) -> Column:
        return Column(mode, "number", [_number(_costs(each)[mode]) for each in points])

    how = ", ".join(dict.fromkeys(each.label for each in points))
    _title(console, "a session of one call, by size of catalog", f"{how} tokens, history included")
    sizes = Column("  tools", "number", [f"  {number(each.tools)}" for each in points])
    compared = _less_by_size(points) if section.authoritative_headline else []
    gone = print_columns(console, [sizes, costs(BASELINE), costs(CHARTED), *compared], console.width)
    console.print()
    return gone


def _less_by_size(points: Sequence[CurvePoint]) -> list[Column]:
    less = [_less(each) for each in points]
    return [
        Column("saved", "number", [percent(each) for each in less], 0, "bold"),
        Column(f"{'dearer':>{_LEFT}}│cheaper", "name", [_around_zero(each) for each in less], 1),
    ]


def _around_zero(share: float) -> Text:
    """`◂` marks a bar that is cut because it does not fit."""
    left = "█" * round(min(1.0, -share) * _LEFT) or "▕" if share < 0 else ""
    left = f"◂{left[1:]}" if share < -1 else left
    return Text.assemble((f"{left:>{_LEFT}}", "red"), ("│", "dim"), (bar(max(0.0, share), _RIGHT), "green"))


def _costs(point: CurvePoint) -> Mapping[str, float]:
    return point.paid_with_history or point.paid


def _less(point: CurvePoint) -> float:
    costs = _costs(point)
    return 1 - costs[CHARTED] / costs[BASELINE] if costs[BASELINE] else 0.0


def _heaviest(console: Console, section: TokensSection) -> list[Column]:
    tools = section.heaviest
    if not tools:
        return []
    most = tools[0].tokens or 1
    _title(console, "heaviest tools", "tokens of their definitions")
    gone = print_columns(
        console,
        [
            _names([each.id for each in tools], "tool"),
            Column("tokens", "number", [number(each.tokens) for each in tools], 0, "bold"),
            Column("", "bar", [each.tokens / most for each in tools], 9, "cyan"),
            Column("name", "number", [number(each.name) for each in tools], 3, "dim"),
            Column("description", "number", [number(each.description) for each in tools], 2, "dim"),
            Column("schema", "number", [number(each.schema) for each in tools], 1, "dim"),
        ],
        console.width,
    )
    console.print()
    return gone


def _names(names: list[str], title: str) -> Column:
    return Column(f"  {title}", "name", [Text("  " + for_terminal(each, 60)) for each in names])


def _number(value: float | None) -> str:
    """Empty where there is no value."""
    return "" if not value else number(round(value))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else ""
