"""The report of a suite run: everything that a reporter, a comparison or `run.json` needs.

Reports of the shards of one run are joined into one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import zip_longest
from math import isfinite
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from toolbooth import safetext
from toolbooth.errors import UserMistake
from toolbooth.suite import metrics, trace, transcript
from toolbooth.suite.verdict import Verdict

__all__ = ["join_reports"]


Status = Literal["passed", "failed", "error", "refused", "not run"]
Source = Literal["replayed", "live", "recorded", ""]


class CellKey(NamedTuple):
    """Which cell: a test with one model on one surface."""

    test: str
    model: str
    surface: str


class CellIdentity(NamedTuple):
    """How a cell is found in another run: suites in two files may have tests of the same name."""

    suite: str
    key: CellKey


@dataclass(frozen=True)
class CellReport:
    """One cell. Reporters leave out undefined figures, which are None, and clean the texts."""

    key: CellKey
    status: Status
    runs: int = 0
    source: Source = ""
    verdicts: tuple[Verdict, ...] = ()
    errors: tuple[str, ...] = ()  # one line for each run that failed with an error or was refused
    notes: tuple[str, ...] = ()  # what was skipped, or scored despite drift, and why
    passes: metrics.Rate | None = None  # runs that satisfied every gate
    tools: Mapping[str, int] = field(default_factory=dict, hash=False)  # real tools called, over all runs
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    tool_surface_tokens: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    path: str = ""  # the suite file as it was named, and the line of the test
    line: int = 0
    prompt: str = ""
    transcripts: tuple[transcript.Transcript, ...] = ()  # of each run, the padded ones last
    # Of Toolbooth and of the servers at the time of the runs
    versions: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def identity(self) -> CellIdentity:
        """What names a report: its file name without the folder, because runs are made in different folders."""
        return CellIdentity(PurePosixPath(self.path).name, self.key)

    def figure(self, name: str) -> float | None:
        """A figure of any gate by the last part of its name (`f1`, …); those without distractors first."""
        return next((value for key, value in self.figures() if _last(key) == name), None)

    def figures(self) -> Iterator[tuple[str, float]]:
        """Every defined figure. Where several have the same name, the first counts.

        Gates keep their order, with distractors last. The names of one gate are sorted, as they are in `run.json`.
        """
        for gate in sorted(self.verdicts, key=lambda verdict: verdict.gate == "distractors"):
            yield from ((key, value) for key, value in sorted(gate.figures.items()) if isfinite(value))

    @property
    def grade(self) -> str:
        """The letter of the first gate that has one."""
        return next((verdict.grade for verdict in self.verdicts if verdict.grade), "")


def _last(target: str) -> str:
    return target.rpartition(".")[2]


class FigureChange(NamedTuple):
    """A figure of one cell before and now (None: undefined); `worse` if it got worse than allowed."""

    key: CellKey
    figure: str
    before: float | None
    now: float | None
    worse: bool


@dataclass(frozen=True)
class RunComparison:
    """This run compared with a stored one: what changed, and which cells only one of them has."""

    baseline: str
    moved: tuple[FigureChange, ...] = ()
    added: tuple[CellKey, ...] = ()
    gone: tuple[CellKey, ...] = ()
    same: int = 0  # cells in which nothing changed

    @property
    def worse(self) -> tuple[FigureChange, ...]:
        """The changes that fail the run."""
        return tuple(each for each in self.moved if each.worse)


@dataclass(frozen=True)
class SuiteReport:
    """All cells in the order of the suites."""

    suites: tuple[str, ...]
    cells: tuple[CellReport, ...] = ()
    warnings: tuple[str, ...] = ()
    seed: int = 0
    shard: str = ""
    partial: bool = False
    comparison: RunComparison | None = None

    def count(self, status: Status) -> int:
        """The number of cells with this status."""
        return sum(cell.status == status for cell in self.cells)

    @property
    def cost(self) -> float | None:
        """Dollars of all cells; None if all were free."""
        return trace.summed(cell.cost for cell in self.cells)

    @property
    def exit_code(self) -> int:
        """The exit code of the command: refusals come first, then errors, then failures."""
        if self.count("refused"):
            return 5
        if self.count("error"):
            return 3
        worse = self.comparison is not None and bool(self.comparison.worse)
        return int(bool(self.count("failed")) or worse)


def join_reports(reports: Sequence[SuiteReport]) -> SuiteReport:
    """One report with all cells in the given order. Raises UserMistake if a cell is in two reports."""
    if len(reports) == 1:
        return reports[0]
    cells = _in_order(reports)
    _refuse_twice([who for report in reports for who in {cell.identity for cell in report.cells}])
    return SuiteReport(
        suites=tuple(dict.fromkeys(suite for report in reports for suite in report.suites)),
        cells=cells,
        warnings=tuple(dict.fromkeys(warning for report in reports for warning in report.warnings)),
        seed=reports[0].seed,
        shard=_shards([report.shard for report in reports]),
        partial=any(report.partial for report in reports),
        comparison=_comparisons([report.comparison for report in reports if report.comparison is not None]),
    )


def _in_order(reports: Sequence[SuiteReport]) -> tuple[CellReport, ...]:
    """The cells in the order of the suites, if all shards are given: each shard has every n-th cell."""
    shards = sorted(reports, key=lambda report: int(report.shard.partition("/")[0] or 0))
    if [report.shard for report in shards] != [f"{at}/{len(shards)}" for at in range(1, len(shards) + 1)]:
        return tuple(cell for report in reports for cell in report.cells)
    rows = zip_longest(*(report.cells for report in shards))
    return tuple(cell for row in rows for cell in row if cell is not None)


def _refuse_twice(cells: Sequence[CellIdentity]) -> None:
    twice = [who.key for who, times in Counter(cells).items() if times > 1]
    if twice:
        first = safetext.for_terminal(" · ".join(part for part in twice[0] if part), 120)
        raise UserMistake(
            f"{first} is in two of these runs; give the shards of one run, or render them one by one"
        )


def _shards(names: Sequence[str]) -> str:
    """Empty if the shards are complete, else the names of these shards."""
    whole = {f"{number}/{len(names)}" for number in range(1, len(names) + 1)}
    return "" if set(names) == whole else ", ".join(dict.fromkeys(name for name in names if name))


def _comparisons(parts: Sequence[RunComparison]) -> RunComparison | None:
    """The joined comparison; a cell is gone if it is gone in every shard."""
    if not parts:
        return None
    gone = reduce(lambda left, right: left & right, (set(part.gone) for part in parts))
    return RunComparison(
        parts[0].baseline,
        tuple(each for part in parts for each in part.moved),
        tuple(key for part in parts for key in part.added),
        tuple(key for key in parts[0].gone if key in gone),
        sum(part.same for part in parts),
    )
