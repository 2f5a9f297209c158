"""A whole run of a suite, ready to be rendered: everything that a reporter, a comparison or `run.json` needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from toolbooth.suite.trace import summed
from toolbooth.suite.transcript import Transcript
from toolbooth.suite.verdict import Verdict
from toolbooth.suite.wilson import Rate

Status = Literal["passed", "failed", "error", "refused", "not run"]
Source = Literal["replayed", "live", "recorded", ""]


class CellKey(NamedTuple):
    """Which cell: a test with one model on one surface."""

    test: str
    model: str
    surface: str


class Identity(NamedTuple):
    """What a cell is known by in another run: suites in two files may have tests of the same name."""

    suite: str
    key: CellKey


@dataclass(frozen=True)
class CellReport:
    """One cell. Figures that are undefined are None and left out by reporters; texts are cleaned by reporters."""

    key: CellKey
    status: Status
    runs: int = 0
    source: Source = ""
    verdicts: tuple[Verdict, ...] = ()
    errors: tuple[str, ...] = ()  # one line for each run that errored or was refused
    notes: tuple[str, ...] = ()  # what was skipped, or scored in spite of drift, and why
    passes: Rate | None = None  # runs in which everything asked of a single run was right
    tools: Mapping[str, int] = field(default_factory=dict, hash=False)  # real tools called, over all runs
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    tool_surface_tokens: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    path: str = ""  # the suite file as it was named, and where the test stands in it
    line: int = 0
    prompt: str = ""
    transcripts: tuple[Transcript, ...] = ()  # of each run, the padded ones last
    versions: Mapping[str, str] = field(
        default_factory=dict, hash=False
    )  # of Toolbooth and of the servers then

    @property
    def identity(self) -> Identity:
        """The file's own name counts, not the way to it: runs are made in different folders."""
        return Identity(PurePosixPath(self.path).name, self.key)

    def figure(self, name: str) -> float | None:
        """A figure of any gate by its last word (`f1`, `tokens_per_correct`, …); that without distractors first."""
        gates = sorted(self.verdicts, key=lambda verdict: verdict.gate == "distractors")
        found = (value for gate in gates for key, value in gate.figures.items() if _last(key) == name)
        return next(found, None)

    @property
    def grade(self) -> str:
        """The letter of the first gate that has one."""
        return next((verdict.grade for verdict in self.verdicts if verdict.grade), "")


def _last(target: str) -> str:
    return target.rpartition(".")[2]


class Moved(NamedTuple):
    """A figure of one cell, before and now (None: undefined); `worse` where it moved over what is allowed."""

    key: CellKey
    figure: str
    before: float | None
    now: float | None
    worse: bool


@dataclass(frozen=True)
class Comparison:
    """This run against a stored one: what moved, and what has no partner there."""

    baseline: str
    moved: tuple[Moved, ...] = ()
    added: tuple[CellKey, ...] = ()
    gone: tuple[CellKey, ...] = ()
    same: int = 0  # cells in which nothing moved

    @property
    def worse(self) -> tuple[Moved, ...]:
        """Those that fail the run."""
        return tuple(each for each in self.moved if each.worse)


@dataclass(frozen=True)
class Report:
    """All cells in the order of the suites."""

    suites: tuple[str, ...]
    cells: tuple[CellReport, ...] = ()
    warnings: tuple[str, ...] = ()
    seed: int = 0
    shard: str = ""
    partial: bool = False
    comparison: Comparison | None = None

    def count(self, status: Status) -> int:
        """How many cells ended so."""
        return sum(cell.status == status for cell in self.cells)

    @property
    def cost(self) -> float | None:
        """Dollars of all cells; None where all were free."""
        return summed(cell.cost for cell in self.cells)

    @property
    def exit_code(self) -> int:
        """The promise of the command line: refusals first, then what was not reachable, then what failed."""
        if self.count("refused"):
            return 5
        if self.count("error"):
            return 3
        worse = self.comparison is not None and bool(self.comparison.worse)
        return int(bool(self.count("failed")) or worse)
