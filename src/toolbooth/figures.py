"""Numbers formatted for people, the same in tables, sentences, reports and pages.

Unknown and infinite values are shown as a dash, a negative number has a real minus sign, and a share below the whole
is never rounded up to 100%. Programs read JSON, which has the unrounded values.
"""

from decimal import Decimal
from math import floor, isfinite, log10
from typing import Final

__all__ = [
    "UNKNOWN",
    "counted",
    "dollars",
    "megabytes",
    "milliseconds",
    "number",
    "percent",
    "short",
    "times",
]

UNKNOWN: Final = "–"
_WHOLE_FROM: Final = 100  # from here on, fractions of a token mean nothing
_BEYOND: Final = 1e15
_UNITS: Final = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def number(value: float | None) -> str:
    """12345.6 → 12,346; 12.34 → 12.3; 0.0123 → 0.012."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if abs(value) >= _BEYOND:
        return _signed(f"{value:.3g}")
    if value == int(value) or abs(value) >= _WHOLE_FROM:
        return _signed(f"{round(value):,}")
    return _signed(f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}")


def short(value: float) -> str:
    """1500 → 1.5k, 20000 → 20k, 0.2 → 0.2."""
    if not isfinite(value):
        return UNKNOWN
    for size, unit in _UNITS:
        if abs(value) >= size:
            return _signed(f"{value / size:.3g}{unit}")
    return _signed(f"{value:.3g}")


def counted(count: float, noun: str, plural: str = "") -> str:
    """1 tool, 2 tools, 1,234 tools."""
    return f"{number(count)} {noun if count == 1 else plural or f'{noun}s'}"


def percent(share: float | None) -> str:
    """0.934 → 93.4%, -0.12 → −12%; never 100% for less than all, never 0% for more than nothing."""
    if share is None or not isfinite(share):
        return UNKNOWN
    if abs(share) >= _BEYOND:
        return f"{share * 100:.3g}%"
    tenths = f"{share * 100:.1f}"
    if tenths == "100.0" and share != 1:
        tenths = f"{floor(share * 10_000) / 100:.2f}"
    if tenths in ("0.0", "-0.0") and share:
        return "<0.1%" if share > 0 else "−0.1%"
    return _signed(f"{tenths.removesuffix('.0')}%")


def dollars(amount: float | Decimal | None) -> str:
    """An amount with two decimals, or with as many as a small amount needs for two digits."""
    if amount is None or not isfinite(amount):
        return UNKNOWN
    amount = float(amount)
    if amount and abs(amount) < 0.000_001:
        return "<$0.000001"
    decimals = 2 if not amount or abs(amount) >= 1 else max(2, 1 - floor(log10(abs(amount))))
    return f"${amount:,.{decimals}f}" if abs(amount) < _BEYOND else f"${amount:.3g}"


def milliseconds(value: float | None) -> str:
    """A time with at least two digits, in the usual unit: 84 µs, 12 ms, 1.4 s."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if value >= 1000:
        return f"{_two_digits(value / 1000)} s"
    return f"{_two_digits(value * 1000)} µs" if 0 < value < 0.1 else f"{_two_digits(value)} ms"


def megabytes(value: float | None) -> str:
    """A size with its unit: 12 MB, 10 GB."""
    if value is None or not isfinite(value):
        return UNKNOWN
    return f"{_two_digits(value / 1024)} GB" if value >= 10_240 else f"{_two_digits(value)} MB"


def times(ratio: float | None) -> str:
    """A ratio: 1.84×."""
    if ratio is None or not isfinite(ratio):
        return UNKNOWN
    return f"{number(ratio)}×" if abs(ratio) >= 1000 else f"{_signed(f'{ratio:.3g}')}×"


def _two_digits(value: float) -> str:
    """A number with at least two significant digits, and no decimals from ten on."""
    if abs(value) >= _BEYOND:
        return f"{value:.3g}"
    if value >= 100 or value <= 0:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 1 - floor(log10(value)))}f}" if value >= 1e-6 else f"{value:.2g}"


def _signed(text: str) -> str:
    return text.replace("-", "−")
