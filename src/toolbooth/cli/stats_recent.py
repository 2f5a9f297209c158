"""Rows of the ledger → one line a call, the last first."""

from collections.abc import Callable, Sequence
from datetime import datetime

from rich.text import Text

from toolbooth.cli.columns import Column, Kind, left_out_words, print_columns
from toolbooth.cli.doctor_words import number
from toolbooth.cli.stats_words import took
from toolbooth.cli.terminal import indented, out
from toolbooth.gateway.ledger.reader import Row
from toolbooth.safetext import for_terminal


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
