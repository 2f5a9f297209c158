"""The file `run.json`: a report, written as stable bytes and read back."""

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Final, NoReturn

from toolbooth import errors, limits
from toolbooth.suite import metrics, run_json_keys, transcript
from toolbooth.suite.report import CellKey, CellReport, FigureChange, RunComparison, Status, SuiteReport
from toolbooth.suite.verdict import Check, Verdict

__all__ = ["STATUSES", "plain", "read_run", "run_bytes"]

FORMAT: Final = "toolbooth-run"
VERSION: Final = 1
MAX_RUN: Final = 256 * limits.MIB  # a cell takes about 2 KB plus its transcripts: room for tens of thousands
STATUSES: Final[tuple[Status, ...]] = ("passed", "failed", "error", "refused", "not run")
JsonObject = dict[str, Any]


def run_bytes(report: SuiteReport) -> bytes:
    """The same report always gives the same bytes: sorted keys, ASCII, no time but that of the runs."""
    document = {"format": FORMAT, "version": VERSION, "summary": _summary(report), **_report(report)}
    return (json.dumps(document, sort_keys=True, indent=1, allow_nan=False) + "\n").encode("ascii")


def read_run(path: Path | str) -> SuiteReport:
    """Read a report. A file that is damaged or not ours is refused with one line."""
    from toolbooth.catalog.config import read_regular

    path = Path(path)
    document = _parsed(read_regular(path, MAX_RUN), path)
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise errors.ConfigError("is not a run.json; name a file that `toolbooth test --save` wrote", path)
    if document.get("version") != VERSION:
        raise errors.ConfigError(
            f"unknown run format {str(document.get('version'))[:20]!r}; this version of Toolbooth reads format "
            f"{VERSION}; run the suite again, or update Toolbooth",
            path,
        )
    return _read(run_json_keys.checked(document, path))


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


def _parsed(data: bytes, path: Path) -> Any:
    try:
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise errors.ConfigError(
            "is not JSON, or was cut off while being written; run the suite again", path
        ) from None


def _no_number(_word: str) -> NoReturn:
    raise ValueError


# -- writing: what is undefined or empty is left out ------------------------------------------------------------


def _filled(entries: Iterable[tuple[str, Any]]) -> JsonObject:
    return {key: value for key, value in entries if value is not None and value not in ("", [], {})}


def _figure(value: float | None) -> float | None:
    """Whole numbers as integers, so that reading and writing keeps the bytes; infinities become None."""
    if value is None or not isfinite(value):
        return None
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def _report(report: SuiteReport) -> JsonObject:
    return {
        "suites": list(report.suites),
        "cells": [_cell(cell) for cell in report.cells],
        "seed": report.seed,
        "partial": report.partial,
        **_filled({"warnings": list(report.warnings), "shard": report.shard}.items()),
        **({} if report.comparison is None else {"comparison": _comparison(report.comparison)}),
    }


def _summary(report: SuiteReport) -> JsonObject:
    """A summary for other programs, which is never read back."""
    counts = {status: report.count(status) for status in STATUSES}
    cost = _figure(report.cost)
    return {"cells": counts, "exit_code": report.exit_code, **({} if cost is None else {"cost": cost})}


def _cell(cell: CellReport) -> JsonObject:
    texts = {"source": cell.source, "errors": list(cell.errors), "notes": list(cell.notes), "path": cell.path}
    figures = {"tool_surface_tokens": cell.tool_surface_tokens, "cost": _figure(cell.cost)}
    rate = (
        None if cell.passes is None else {key: _figure(part) for key, part in cell.passes._asdict().items()}
    )
    return {
        **cell.key._asdict(),
        "status": cell.status,
        "runs": cell.runs,
        "turns": cell.turns,
        "input_tokens": cell.input_tokens,
        "output_tokens": cell.output_tokens,
        "seconds": _figure(cell.seconds) or 0,
        "line": cell.line,
        **_filled({**texts, **figures, "tools": dict(cell.tools), "passes": rate}.items()),
        **_filled([("verdicts", [_verdict(verdict) for verdict in cell.verdicts])]),
        **_filled([("prompt", cell.prompt), ("versions", dict(cell.versions))]),
        **_filled([("transcripts", [transcript.transcript_json(each) for each in cell.transcripts])]),
    }


def _verdict(verdict: Verdict) -> JsonObject:
    parts = {
        "checks": [_check(check) for check in verdict.checks],
        "figures": _filled((key, _figure(value)) for key, value in verdict.figures.items()),
        "grade": verdict.grade,
        "missed": dict(verdict.missed),
        "unexpected": dict(verdict.unexpected),
    }
    return {"gate": verdict.gate, **_filled(parts.items())}


def _check(check: Check) -> JsonObject:
    found = {} if check.found is None else {"found": plain(check.found)}
    return {
        "target": check.target,
        "wanted": check.wanted,
        "state": check.state,
        **found,
        **_filled([("why", check.why)]),
    }


def _comparison(comparison: RunComparison) -> JsonObject:
    return {
        "baseline": comparison.baseline,
        "moved": [_moved(moved) for moved in comparison.moved],
        "added": [key._asdict() for key in comparison.added],
        "gone": [key._asdict() for key in comparison.gone],
        "same": comparison.same,
    }


def _moved(moved: FigureChange) -> JsonObject:
    figures = _filled([("before", _figure(moved.before)), ("now", _figure(moved.now))])
    return {**moved.key._asdict(), "figure": moved.figure, "worse": moved.worse, **figures}


# -- reading: every key and kind has been checked ---------------------------------------------------------------


def _read(document: Mapping[str, Any]) -> SuiteReport:
    comparison = document.get("comparison")
    return SuiteReport(
        suites=tuple(document["suites"]),
        cells=tuple(_read_cell(cell) for cell in document["cells"]),
        warnings=tuple(document.get("warnings", ())),
        seed=document["seed"],
        shard=document.get("shard", ""),
        partial=document["partial"],
        comparison=None if comparison is None else _read_comparison(comparison),
    )


def _read_cell(raw: Mapping[str, Any]) -> CellReport:
    made = {key: value for key, value in raw.items() if key not in CellKey._fields}
    for key in ("errors", "notes"):
        made[key] = tuple(made.get(key, ()))
    made["transcripts"] = tuple(transcript.read_transcript(each) for each in made.get("transcripts", ()))
    made["verdicts"] = tuple(_read_verdict(verdict) for verdict in made.get("verdicts", ()))
    if "passes" in made:
        made["passes"] = metrics.Rate(**made["passes"])
    return CellReport(_key(raw), **made)


def _read_verdict(raw: Mapping[str, Any]) -> Verdict:
    checks = tuple(Check(**check) for check in raw.get("checks", ()))
    return Verdict(**{**raw, "checks": checks})


def _read_comparison(raw: Mapping[str, Any]) -> RunComparison:
    return RunComparison(
        raw["baseline"],
        tuple(
            FigureChange(_key(each), each["figure"], each.get("before"), each.get("now"), each["worse"])
            for each in raw["moved"]
        ),
        tuple(map(_key, raw["added"])),
        tuple(map(_key, raw["gone"])),
        raw["same"],
    )


def _key(raw: Mapping[str, Any]) -> CellKey:
    return CellKey(raw["test"], raw["model"], raw["surface"])
