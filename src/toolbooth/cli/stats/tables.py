"""The ledger as tables: totals with their savings, tools, servers, and the last calls one by one."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth.cli.doctor.words import dollars
from toolbooth.cli.terminal import Column, Kind, indented, left_out_words, out, print_columns
from toolbooth.figures import counted, number
from toolbooth.gateway.ledger.storage import BUILTIN_SERVER, Row, ServerStats, Sizes, Stats, ToolStats, Totals
from toolbooth.safetext import for_terminal

_KINDS = {
    "discovery": "searches",
    "read": "reading back",
    "servers": "managing servers",
}


def signed(value: int) -> str:
    """A number that may be negative."""
    return number(value) if value >= 0 else f"−{number(-value)}"


def signed_dollars(amount: Decimal) -> str:
    """The same in dollars."""
    return dollars(amount) if amount >= 0 else f"−{dollars(-amount)}"


def share(percent: float) -> str:
    """A percentage as the ledger has it."""
    return f"{percent:.1f}%".replace("-", "−")


def less_words(sizes: Sizes) -> str:
    """By how much what a client got is less than what was sent, or more."""
    if not sizes.tokens_before:
        return "from our own tools; no server sent any" if sizes.tokens_after else ""
    if not sizes.saved_tokens:
        return "unchanged"
    return f"{share(abs(sizes.percent))} {'less' if sizes.saved_tokens > 0 else 'more'}"


def took(ms: float | None) -> str:
    """A duration; empty where there is none."""
    if ms is None:
        return ""
    if ms >= 10_000:
        return f"{ms / 1000:,.1f} s"
    return f"{ms:,.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def when(at: float) -> str:
    """A moment on this machine's clock."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def kind_words(kind: str) -> str:
    """What our own tools were used for."""
    return _KINDS.get(kind, kind)


MOST_SERVERS = 40
REJECTED = "rejected before any server or code saw them"
MENUS = ("menu", "list")  # kinds of rows that the sums have a line for


def print_stats(stats: Stats, top: int) -> None:
    """Sums first, then tools by the size of their answers, then servers by their calls."""
    console = out()
    _heading(console, stats)
    _sums(console, stats)
    gone = [*_tools(console, stats.tools, top), *_servers(console, stats.servers)]
    _notes(console, stats, left_out_words(gone, console.width))


def _heading(console: Console, stats: Stats) -> None:
    totals = stats.totals
    servers = [each for each in stats.servers if each.calls and each.server != BUILTIN_SERVER]
    line = Text(f"{counted(totals.calls, 'call')} on {counted(len(servers), 'server')}", "bold")
    if totals.code_runs:
        line.append(f" · {counted(totals.code_runs, 'code run')}")
    if totals.own_calls:
        line.append(f" · {counted(totals.own_calls, 'call')} of our own tools")
    if totals.rejected:
        line.append(f" · {number(sum(totals.rejected.values()))} rejected", "red")
    line.append(f" · {counted(stats.session_count, 'session')}", "dim")
    if stats.first is not None and stats.last is not None:
        line.append(f" · {when(stats.first)} to {when(stats.last)}", "dim")
    console.print(line)
    console.print()


