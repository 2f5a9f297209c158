"""Figures → the digits that people read, the same in every reporter."""

from math import floor, isfinite, log10
from typing import Final

from toolbooth.suite.report import CellReport
from toolbooth.suite.reporters.clean import clean
from toolbooth.suite.wilson import Rate

# In this order, whichever gate they come from: the last word of a target, and how a person calls it.
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
_NO_DIGITS: Final = 100  # from here on fractions of a token say nothing
_BEYOND: Final = 1e15
_GRADES: Final = tuple("ABCDF")


def number(value: float) -> str:
    """12345.6 → 12,346; 12.34 → 12.3; whole numbers as they are."""
    if not isfinite(value) or abs(value) >= _BEYOND:
        return f"{value:.3g}"
    if value == int(value) or abs(value) >= _NO_DIGITS:
        return f"{round(value):,}"
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}"


def dollars(value: float) -> str:
    """Two decimals, or as many as show two digits of a small sum."""
    if value and abs(value) < 0.000_001:
        return "<$0.000001"
    decimals = 2 if not value or abs(value) >= 1 else max(2, 1 - floor(log10(abs(value))))
    return f"${value:,.{decimals}f}" if abs(value) < _BEYOND else f"${value:.3g}"


def shown(name: str, value: float) -> str:
    """A figure by the last word of its name: dollars or a number."""
    return dollars(value) if name.rpartition(".")[2] in ("cost", "cost_per_correct") else number(value)


def figure(cell: CellReport, name: str) -> str:
    """A figure of a cell; nothing where it is undefined."""
    value = cell.figure(name)
    return "" if value is None or not isfinite(value) else shown(name, value)


def cost(value: float | None) -> str:
    """Nothing for a free run."""
    return "" if value is None else dollars(value)


def f1_and_grade(cell: CellReport) -> str:
    """`93 A`."""
    return f"{figure(cell, 'f1')} {grade(cell)}".strip()


def grade(cell: CellReport) -> str:
    """One letter."""
    return cell.grade if cell.grade in _GRADES else ""


def share(rate: Rate | None) -> str:
    """`2/3`: runs in which all was right."""
    return "" if rate is None else f"{rate.hits}/{rate.of}"


def interval(rate: Rate | None) -> str:
    """`21–94%`: where the true rate lies, with 95 % confidence."""
    return "" if rate is None else f"{round(rate.low * 100)}–{round(rate.high * 100)}%"


def figures_of(cell: CellReport) -> dict[str, str]:
    """Every figure that people know by a name, and what the cell as a whole cost; undefined ones are absent."""
    named = {words: figure(cell, name) for name, words in SHOWN.items()}
    passes = f"{share(cell.passes)} ({interval(cell.passes)})" if cell.passes is not None else ""
    whole = {
        "grade": grade(cell),
        "runs right": passes,
        "turns": number(cell.turns) if cell.turns else "",
        "input tokens": number(cell.input_tokens) if cell.input_tokens else "",
        "output tokens": number(cell.output_tokens) if cell.output_tokens else "",
        "dollars": cost(cell.cost),
    }
    if not named["surface tokens"] and cell.tool_surface_tokens is not None:
        named["surface tokens"] = number(cell.tool_surface_tokens)
    return {words: digits for words, digits in (named | whole).items() if digits}


def raw_figures(cell: CellReport) -> dict[str, float]:
    """For programs: every figure by the name under which it can be asserted, unrounded."""
    gates = {clean(key): value for verdict in cell.verdicts for key, value in verdict.figures.items()}
    whole = {"cost": cell.cost, "input_tokens": cell.input_tokens, "output_tokens": cell.output_tokens}
    known = {key: value for key, value in (gates | whole).items() if value is not None and isfinite(value)}
    return {key: int(value) if value == int(value) else value for key, value in sorted(known.items())}
