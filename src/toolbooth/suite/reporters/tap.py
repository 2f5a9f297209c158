"""The report as TAP version 14: one test point per cell, with YAML diagnostics."""

import json
from collections.abc import Iterator
from typing import Any

from toolbooth.suite.report import CellReport, FigureChange, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences


@registry.reporter("tap", "the Test Anything Protocol, version 14")
def write(report: SuiteReport) -> str:
    """Figures that got worse are test points of their own, after the cells."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: SuiteReport) -> Iterator[str]:
    worse = report.comparison.worse if report.comparison else ()
    count = len(report.cells) + len(worse)
    yield "TAP version 14"
    yield f"1..{count}" if count else "1..0 # SKIP nothing was run"
    for index, cell in enumerate(report.cells, 1):
        yield from _point(index, cell)
    for index, moved in enumerate(worse, len(report.cells) + 1):
        yield from _moved(index, moved)
    for note in sentences.notes(report):
        yield f"# note: {sentences.about(note)}: {note.words}"
    for remark in sentences.remarks(report):
        yield f"# warning: {remark}"
    yield f"# {', '.join(sentences.totals(report))}"


def _point(index: int, cell: CellReport) -> Iterator[str]:
    name = _escaped(sentences.cell_name(cell.key))
    if cell.status == "not run":
        yield f"ok {index} - {name} # SKIP not run"
        return
    bad = cell.status in sentences.BAD
    yield f"{'not ok' if bad else 'ok'} {index} - {name}"
    parts: dict[str, Any] = {
        "severity": cell.status if bad else "",
        "at": sentences.place(cell) if bad else "",
    }
    parts |= {"reasons": sentences.reasons(cell) if bad else [], "figures": figures.raw_figures(cell)}
    yield from _diagnostics(parts)


def _moved(index: int, moved: FigureChange) -> Iterator[str]:
    yield f"not ok {index} - {_escaped(sentences.cell_name(moved.key))} got worse"
    yield from _diagnostics({"severity": "worse", "reasons": [sentences.moved_words(moved)]})


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("#", "\\#")


def _diagnostics(parts: dict[str, Any]) -> Iterator[str]:
    """The text is clean and has no control characters, so its JSON is also valid YAML."""
    filled = {key: value for key, value in parts.items() if value}
    if not filled:
        return
    yield "  ---"
    for key, value in filled.items():
        yield f"  {key}: {json.dumps(value, ensure_ascii=False)}"
    yield "  ..."
