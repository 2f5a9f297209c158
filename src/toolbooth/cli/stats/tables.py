"""The ledger as tables: totals with their savings, tools, servers, and the last calls one by one."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth import figures, safetext, store
from toolbooth.cli.terminal import Column, Kind, indented, left_out_words, out, print_columns

_KINDS = {
    "discovery": "searches",
    "read": "reading results",
    "servers": "managing servers",
}


def signed_dollars(amount: Decimal) -> str:
    """A difference in dollars with its sign."""
    return figures.dollars(amount) if amount >= 0 else f"−{figures.dollars(-amount)}"


def less_words(sizes: store.Sizes) -> str:
    """By how much what a client got is less than what was sent, or more."""
    if not sizes.tokens_before:
        return "from built-in tools; no server sent any" if sizes.tokens_after else ""
    if not sizes.saved_tokens:
        return "unchanged"
    return f"{figures.percent(abs(sizes.percent) / 100)} {'less' if sizes.saved_tokens > 0 else 'more'}"


def when(at: float) -> str:
    """A moment on this machine's clock."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def kind_words(kind: str) -> str:
    """What built-in tools were used for."""
    return _KINDS.get(kind, kind)


MOST_SERVERS = 40
REJECTED = "rejected before they reached a server"
MENUS = ("menu", "list")  # kinds of rows that the sums have a line for


def print_stats(stats: store.Stats, top: int) -> None:
    """Sums first, then tools by the size of their answers, then servers by their calls."""
    console = out()
    _heading(console, stats)
    _sums(console, stats)
    gone = [*_tools(console, stats.tools, top), *_servers(console, stats.servers)]
    gone += _principals(console, stats.principals)
    _notes(console, stats, left_out_words(gone, console.width))


def _heading(console: Console, stats: store.Stats) -> None:
    totals = stats.totals
    servers = [each for each in stats.servers if each.calls and each.server != store.BUILTIN_SERVER]
    line = Text(
        f"{figures.counted(totals.calls, 'call')} on {figures.counted(len(servers), 'server')}", "bold"
    )
    if totals.code_runs:
        line.append(f" · {figures.counted(totals.code_runs, 'code run')}")
    if totals.builtin_calls:
        line.append(f" · {figures.counted(totals.builtin_calls, 'call')} of built-in tools")
    if totals.rejected:
        line.append(f" · {figures.number(sum(totals.rejected.values()))} rejected", "red")
    line.append(f" · {figures.counted(stats.session_count, 'session')}", "dim")
    if stats.first is not None and stats.last is not None:
        line.append(f" · {when(stats.first)} to {when(stats.last)}", "dim")
    console.print(line)
    console.print()


