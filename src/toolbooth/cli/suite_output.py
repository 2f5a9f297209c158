"""The progress of a suite run on stderr, and its report on stdout.

Progress is shown only on a terminal, which also decides on colours and width.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.text import Text

from toolbooth import figures, safetext, suite
from toolbooth.cli.terminal import err, out
from toolbooth.suite.reporters import CellReport, SuiteReport, render, show

if TYPE_CHECKING:
    from rich.status import Status

_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "error": ("!", "red"), "refused": ("⊘", "yellow")}


class _Silent:
    def began(self, planned: suite.PlannedRun) -> None:
        """No output in a pipe."""

    def ended(self, report: CellReport) -> None:
        """No output in a pipe."""


class _Shown:
    """`status` is the line at the bottom; finished cells are above it."""

    def __init__(self, cells: int, status: "Status") -> None:
        self._cells, self._status = cells, status
        self._done = self._bad = 0
        self._cost = 0.0
        self._last = ""

    def began(self, planned: suite.PlannedRun) -> None:
        """Show the run that begins."""
        self._last = safetext.for_terminal(" · ".join(planned.cell.key), 60)
        self._update()

    def ended(self, report: CellReport) -> None:
        """Print a finished cell."""
        self._done += 1
        self._bad += report.status != "passed"
        self._cost += report.cost or 0.0
        self._print(report)
        self._update()

    def _print(self, report: CellReport) -> None:
        sign, colour = _SIGNS.get(report.status, ("·", "dim"))
        line = Text(f"  {sign} ", style=colour).append(
            safetext.for_terminal(report.key.test, 40), style="default"
        )
        f1 = report.figure("f1")
        line.append("" if f1 is None else f"  F1 {f1:g}", style="default")
        line.append(f"  {safetext.for_terminal(report.key.model, 40)} · {report.key.surface}", style="dim")
        self._status.console.print(line, no_wrap=True, overflow="ellipsis")

    def _update(self) -> None:
        parts = [f"{self._done} of {self._cells} cells"]
        parts += [f"{self._bad} not passed"] if self._bad else []
        parts += [f"{figures.dollars(self._cost)} so far"] if self._cost else []
        parts += [self._last] if self._last else []
        self._status.update(Text(" · ".join(parts)))


@contextmanager
def suite_progress(cells: int) -> Iterator[suite.Watcher]:
    """A watcher that shows progress on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield _Silent()
        return
    with err().status(Text(f"0 of {cells} cells"), spinner="dots") as status:
        yield _Shown(cells, status)


def print_report(report: SuiteReport, form: str) -> None:
    """Print the report in this format; every reporter cleans its text."""
    if form == "terminal":
        show(report, out())
    else:
        sys.stdout.write(render(report, form))
