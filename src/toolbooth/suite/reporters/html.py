"""The report as one self-contained HTML page: a matrix of tests by models and surfaces, and every cell in detail."""

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from toolbooth import figures, safetext
from toolbooth.suite import run_json
from toolbooth.suite.report import CellKey, CellReport, SuiteReport
from toolbooth.suite.reporters import registry, sentences
from toolbooth.suite.reporters.figures import clean, cost, f1_and_grade, figure, figures_of

if TYPE_CHECKING:
    from jinja2 import Template


_PER_CORRECT = ("tokens_per_correct", "paid_tokens_per_correct")


class ShownCell(NamedTuple):
    """A cell with its index in the report, which is its anchor."""

    at: int
    cell: CellReport


class Header(NamedTuple):
    """A model over the columns of its surfaces."""

    model: str
    surfaces: tuple[str, ...]


@dataclass(frozen=True)
class Matrix:
    """Rows of tests; None where there is no cell."""

    headers: tuple[Header, ...]
    rows: tuple[tuple[str, tuple[ShownCell | None, ...]], ...]


@registry.reporter(
    "html",
    "one page for people: tests × models × surfaces with transcripts; no scripts, nothing is loaded",
)
def write(report: SuiteReport) -> str:
    """Every text is cleaned, and then escaped by the template."""
    cells = [ShownCell(index, cell) for index, cell in enumerate(report.cells)]
    return _template().render(
        report=report,
        cells=cells,
        matrix=matrix(report),
        by_column=by_column(report),
        words=sentences,
        counted=figures.counted,
        counts=[(status, report.count(status)) for status in run_json.STATUSES],
        bad=sentences.BAD,
    )


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("toolbooth.suite.reporters", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "clean": clean,
        "cost": cost,
        "f1": f1_and_grade,
        "figure": figure,
        "lines": safetext.code_for_terminal,
        "figures": figures_of,
        "slug": lambda status: status.replace(" ", "-"),
    }
    return environment.get_template("page.html.jinja")


def matrix(report: SuiteReport) -> Matrix:
    """Tests and columns in the order of their first cell; two files may have a test of the same name."""
    found = {(cell.path, cell.key): ShownCell(at, cell) for at, cell in enumerate(report.cells)}
    columns = _columns(report)
    tests = dict.fromkeys((cell.path, cell.key.test) for cell in report.cells)
    headers = tuple(
        Header(model, tuple(surface for _model, surface in group))
        for model, group in groupby(columns, key=lambda column: column[0])
    )
    rows = tuple(
        (test, tuple(found.get((path, CellKey(test, *column))) for column in columns)) for path, test in tests
    )
    return Matrix(headers, rows)


def _columns(report: SuiteReport) -> list[tuple[str, str]]:
    pairs = dict.fromkeys((cell.key.model, cell.key.surface) for cell in report.cells)
    models = list(dict.fromkeys(model for model, _surface in pairs))
    return sorted(pairs, key=lambda pair: models.index(pair[0]))


class ColumnSums(NamedTuple):
    """A model on a surface over all its tests: means of the defined figures."""

    model: str
    surface: str
    passed: str
    f1: str
    tokens: str
    paid: str
    cost: str


def by_column(report: SuiteReport) -> list[ColumnSums]:
    """The figures of each model and surface, for comparison."""
    return [_sums(report, model, surface) for model, surface in _columns(report)]


def _sums(report: SuiteReport, model: str, surface: str) -> ColumnSums:
    cells = [cell for cell in report.cells if cell.key[1:] == (model, surface)]
    passed = sum(cell.status == "passed" for cell in cells)
    spent = SuiteReport((), tuple(cells)).cost
    f1, tokens, paid = (_mean(cells, name) for name in ("f1", *_PER_CORRECT))
    return ColumnSums(model, surface, f"{passed}/{len(cells)}", f1, tokens, paid, cost(spent))


def _mean(cells: list[CellReport], name: str) -> str:
    known = [value for cell in cells if (value := cell.figure(name)) is not None]
    return figures.number(sum(known) / len(known)) if known else ""
