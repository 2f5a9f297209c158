"""Suite files as pytest items, one per cell. A failure is a few clean lines, not a traceback."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from toolbooth import errors, safetext
from toolbooth.suite import cells, planning, runner
from toolbooth.suite.recordings.suite_recordings import RunCache
from toolbooth.suite.report import CellReport
from toolbooth.suite.reporters.sentences import cell_name, check_words, place, reasons
from toolbooth.suite.spec.load import load_suite

_CACHE: Final = pytest.StashKey[RunCache]()
_OF_THE_ITEM: Final = "PYTEST_CURRENT_TEST"  # pytest sets it for each item
_LINE: Final = 2000  # characters; every line may contain foreign text


class CellFailed(Exception):
    """The lines that the user reads, already clean."""


class SuiteFile(pytest.File):
    """One suite. `spent` is what its items have cost so far, because its budget covers all of them."""

    spent = 0.0

    def collect(self) -> Iterator["CellItem"]:
        """One item per cell; a mistake in the file is reported in one line."""
        try:
            suite = load_suite(self.path)
        except errors.ToolboothError as error:
            raise self.CollectError(safetext.for_terminal(str(error), _LINE)) from None
        for cell in planning.plan([suite], planning.CellFilter()):
            name = safetext.for_terminal(f"{cell.test.name}[{cell.model}-{cell.surface}]", _LINE)
            item: CellItem = CellItem.from_parent(self, name=name, cell=cell, file=self)
            yield item


class CellItem(pytest.Item):
    """One cell: a test with one model on one surface."""

    def __init__(self, *, cell: planning.Cell, file: SuiteFile, **more: Any) -> None:
        super().__init__(**more)
        self.cell, self._file = cell, file
        self.add_marker("toolbooth")

    def runtest(self) -> None:
        """Run the cell alone, in any order and process. Items share only what cannot change a verdict."""
        cache = self.config.stash.setdefault(_CACHE, RunCache())
        run = runner.SuiteRun([self.cell], self._options(), _environ(), Path.cwd(), cache)
        run.prepare()
        anyio.run(run.run, _Silent())
        report = run.report()
        (cell,) = report.cells
        self._file.spent += cell.cost or 0.0
        lines = (*report.warnings, *cell.notes, *_skipped(cell))
        if lines:
            self.add_report_section(
                "call", "toolbooth", "\n".join(safetext.for_terminal(line, _LINE) for line in lines)
            )
        if cell.status != "passed":
            head = f"{place(cell)}: {cell_name(cell.key)} {_ENDED.get(cell.status, cell.status)}"
            raise CellFailed("\n".join([head, *(f"  {reason}" for reason in reasons(cell))]))

    def _options(self) -> runner.RunOptions:
        given = self.config.getoption
        mode: runner.Mode = "replay"
        if given("toolbooth_record"):
            mode = "record"
        elif given("toolbooth_live"):
            mode = "live"
        budget = self.cell.suite.budget
        left = None if budget is None else max(0.0, budget - self._file.spent)
        return runner.RunOptions(mode=mode, allow_drift=bool(given("toolbooth_allow_drift")), budget=left)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Our own errors as one line; a bug of Toolbooth or of a plugin with its traceback."""
        error = _ours(excinfo.value)
        if isinstance(error, CellFailed):
            return str(error)
        return safetext.for_terminal(str(error), _LINE) if error else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The position of the test in its file."""
        line = self.cell.test.line
        return self.path, line - 1 if line else None, self.name


def _environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != _OF_THE_ITEM}


_ENDED: Final = {"error": "ended in an error", "refused": "was refused"}


class _Silent:
    """A watcher that shows nothing: pytest shows the progress."""

    def began(self, planned: cells.PlannedRun) -> None:
        """Does nothing."""

    def ended(self, report: CellReport) -> None:
        """Does nothing."""


def _skipped(cell: CellReport) -> Iterator[str]:
    for verdict in cell.verdicts:
        yield from (check_words(check) for check in verdict.checks if check.state == "skipped")


def _ours(error: BaseException) -> CellFailed | errors.ToolboothError | None:
    if isinstance(error, CellFailed | errors.ToolboothError):
        return error
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next((found for each in inner if (found := _ours(each)) is not None), None)
