"""The figures of a cell as every reporter prints them, and foreign text cleaned to one safe line."""

from math import isfinite
from typing import Final

from toolbooth import figures
from toolbooth.safetext import for_build_log as clean
from toolbooth.suite import metrics, report

__all__ = ["clean"]


# The figures in the order of printing: the last part of a target, and its name for people.
SHOWN: Final = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "correct_selections": "right choices",
    "tool_surface_tokens": "surface tokens",
    "tokens_per_correct": "tokens per correct",
    "paid_tokens_per_correct": "paid tokens per correct",
    "cost_per_correct": "dollars per correct",
}
_GRADES: Final = tuple("ABCDF")


def shown(name: str, value: float) -> str:
    """A figure as dollars or as a number, by the last part of its name."""
    return (
        figures.dollars(value)
        if name.rpartition(".")[2] in ("cost", "cost_per_correct")
        else figures.number(value)
    )


def figure(cell: report.CellReport, name: str) -> str:
    """A figure of a cell; empty if it is undefined."""
    value = cell.figure(name)
    return "" if value is None or not isfinite(value) else shown(name, value)


def cost(value: float | None) -> str:
    """Dollars; empty for a free run."""
    return "" if value is None else figures.dollars(value)


def f1_and_grade(cell: report.CellReport) -> str:
    """`93 A`."""
    return f"{figure(cell, 'f1')} {grade(cell)}".strip()


def grade(cell: report.CellReport) -> str:
    """The letter of the cell; empty if it has none."""
    return cell.grade if cell.grade in _GRADES else ""


def share(rate: metrics.Rate | None) -> str:
    """`2/3`: the runs that satisfied every gate."""
    return "" if rate is None else f"{rate.hits}/{rate.of}"


def interval(rate: metrics.Rate | None) -> str:
    """`21–94%`: the 95% confidence interval of the true rate."""
    return "" if rate is None else f"{round(rate.low * 100)}–{round(rate.high * 100)}%"


def figures_of(cell: report.CellReport) -> dict[str, str]:
    """Every figure with a name for people, and the cost of the whole cell; undefined ones are absent."""
    named = {words: figure(cell, name) for name, words in SHOWN.items()}
    passes = f"{share(cell.passes)} ({interval(cell.passes)})" if cell.passes is not None else ""
    whole = {
        "grade": grade(cell),
        "runs right": passes,
        "turns": figures.number(cell.turns) if cell.turns else "",
        "input tokens": figures.number(cell.input_tokens) if cell.input_tokens else "",
        "output tokens": figures.number(cell.output_tokens) if cell.output_tokens else "",
        "dollars": cost(cell.cost),
    }
    if not named["surface tokens"] and cell.tool_surface_tokens is not None:
        named["surface tokens"] = figures.number(cell.tool_surface_tokens)
    return {words: digits for words, digits in (named | whole).items() if digits}


def raw_figures(cell: report.CellReport) -> dict[str, float]:
    """For programs: every figure by the name that assertions use, unrounded."""
    gates: dict[str, float] = {}
    for key, value in cell.figures():
        gates.setdefault(clean(key), value)
    whole = {"cost": cell.cost, "input_tokens": cell.input_tokens, "output_tokens": cell.output_tokens}
    known = {key: value for key, value in (gates | whole).items() if value is not None and isfinite(value)}
    return {key: int(value) if value == int(value) else value for key, value in sorted(known.items())}