def _sums(console: Console, stats: store.Stats) -> None:
    """Print the totals, each with what it contains; tokens that only code read are not part of the net."""
    totals = stats.totals
    table = Table(box=None, pad_edge=False, padding=(0, 1), show_edge=False, header_style="dim")
    table.add_column("  tokens", no_wrap=True)
    table.add_column("before", justify="right", no_wrap=True)
    table.add_column("after", justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    table.add_row("  answers", *_both(totals.sizes), less_words(totals.sizes))
    if totals.menus != store.Sizes():
        words = f"{less_words(totals.menus)}; all servers' menus and the gateway's, once per session"
        table.add_row("  menus", *_both(totals.menus), words)
    if totals.discovery_tokens:
        table.add_row(
            "  built-in tools", "", figures.number(totals.discovery_tokens), _builtin_words(totals.discovery)
        )
    net = Text(
        figures.number(totals.net_saved_tokens), "bold green" if totals.net_saved_tokens >= 0 else "bold red"
    )
    table.add_row(Text("  saved, net", "bold"), "", net, f"{_net_words(totals)}: {_worth(stats)}")
    if totals.code.calls:
        read, returned = map(figures.number, (totals.code.tokens_read, totals.code.tokens_returned))
        table.add_row("  read by code", read, returned, _code_words(totals.code.kept_out_at_most))
    console.print(table)
    console.print()


def _code_words(kept_out: int) -> str:
    bound = f"at most {figures.number(kept_out)}, not in the net"
    return f"{bound}: without code, an agent might not have made these calls"


def _both(sizes: store.Sizes) -> tuple[str, str]:
    return figures.number(sizes.tokens_before), figures.number(sizes.tokens_after)


def _builtin_words(builtin: Mapping[str, int]) -> str:
    return safetext.for_terminal(
        " · ".join(f"{kind_words(kind)} {figures.number(tokens)}" for kind, tokens in builtin.items()), 200
    )


def _net_words(totals: store.Totals) -> str:
    counted = "answers and menus" if totals.menus != store.Sizes() else "answers; no menu is known"
    return f"{counted}, less built-in tools" if totals.discovery_tokens else counted


def _worth(stats: store.Stats) -> str:
    price = stats.price
    if price is None:
        return f"no price: {safetext.for_terminal(stats.price_note or '')}"
    rate = (
        f"{figures.dollars(price.dollars_per_million)} per million tokens of "
        f"{safetext.for_terminal(price.model, 60)}"
    )
    return f"{signed_dollars(price.dollars_saved)}, each read once at {rate}"


def _tools(console: Console, tools: Sequence[store.ToolStats], top: int) -> list[Column]:
    tools = [each for each in tools if each.kind not in MENUS]
    shown = tools[:top]
    if not shown:
        return []

    def column(title: str, cell: Callable[[store.ToolStats], str], goes: int = 0, style: str = "") -> Column:
        kind: Kind = "words" if title == "last" else "number"
        return Column(title, kind, [cell(each) for each in shown], goes, style)

    gone = print_columns(
        console,
        [
            Column("  tool", "name", [Text("  " + safetext.for_terminal(each.id, 60)) for each in shown]),
            column("calls", lambda each: figures.number(each.calls)),
            column("errors", lambda each: figures.number(each.errors) if each.errors else "", 2, "red"),
            *([column("rejected", _rejected, 2, "red")] if any(each.rejected for each in shown) else []),
            column("before", lambda each: figures.number(each.sizes.tokens_before), 1),
            column("after", lambda each: figures.number(each.sizes.tokens_after), style="bold"),
            column("saved", _saved, 3, "green"),
            *([column("code read", _in_code, 4)] if any(each.code.calls for each in shown) else []),
            column("worst", lambda each: figures.number(each.worst), 5),
            column("last", lambda each: when(each.last_used), 6),
        ],
        console.width,
    )
    if len(tools) > top:
        console.print(
            Text(f"  … and {figures.number(len(tools) - top)} lighter ones (--top N shows more)", "dim")
        )
    console.print()
    return gone


def _rejected(entry: store.ToolStats | store.ServerStats) -> str:
    return figures.number(entry.rejected) if entry.rejected else ""


def _in_code(tool: store.ToolStats) -> str:
    return figures.number(tool.code.tokens_read) if tool.code.calls else ""


def _saved(tool: store.ToolStats) -> str:
    return figures.percent(tool.sizes.percent / 100) if tool.sizes.saved_tokens > 0 else ""


def _servers(console: Console, servers: Sequence[store.ServerStats]) -> list[Column]:
    shown = servers[:MOST_SERVERS]
    if not shown:
        return []

    def column(
        title: str, cell: Callable[[store.ServerStats], str], goes: int = 0, style: str = ""
    ) -> Column:
        return Column(title, "number", [cell(each) for each in shown], goes, style)

    gone = print_columns(
        console,
        [
            Column(
                "  server", "name", [Text("  " + safetext.for_terminal(each.server, 40)) for each in shown]
            ),
            column("calls", lambda each: figures.number(each.calls)),
            column("errors", lambda each: figures.number(each.errors) if each.errors else "", 2, "red"),
            *([column("rejected", _rejected, 2, "red")] if any(each.rejected for each in shown) else []),
            column("p50", lambda each: figures.milliseconds(each.p50), style="bold"),
            column("p95", lambda each: figures.milliseconds(each.p95)),
            column("p99", lambda each: figures.milliseconds(each.p99), 1),
            column("max", lambda each: figures.milliseconds(each.max), 3),
        ],
        console.width,
    )
    if len(servers) > MOST_SERVERS:
        console.print(Text(f"  … and {len(servers) - MOST_SERVERS} more (--json lists all)", "dim"))
    return gone


def _principals(console: Console, principals: Sequence[store.PrincipalStats]) -> list[Column]:
    """Who called, if it was more than one."""
    shown = principals[:MOST_SERVERS]
    if len(shown) < 2:
        return []

    def column(title: str, cell: Callable[[store.PrincipalStats], int], style: str = "") -> Column:
        return Column(title, "number", [figures.number(cell(each)) for each in shown], style=style)

    names = [Text("  " + safetext.for_terminal(each.principal, 40)) for each in shown]
    console.print()
    gone = print_columns(
        console,
        [
            Column("  principal", "name", names),
            column("calls", lambda each: each.calls),
            column("before", lambda each: each.sizes.tokens_before),
            column("after", lambda each: each.sizes.tokens_after, "bold"),
            column("saved, net", lambda each: each.net_saved_tokens, "green"),
        ],
        console.width,
    )
    if len(principals) > MOST_SERVERS:
        console.print(Text(f"  … and {len(principals) - MOST_SERVERS} more (--json lists all)", "dim"))
    return gone


def _notes(console: Console, stats: store.Stats, left_out: str) -> None:
    totals = stats.totals
    lines = [left_out] if left_out else []
    failed = {word: count for word, count in totals.outcomes.items() if word != "ok"}
    for title, counts in (("errors", failed), (REJECTED, totals.rejected), ("cut by", totals.steps)):
        if counts:
            lines.append(
                f"{title}: " + " · ".join(f"{word} {figures.number(count)}" for word, count in counts.items())
            )
    if totals.estimated_rows:
        lines.append(f"sizes of {figures.percent(totals.estimated_share)} of the rows are estimates")
    if totals.menus != store.Sizes():
        lines.append(
            "a model reads its menu on every call; the number of calls is unknown, so a menu counts once per session"
        )
    flooding = sum(1 for each in stats.tools if each.kind == "call" and each.floods)
    if flooding:
        lines.append(
            f"answers of {figures.counted(flooding, 'tool')} flood the context; see `toolbooth stats --risk`"
        )
    if lines:
        console.print()
    for line in lines:
        console.print(indented(Text(safetext.for_terminal(line, 400), "dim")))


def print_recent(rows: Sequence[store.Row]) -> None:
    """When, what, how it ended, how long it took and what it weighed."""
    console = out()

    def column(
        title: str, cell: Callable[[store.Row], str | Text], goes: int = 0, kind: Kind = "number"
    ) -> Column:
        return Column(title, kind, [cell(row) for row in rows], goes)

    gone = print_columns(
        console,
        [
            column("  when", lambda row: f"  {_when(row.at)}", kind="words"),
            column(
                "tool", lambda row: Text(safetext.for_terminal(f"{row.server}.{row.tool}", 60)), kind="name"
            ),
            column("outcome", _outcome, kind="words"),
            column("took", lambda row: figures.milliseconds(row.ms), 1),
            column("before", lambda row: _tokens(row, row.tokens_before), 2),
            column("after", lambda row: _tokens(row, row.tokens_after)),
            column("cut by", lambda row: Text(safetext.for_terminal(", ".join(row.steps), 60)), 4, "words"),
            column("session", lambda row: Text(row.session, "dim"), 3, "words"),
        ],
        console.width,
    )
    left_out = left_out_words(gone, console.width)
    if left_out:
        console.print(indented(Text(left_out, "dim")))


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%m-%d %H:%M:%S")


def _outcome(row: store.Row) -> Text:
    return Text(safetext.for_terminal(row.outcome, 40), "green" if row.outcome == "ok" else "red")


def _tokens(row: store.Row, tokens: int) -> str:
    return f"{'≈' if row.estimated else ''}{figures.number(tokens)}"
