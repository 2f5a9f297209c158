"""The file `run.json`: a report, written as stable bytes and read back."""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, get_args

from msgspec import Meta, field, structs

from toolbooth import limits, own_json
from toolbooth.suite import metrics, report
from toolbooth.suite.transcript import Count, RunPart, Transcript
from toolbooth.suite.verdict import Check, State, Verdict

__all__ = ["STATUSES", "plain", "read_run", "run_bytes"]

FORMAT: Final = "toolbooth-run"
VERSION: Final = 1
MAX_RUN: Final = 256 * limits.MIB  # a cell takes about 2 KB plus its transcripts: room for tens of thousands
STATUSES: Final[tuple[report.Status, ...]] = get_args(report.Status)

# -- the content of the file ---------------------------------------------------------------------------------------

Number = Annotated[int, Meta(gt=-(2**62), lt=2**62)] | float


class _Key(RunPart, frozen=True, kw_only=True):
    test: str
    model: str
    surface: str


class _Check(RunPart, frozen=True, kw_only=True):
    target: str
    wanted: str
    state: State
    found: Any = None
    why: str = ""


class _Verdict(RunPart, frozen=True, kw_only=True):
    gate: str
    checks: tuple[_Check, ...] = ()
    figures: dict[str, Number] = field(default_factory=dict)
    grade: str = ""
    missed: dict[str, Count] = field(default_factory=dict)
    unexpected: dict[str, Count] = field(default_factory=dict)


class _Rate(RunPart, frozen=True, kw_only=True):
    hits: Count
    of: Count
    low: Number
    high: Number


class _Cell(_Key, frozen=True, kw_only=True):
    status: report.Status
    runs: Count
    turns: Count
    input_tokens: Count
    output_tokens: Count
    seconds: Number
    line: Count
    source: report.Source = ""
    verdicts: tuple[_Verdict, ...] = ()
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    passes: _Rate | None = None
    tools: dict[str, Count] = field(default_factory=dict)
    tool_surface_tokens: Count | None = None
    cost: Number | None = None
    path: str = ""
    prompt: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    transcripts: tuple[Transcript, ...] = ()


class _Moved(_Key, frozen=True, kw_only=True):
    figure: str
    worse: bool
    before: Number | None = None
    now: Number | None = None


class _Comparison(RunPart, frozen=True, kw_only=True):
    baseline: str
    moved: tuple[_Moved, ...]
    added: tuple[_Key, ...]
    gone: tuple[_Key, ...]
    same: Count


class _Run(RunPart, frozen=True, kw_only=True):
    """`summary` is for other programs and is never read back."""

    format: str
    version: int
    suites: tuple[str, ...]
    cells: tuple[_Cell, ...]
    seed: int
    partial: bool
    summary: Any = None
    warnings: tuple[str, ...] = ()
    shard: str = ""
    comparison: _Comparison | None = None


_FILE: Final = own_json.OwnFormat(
    _Run,
    FORMAT,
    VERSION,
    foreign="is not a run.json; name a file that `toolbooth test --save` wrote",
    other_version="unknown run format '{version}'; this version of Toolbooth reads format "
    f"{VERSION}; run the suite again, or update Toolbooth",
    damaged="the run is damaged: {reason}; run the suite again",
)


def run_bytes(report: report.SuiteReport) -> bytes:
    """The file's bytes. Equal reports give equal bytes: sorted keys, ASCII, no time but that of the runs."""
    return own_json.encode(_run(report), indent=1, sort=True, only_ascii=True)


def read_run(path: Path | str) -> report.SuiteReport:
    """Read a report. A file that is damaged or not ours is refused with one line."""
    from toolbooth.catalog.config import read_regular

    path = Path(path)
    return _read(_FILE.read(read_regular(path, MAX_RUN), path))


