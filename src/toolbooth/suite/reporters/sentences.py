"""The sentences of a report, as clean text that is the same in every reporter."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from toolbooth import figures
from toolbooth.suite import run_json, transcript
from toolbooth.suite.report import CellKey, CellReport, FigureChange, RunComparison, Status, SuiteReport
from toolbooth.suite.reporters.figures import SHOWN, clean, cost, shown
from toolbooth.suite.verdict import Check

NAME: Final = 120
MESSAGE: Final = 400
FOUND: Final = 160
MOST_NAMED: Final = 8
BAD: Final[tuple[Status, ...]] = ("failed", "error", "refused")


class CellNote(NamedTuple):
    """One note, and the cells that it is about."""

    words: str
    cells: tuple[CellReport, ...]


def cell_name(key: CellKey) -> str:
    """`find a file [claude-sonnet-4 · search]`."""
    column = column_name(key)
    return f"{clean(key.test, NAME)} [{column}]" if column else clean(key.test, NAME)


def column_name(key: CellKey) -> str:
    """The name of the column without the test."""
    return " · ".join(clean(part, NAME) for part in (key.model, key.surface) if part)


def place(cell: CellReport) -> str:
    """`suites/mail.yaml:12`, or as much of it as is known."""
    path = clean(cell.path, MESSAGE)
    return f"{path}:{cell.line}" if path and cell.line else path


def check_words(check: Check) -> str:
    """`tool_selection.f1: wanted >= 80, found 66`."""
    wanted = f"{clean(check.target, NAME)}: wanted {clean(check.wanted, FOUND)}"
    why = clean(check.why, MESSAGE)
    if check.state == "skipped":
        return f"{clean(check.target, NAME)}: skipped, {why}" if why else f"{wanted}, skipped"
    if check.found is None and why:
        return f"{wanted}, but {why}"
    return f"{wanted}, found {found_words(check)}" + (f" ({why})" if why else "")


def found_words(check: Check) -> str:
    """The value that was found, as JSON or as a formatted figure."""
    found = run_json.plain(check.found)
    if found is None:
        return "nothing"
    if isinstance(found, int | float) and not isinstance(found, bool):
        return shown(check.target, found)
    return clean(json.dumps(found, ensure_ascii=False, sort_keys=True), FOUND)


def failed_checks(cell: CellReport) -> list[str]:
    """The failed checks, each once, because two gates may have the same one."""
    checks = (check for verdict in cell.verdicts for check in verdict.checks if check.state == "failed")
    return list(dict.fromkeys(check_words(check) for check in checks))


def missed(cell: CellReport) -> dict[str, int]:
    """Classes that some run missed. The gates of a cell judge the same runs, so their counts are not added."""
    return _most([verdict.missed for verdict in cell.verdicts])


def unexpected(cell: CellReport) -> dict[str, int]:
    """Tools that no class names."""
    return _most([verdict.unexpected for verdict in cell.verdicts])


def times(counts: Mapping[str, int]) -> str:
    """`send (2×), list`, the most frequent first."""
    ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    named = [
        f"{clean(name, NAME)} ({count}×)" if count > 1 else clean(name, NAME)
        for name, count in ranked[:MOST_NAMED]
    ]
    left = len(ranked) - MOST_NAMED
    return ", ".join([*named, *([f"and {left} more"] if left > 0 else [])])


def reasons(cell: CellReport) -> list[str]:
    """Everything that is wrong with a cell, one sentence each."""
    lines = [clean(error, MESSAGE) for error in cell.errors] + failed_checks(cell)
    lines += [f"missed: {times(missed(cell))}"] if missed(cell) else []
    lines += [f"unexpected: {times(unexpected(cell))}"] if unexpected(cell) else []
    return [words for words in dict.fromkeys(lines) if words]


def notes(report: SuiteReport) -> list[CellNote]:
    """What was skipped, or scored despite drift, and why: each note once, with the cells it is about."""
    found: dict[str, list[CellReport]] = {}
    for cell in report.cells:
        for words in filter(None, dict.fromkeys(_noted(cell))):
            found.setdefault(words, []).append(cell)
    return [CellNote(words, tuple(cells)) for words, cells in found.items()]


def _noted(cell: CellReport) -> Iterator[str]:
    own = [clean(note, MESSAGE) for note in cell.notes]
    yield from own
    skipped = (check for verdict in cell.verdicts for check in verdict.checks if check.state == "skipped")
    for check in skipped:
        if not check.why or not any(clean(check.why, MESSAGE) in note for note in own):
            yield check_words(check)


def about(note: CellNote) -> str:
    """The name of the cell, or the number of cells."""
    return cell_name(note.cells[0].key) if len(note.cells) == 1 else figures.counted(len(note.cells), "cell")


def totals(report: SuiteReport) -> list[str]:
    """`21 passed`, `2 failed`, …, dollars."""
    if not report.cells:
        return ["nothing was run"]
    counts = [(report.count(status), status) for status in run_json.STATUSES]
    parts = [f"{figures.number(count)} {_plural(status, count)}" for count, status in counts if count]
    return parts + ([cost(report.cost)] if report.cost is not None else [])


def _plural(status: Status, count: int) -> str:
    return "errors" if status == "error" and count != 1 else status


def run_name(run: transcript.Transcript) -> str:
    """`run 2`, `padded run 1`."""
    return f"{'padded ' if run.padded else ''}run {run.run}"


def run_words(run: transcript.Transcript) -> str:
    """`3 calls · 1,204 tokens · 2026-11-18 08:26:29 UTC`, and how the run ended unless it simply finished."""
    calls = sum(len(turn.calls) for turn in run.turns) + run.left_out
    ended = {"max_turns": "reached max_turns", "error": "ended in an error", "refused": "refused"}
    tokens = figures.counted(run.tokens, "token") if run.tokens else ""
    parts = (ended.get(run.ended, ""), figures.counted(calls, "call"), tokens, moment(run.made_at))
    return " · ".join(part for part in parts if part)


def moment(made_at: str) -> str:
    """`2026-11-18 08:26:29 UTC`."""
    return clean(made_at, 40).replace("T", " ").replace("Z", " UTC")


def when(report: SuiteReport) -> str:
    """The times of the first and the last run and the version that made them, not the time of rendering."""
    days = sorted({run.made_at for cell in report.cells for run in cell.transcripts if run.made_at})
    made_by = sorted({cell.versions["toolbooth"] for cell in report.cells if "toolbooth" in cell.versions})
    span = f"{moment(days[0])} to {moment(days[-1])}" if len(days) > 1 else moment(days[0]) if days else ""
    by = f"by toolbooth {clean(', '.join(made_by), NAME)}" if made_by else ""
    return " ".join(filter(None, ("run", span, by))) if span or by else ""


def made_words(cell: CellReport) -> str:
    """`3 runs, replayed · model lexical · surface search · toolbooth 0.1.0 · tickets 2.1`."""
    runs = figures.counted(cell.runs, "run") + (f", {cell.source}" if cell.source else "")
    key = (
        f"model {cell.key.model}" if cell.key.model else "",
        f"surface {cell.key.surface}" if cell.key.surface else "",
    )
    ordered = sorted(cell.versions.items(), key=lambda each: (each[0] != "toolbooth", each[0]))
    versions = [f"{name} {version}" for name, version in ordered]
    more = [f"and {len(versions) - MOST_NAMED} more servers"] if len(versions) > MOST_NAMED else []
    parts = (runs, *key, *versions[:MOST_NAMED], *more)
    return " · ".join(clean(part, NAME) for part in parts if part)


def heading(report: SuiteReport) -> str:
    """`4 tests × 2 models × 3 surfaces`, and the number of cells if the matrix is not full."""
    keys = [cell.key for cell in report.cells]
    if not keys:
        return "no cells"
    sizes = [len(set(parts)) for parts in zip(*keys, strict=True)]
    nouns = zip(sizes, ("test", "model", "surface"), strict=True)
    words = " × ".join(figures.counted(size, noun) for size, noun in nouns)
    whole = sizes[0] * sizes[1] * sizes[2] == len(keys)
    return words if whole else f"{words}, {figures.counted(len(keys), 'cell')}"


def remarks(report: SuiteReport) -> list[str]:
    """Remarks about the run as a whole."""
    lines = ["this run ended early; the missing cells were not run"] if report.partial else []
    lines += [f"shard {clean(report.shard, NAME)} only"] if report.shard else []
    return lines + [words for warning in report.warnings if (words := clean(warning, MESSAGE))]


def moved_words(moved: FigureChange) -> str:
    """`F1 90 → 80`."""
    if moved.figure == "passed":
        return "passed → does not pass" if moved.before else "did not pass → passes"
    name = SHOWN.get(moved.figure, clean(moved.figure, NAME))
    return f"{name} {side(moved, moved.before)} → {side(moved, moved.now)}{_percent(moved)}"


def worse(report: SuiteReport) -> dict[CellKey, list[str]]:
    """What got worse than allowed, by cell."""
    found: dict[CellKey, list[str]] = {}
    for moved in report.comparison.worse if report.comparison else ():
        found.setdefault(moved.key, []).append(moved_words(moved))
    return found


def side(moved: FigureChange, value: float | None) -> str:
    """One side of a change."""
    return "undefined" if value is None else shown(moved.figure, value)


def _percent(moved: FigureChange) -> str:
    if moved.figure == "f1" or not moved.before or moved.now is None:
        return ""
    change = moved.now / moved.before - 1
    return f" ({'+' if change > 0 else ''}{figures.percent(change)})"


def comparison_totals(comparison: RunComparison) -> str:
    """`3 figures changed, 1 of them for the worse · 20 cells unchanged · …`."""
    moved = figures.counted(len(comparison.moved), "figure") + " changed"
    parts = [
        f"{moved}, {len(comparison.worse)} of them for the worse" if comparison.worse else moved,
        f"{figures.counted(comparison.same, 'cell')} unchanged",
        f"{figures.number(len(comparison.added))} new" if comparison.added else "",
        f"{figures.number(len(comparison.gone))} gone" if comparison.gone else "",
    ]
    return " · ".join(part for part in parts if part)


def _most(parts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts:
        for name, count in part.items():
            found[name] = max(count, found.get(name, 0))
    return found