def _sums(console: Console, stats: Stats) -> None:
    """Print the totals, each with what it contains; tokens that only code read are not part of the net."""
    totals = stats.totals
    table = Table(box=None, pad_edge=False, padding=(0, 1), show_edge=False, header_style="dim")
    table.add_column("  tokens", no_wrap=True)
    table.add_column("before", justify="right", no_wrap=True)
    table.add_column("after", justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    table.add_row("  answers", *_both(totals.sizes), less_words(totals.sizes))
    if totals.menus != Sizes():
        words = f"{less_words(totals.menus)}; all servers' menus and ours, once per session"
        table.add_row("  menus", *_both(totals.menus), words)
    if totals.discovery_tokens:
        table.add_row(
            "  our own tools", "", number(totals.discovery_tokens), _builtin_words(totals.discovery)
        )
    net = Text(signed(totals.net_saved_tokens), "bold green" if totals.net_saved_tokens >= 0 else "bold red")
    table.add_row(Text("  saved, net", "bold"), "", net, f"{_net_words(totals)}: {_worth(stats)}")
    if totals.code.calls:
        read, returned = map(number, (totals.code.tokens_read, totals.code.tokens_returned))
        table.add_row("  kept out by code", read, returned, _code_words(totals.code.kept_out_at_most))
    console.print(table)
    console.print()


def _code_words(kept_out: int) -> str:
    bound = f"at most {number(kept_out)}, not in the net"
    return f"{bound}: an agent without code might not have made these calls"


def _both(sizes: Sizes) -> tuple[str, str]:
    return number(sizes.tokens_before), number(sizes.tokens_after)


def _builtin_words(builtin: Mapping[str, int]) -> str:
    return for_terminal(
        " · ".join(f"{kind_words(kind)} {number(tokens)}" for kind, tokens in builtin.items()), 200
    )


def _net_words(totals: Totals) -> str:
    counted = "answers and menus" if totals.menus != Sizes() else "answers; no menu is known"
    return f"{counted}, less our own tools" if totals.discovery_tokens else counted


def _worth(stats: Stats) -> str:
    price = stats.price
    if price is None:
        return f"no price: {for_terminal(stats.price_note or '')}"
    rate = f"${price.dollars_per_million:.2f} per million tokens of {for_terminal(price.model, 60)}"
    return f"{signed_dollars(price.dollars_saved)}, each read once at {rate}"


def _tools(console: Console, tools: Sequence[ToolStats], top: int) -> list[Column]:
    tools = [each for each in tools if each.kind not in MENUS]
    shown = tools[:top]
    if not shown:
        return []

    def column(title: str, cell: Callable[[ToolStats], str], goes: int = 0, style: str = "") -> Column:
        kind: Kind = "words" if title == "last" else "number"
        return Column(title, kind, [cell(each) for each in shown], goes, style)

    gone = print_columns(
        console,
        [
            Column("  tool", "name", [Text("  " + for_terminal(each.id, 60)) for each in shown]),
            column("calls", lambda each: number(each.calls)),
            column("errors", lambda each: number(each.errors) if each.errors else "", 2, "red"),
            *([column("rejected", _rejected, 2, "red")] if any(each.rejected for each in shown) else []),
            column("answered", lambda each: number(each.sizes.tokens_before), 1),
            column("got", lambda each: number(each.sizes.tokens_after), style="bold"),
            column("saved", _saved, 3, "green"),
            *([column("code read", _in_code, 4)] if any(each.code.calls for each in shown) else []),
            column("worst", lambda each: number(each.worst), 5),
            column("last", lambda each: when(each.last_used), 6),
        ],
        console.width,
    )
    if len(tools) > top:
        console.print(Text(f"  … and {number(len(tools) - top)} lighter ones (--top N shows more)", "dim"))
    console.print()
    return gone


def _rejected(entry: ToolStats | ServerStats) -> str:
    return number(entry.rejected) if entry.rejected else ""


def _in_code(tool: ToolStats) -> str:
    return number(tool.code.tokens_read) if tool.code.calls else ""


def _saved(tool: ToolStats) -> str:
    return share(tool.sizes.percent) if tool.sizes.saved_tokens > 0 else ""


def _servers(console: Console, servers: Sequence[ServerStats]) -> list[Column]:
    shown = servers[:MOST_SERVERS]
    if not shown:
        return []

    def column(title: str, cell: Callable[[ServerStats], str], goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in shown], goes, style)

    gone = print_columns(
        console,
        [
            Column("  server", "name", [Text("  " + for_terminal(each.server, 40)) for each in shown]),
            column("calls", lambda each: number(each.calls)),
            column("errors", lambda each: number(each.errors) if each.errors else "", 2, "red"),
            *([column("rejected", _rejected, 2, "red")] if any(each.rejected for each in shown) else []),
            column("p50", lambda each: took(each.p50), style="bold"),
            column("p95", lambda each: took(each.p95)),
            column("p99", lambda each: took(each.p99), 1),
            column("max", lambda each: took(each.max), 3),
        ],
        console.width,
    )
    if len(servers) > MOST_SERVERS:
        console.print(Text(f"  … and {len(servers) - MOST_SERVERS} more (--json lists all)", "dim"))
    return gone


def _notes(console: Console, stats: Stats, left_out: str) -> None:
    totals = stats.totals
    lines = [left_out] if left_out else []
    failed = {word: count for word, count in totals.outcomes.items() if word != "ok"}
    for title, counts in (("errors", failed), (REJECTED, totals.rejected), ("cut by", totals.steps)):
        if counts:
            lines.append(
                f"{title}: " + " · ".join(f"{word} {number(count)}" for word, count in counts.items())
            )
    if totals.estimated_rows:
        lines.append(f"sizes of {share(100 * totals.estimated_share)} of the rows are estimates")
    if totals.menus != Sizes():
        lines.append(
            "a model reads its menu on every call; how often is not known, so each counts once a session"
        )
    flooding = sum(1 for each in stats.tools if each.kind == "call" and each.floods)
    if flooding:
        lines.append(f"answers of {counted(flooding, 'tool')} flood: `toolbooth stats --risk` names them")
    if lines:
        console.print()
    for line in lines:
        console.print(indented(Text(for_terminal(line, 400), "dim")))


def print_recent(rows: Sequence[Row]) -> None:
    """When, what, how it ended, how long it took and what it weighed."""
    console = out()

    def column(title: str, cell: Callable[[Row], str | Text], goes: int = 0, kind: Kind = "number") -> Column:
        return Column(title, kind, [cell(row) for row in rows], goes)

    gone = print_columns(
        console,
        [
            column("  when", lambda row: f"  {_when(row.at)}", kind="words"),
            column("tool", lambda row: Text(for_terminal(f"{row.server}.{row.tool}", 60)), kind="name"),
            column("outcome", _outcome, kind="words"),
            column("took", lambda row: took(row.ms), 1),
            column("answered", lambda row: _tokens(row, row.tokens_before), 2),
            column("got", lambda row: _tokens(row, row.tokens_after)),
            column("cut by", lambda row: Text(for_terminal(", ".join(row.steps), 60)), 4, "words"),
            column("session", lambda row: Text(row.session, "dim"), 3, "words"),
        ],
        console.width,
    )
    left_out = left_out_words(gone, console.width)
    if left_out:
        console.print(indented(Text(left_out, "dim")))


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%m-%d %H:%M:%S")


def _outcome(row: Row) -> Text:
    return Text(for_terminal(row.outcome, 40), "green" if row.outcome == "ok" else "red")


def _tokens(row: Row, tokens: int) -> str:
    return f"{'≈' if row.estimated else ''}{number(tokens)}"