def plain(value: Any) -> Any:
    """The value that a check found, as JSON."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if isfinite(value) else str(value)
        case Mapping():
            return {str(key): plain(entry) for key, entry in value.items()}
        case list() | tuple():
            return [plain(entry) for entry in value]
    return str(value)


# -- writing -------------------------------------------------------------------------------------------------------


def _figure(value: float | None) -> float | None:
    """Whole numbers as integers, so that reading and writing keeps the bytes; infinities become None."""
    if value is None or not isfinite(value):
        return None
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def _run(made: report.SuiteReport) -> _Run:
    return _Run(
        format=FORMAT,
        version=VERSION,
        summary=_summary(made),
        suites=made.suites,
        cells=tuple(map(_cell, made.cells)),
        seed=made.seed,
        partial=made.partial,
        warnings=made.warnings,
        shard=made.shard,
        comparison=None if made.comparison is None else _comparison(made.comparison),
    )


def _summary(made: report.SuiteReport) -> dict[str, Any]:
    counts = {status: made.count(status) for status in STATUSES}
    cost = _figure(made.cost)
    return {"cells": counts, "exit_code": made.exit_code, **({} if cost is None else {"cost": cost})}


def _cell(cell: report.CellReport) -> _Cell:
    fields = {name: getattr(cell, name) for name in _SAME}
    return _Cell(
        **cell.key._asdict(),
        **fields,
        seconds=_figure(cell.seconds) or 0,
        cost=_figure(cell.cost),
        passes=None if cell.passes is None else _rate(cell.passes),
        verdicts=tuple(map(_verdict, cell.verdicts)),
        tools=dict(cell.tools),
        versions=dict(cell.versions),
    )


def _rate(rate: metrics.Rate) -> _Rate:
    return _Rate(hits=rate.hits, of=rate.of, low=_figure(rate.low) or 0, high=_figure(rate.high) or 0)


def _verdict(verdict: Verdict) -> _Verdict:
    figures = {key: _figure(value) for key, value in verdict.figures.items()}
    return _Verdict(
        gate=verdict.gate,
        checks=tuple(map(_check, verdict.checks)),
        figures={key: value for key, value in figures.items() if value is not None},
        grade=verdict.grade,
        missed=dict(verdict.missed),
        unexpected=dict(verdict.unexpected),
    )


def _check(check: Check) -> _Check:
    return _Check(
        target=check.target, wanted=check.wanted, state=check.state, found=plain(check.found), why=check.why
    )


def _comparison(comparison: report.RunComparison) -> _Comparison:
    return _Comparison(
        baseline=comparison.baseline,
        moved=tuple(map(_moved, comparison.moved)),
        added=tuple(_Key(**key._asdict()) for key in comparison.added),
        gone=tuple(_Key(**key._asdict()) for key in comparison.gone),
        same=comparison.same,
    )


def _moved(moved: report.FigureChange) -> _Moved:
    return _Moved(
        **moved.key._asdict(),
        figure=moved.figure,
        worse=moved.worse,
        before=_figure(moved.before),
        now=_figure(moved.now),
    )


# -- reading -------------------------------------------------------------------------------------------------------

_APART: Final = frozenset(
    (*_Key.__struct_fields__, "seconds", "cost", "passes", "verdicts", "tools", "versions")
)
_SAME: Final = tuple(name for name in _Cell.__struct_fields__ if name not in _APART)


def _read(run: _Run) -> report.SuiteReport:
    return report.SuiteReport(
        suites=run.suites,
        cells=tuple(map(_read_cell, run.cells)),
        warnings=run.warnings,
        seed=run.seed,
        shard=run.shard,
        partial=run.partial,
        comparison=None if run.comparison is None else _read_comparison(run.comparison),
    )


def _read_cell(cell: _Cell) -> report.CellReport:
    fields = {name: getattr(cell, name) for name in (*_SAME, "seconds", "cost", "tools", "versions")}
    return report.CellReport(
        _key(cell),
        **fields,
        passes=None if cell.passes is None else metrics.Rate(**structs.asdict(cell.passes)),
        verdicts=tuple(map(_read_verdict, cell.verdicts)),
    )


def _read_verdict(verdict: _Verdict) -> Verdict:
    checks = tuple(Check(**structs.asdict(check)) for check in verdict.checks)
    return Verdict(**{**structs.asdict(verdict), "checks": checks})


def _read_comparison(made: _Comparison) -> report.RunComparison:
    return report.RunComparison(
        made.baseline,
        tuple(
            report.FigureChange(_key(each), each.figure, each.before, each.now, each.worse)
            for each in made.moved
        ),
        tuple(map(_key, made.added)),
        tuple(map(_key, made.gone)),
        made.same,
    )


def _key(part: _Key) -> report.CellKey:
    return report.CellKey(part.test, part.model, part.surface)
