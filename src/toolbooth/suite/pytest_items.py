"""A suite file → pytest items, one for each cell; what is wrong with one is told in clean lines, not a traceback."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from toolbooth.errors import ToolboothError
from toolbooth.safetext import for_terminal
from toolbooth.suite.live import Job
from toolbooth.suite.plan import Cell, Choice, plan
from toolbooth.suite.report import CellReport
from toolbooth.suite.reporters.sentences import cell_name, check_words, place, reasons
from toolbooth.suite.runner import Mode, Options, SuiteRun
from toolbooth.suite.session import Session
from toolbooth.suite.spec.load import load_suite

_SESSION: Final = pytest.StashKey[Session]()
_OF_THE_ITEM: Final = "PYTEST_CURRENT_TEST"  # pytest sets it anew for each item
_LINE: Final = 2000  # characters; foreign text may be in all that is told


class CellFailed(Exception):
    """The lines that a person reads, clean already."""


class SuiteFile(pytest.File):
    """One suite. `spent` are the dollars of its items so far: its budget is for all of them."""

    spent = 0.0

    def collect(self) -> Iterator["CellItem"]:
        """A mistake in the file is one line."""
        try:
            suite = load_suite(self.path)
        except ToolboothError as error:
            raise self.CollectError(for_terminal(str(error), _LINE)) from None
        for cell in plan([suite], Choice()):
            name = for_terminal(f"{cell.test.name}[{cell.model}-{cell.surface}]", _LINE)
            item: CellItem = CellItem.from_parent(self, name=name, cell=cell, file=self)
            yield item


class CellItem(pytest.Item):
    """One cell: a test with one model on one surface."""

    def __init__(self, *, cell: Cell, file: SuiteFile, **more: Any) -> None:
        super().__init__(**more)
        self.cell, self._file = cell, file
        self.add_marker("toolbooth")

    def runtest(self) -> None:
        """By itself, in any order and process; only what cannot change a verdict is shared with the others."""
        session = self.config.stash.setdefault(_SESSION, Session())
        run = SuiteRun([self.cell], self._options(), _environ(), Path.cwd(), session)
        run.prepare()
        anyio.run(run.run, _Silent())
        report = run.report()
        (cell,) = report.cells
        self._file.spent += cell.cost or 0.0
        said = (*report.warnings, *cell.notes, *_skipped(cell))
        if said:
            self.add_report_section(
                "call", "toolbooth", "\n".join(for_terminal(line, _LINE) for line in said)
            )
        if cell.status != "passed":
            head = f"{place(cell)}: {cell_name(cell.key)} {_ENDED.get(cell.status, cell.status)}"
            raise CellFailed("\n".join([head, *(f"  {reason}" for reason in reasons(cell))]))

    def _options(self) -> Options:
        given = self.config.getoption
        mode: Mode = "replay"
        if given("toolbooth_record"):
            mode = "record"
        elif given("toolbooth_live"):
            mode = "live"
        budget = self.cell.suite.budget
        left = None if budget is None else max(0.0, budget - self._file.spent)
        return Options(mode=mode, allow_drift=bool(given("toolbooth_allow_drift")), budget=left)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Ours in words; a fault of Toolbooth, or of a plugin, with all that is known of it."""
        error = _ours(excinfo.value)
        if isinstance(error, CellFailed):
            return str(error)
        return for_terminal(str(error), _LINE) if error else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands in its file."""
        line = self.cell.test.line
        return self.path, line - 1 if line else None, self.name


def _environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != _OF_THE_ITEM}


_ENDED: Final = {"error": "ended in an error", "refused": "was refused"}


class _Silent:
    """pytest tells how far it is."""

    def began(self, job: Job) -> None:
        """Nothing."""

    def ended(self, report: CellReport) -> None:
        """Nothing."""


def _skipped(cell: CellReport) -> Iterator[str]:
    for verdict in cell.verdicts:
        yield from (check_words(check) for check in verdict.checks if check.state == "skipped")


def _ours(error: BaseException) -> CellFailed | ToolboothError | None:
    if isinstance(error, CellFailed | ToolboothError):
        return error
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next((found for each in inner if (found := _ours(each)) is not None), None)
