"""Savings of a mode → what is said of them: less, more, or withheld and why."""

from toolbooth.bench.report import Mode, SchemaCount, TokensSection
from toolbooth.web.digits import counted, number, percent


def savings_words(mode: Mode) -> str:
    """`93.4 % less`, `12 % more`, `withheld`."""
    if mode.mode == "baseline":
        return ""
    if mode.savings_vs_baseline is None:
        return "withheld"
    return less_or_more(mode.savings_vs_baseline)


def savings_cell(mode: Mode) -> str:
    """A percentage with its sign, or that it is withheld."""
    return "withheld" if mode.savings_vs_baseline is None else percent(mode.savings_vs_baseline)


def whole_savings_cell(mode: Mode) -> str:
    """The same of menu and instructions together."""
    return "withheld" if mode.savings_vs_baseline is None else percent(mode.savings_with_instructions)


def less_or_more(savings: float) -> str:
    """A share of the baseline that is saved, or paid on top of it."""
    if savings == 0:
        return "as much"
    return f"{percent(savings)} less" if savings > 0 else f"{percent(-savings)} more"


def why_withheld(section: TokensSection) -> str:
    """Which side has no schemas; both sides have them, or there is no percentage."""
    sides = (("of the servers", section.baseline_schemas), ("of the gateway", section.gateway_schemas))
    reasons = [_lacking(whose, count) for whose, count in sides if not count.counted]
    return "; ".join(reasons) or "the two sides cannot be compared; the notes say why"


def _lacking(whose: str, count: SchemaCount) -> str:
    total = count.real + count.without_parameters + count.missing
    if not count.real and not count.missing:
        return f"no tool {whose} has parameters"
    if count.real < count.without_parameters:
        return f"{number(count.real)} of {counted(total, 'tool')} {whose} have parameters, too few to compare"
    return f"{number(count.missing)} of {counted(total, 'tool')} {whose} came without a schema"
