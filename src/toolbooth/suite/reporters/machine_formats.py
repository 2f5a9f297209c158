"""The formats for programs: `run.json`, JUnit XML with a suite per test, and TAP version 14 with a point per cell."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from toolbooth.suite import run_json
from toolbooth.suite.report import CellReport, FigureChange, RunComparison, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


@registry.reporter(
    "json", "run.json: the whole report, for programs, for --baseline and for rendering it again"
)
def write_json(report: SuiteReport) -> str:
    """The form that `toolbooth report` reads."""
    return run_json.run_bytes(report).decode("ascii")


@registry.reporter("junit", "JUnit XML, which most CI systems show")
def write_junit(report: SuiteReport) -> str:
    """Figures are properties of the suite, because strict readers refuse properties inside a case."""
    from xml.etree.ElementTree import Element, indent, tostring

    root = Element("testsuites", name="toolbooth test")
    for test, cells in _by_test(report).items():
        _suite(root, test, cells)
    if report.comparison is not None:
        _compared(root, report.comparison)
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _by_test(report: SuiteReport) -> dict[str, list[CellReport]]:
    found: dict[str, list[CellReport]] = {}
    for cell in report.cells:
        found.setdefault(cell.key.test, []).append(cell)
    return found


def _suite(root: "Element", test: str, cells: Sequence[CellReport]) -> None:
    counts = {
        "tests": len(cells),
        "failures": sum(cell.status == "failed" for cell in cells),
        "errors": sum(cell.status in ("error", "refused") for cell in cells),
        "skipped": sum(cell.status == "not run" for cell in cells),
    }
    suite = _child(
        root,
        "testsuite",
        name=figures.clean(test, sentences.NAME),
        **{key: str(value) for key, value in counts.items()},
    )
    suite.set("time", _seconds(sum(cell.seconds for cell in cells)))
    named = [
        (f"{sentences.column_name(cell.key)}: {target}", str(value))
        for cell in cells
        if cell.runs
        for target, value in figures.raw_figures(cell).items()
    ]
    properties = _child(suite, "properties") if named else None
    for name, value in named if properties is not None else ():
        _child(properties, "property", name=name, value=value)
    for cell in cells:
        _case(suite, cell)


def _case(suite: "Element", cell: CellReport) -> None:
    case = _child(
        suite, "testcase", name=sentences.column_name(cell.key) or "run", time=_seconds(cell.seconds)
    )
    case.set(
        "classname",
        " ".join(
            part for part in (figures.clean(cell.path), figures.clean(cell.key.test, sentences.NAME)) if part
        ),
    )
    why = sentences.reasons(cell)
    if cell.status == "not run":
        _child(case, "skipped", message="not run")
    elif cell.status != "passed":
        kind = "failure" if cell.status == "failed" else "error"
        failure = _child(case, kind, message=why[0] if why else cell.status, type=cell.status)
        failure.text = "\n".join(
            [sentences.cell_name(cell.key), *([sentences.place(cell)] if sentences.place(cell) else []), *why]
        )
    lines = [figures.clean(note) for note in cell.notes]
    if lines:
        _child(case, "system-out").text = "\n".join(lines)


def _compared(root: "Element", comparison: RunComparison) -> None:
    """One passing case if nothing got worse, to show that the comparison was made."""
    worse = comparison.worse
    counts = {"tests": str(len(worse) or 1), "failures": str(len(worse)), "errors": "0", "skipped": "0"}
    name = f"compared with {figures.clean(comparison.baseline, sentences.NAME)}"
    suite = _child(root, "testsuite", name=name, **counts)
    if not worse:
        _child(suite, "testcase", name="nothing got worse", classname="baseline")
    for moved in worse:
        _moved(suite, moved)


def _moved(suite: "Element", moved: FigureChange) -> None:
    name = f"{sentences.cell_name(moved.key)} {figures.clean(moved.figure, sentences.NAME)}"
    case = _child(suite, "testcase", name=name, classname="baseline")
    _child(case, "failure", message=sentences.moved_words(moved), type="worse").text = sentences.moved_words(
        moved
    )


def _child(parent: "Element | None", tag: str, **attributes: str) -> "Element":
    from xml.etree.ElementTree import Element, SubElement

    return Element(tag, attributes) if parent is None else SubElement(parent, tag, attributes)


def _seconds(value: float) -> str:
    return f"{max(value, 0):.3f}"


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
        yield from _comparison_line(index, moved)
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


def _comparison_line(index: int, moved: FigureChange) -> Iterator[str]:
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
