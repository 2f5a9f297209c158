"""A profile with its gate, and the words and numbers that describe it.

An estimated number carries the sign ≈ wherever it is printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from toolbooth import catalog, economics, figures, safetext


class ProfileGate(NamedTuple):
    """What fails: answers of this risk or worse, and unbounded answers."""

    fail_on: economics.Risk | None = None
    unbounded: bool = False

    @property
    def is_set(self) -> bool:
        """Whether anything was asked for."""
        return self.fail_on is not None or self.unbounded


@dataclass(frozen=True)
class ProfileReport:
    """What profile found, and how it is judged."""

    profile: economics.CatalogProfile
    sources: catalog.Sources
    notes: tuple[str, ...] = ()
    gate: ProfileGate = field(default_factory=ProfileGate)

    @cached_property
    def remedies(self) -> tuple[economics.Remedy, ...]:
        """What to do, the most pressing first."""
        return economics.remedies(self.profile)

    @cached_property
    def offenders(self) -> tuple[economics.ToolProfile, ...]:
        """Tools that fail the gate, the riskiest first."""
        return tuple(tool for tool in self.profile.ranked if self._fails(tool))

    @property
    def incomplete(self) -> bool:
        """Something could not be reached, so the gate did not see every tool."""
        return bool(self.sources.source_errors)

    @property
    def exit_code(self) -> int:
        """1 where the gate fails; 2 or 3 where it holds only because a file or server is missing; else 0."""
        if self.offenders:
            return 1
        return self.sources.failure_code if self.gate.is_set and self.incomplete else 0

    def _fails(self, tool: economics.ToolProfile) -> bool:
        risky = self.gate.fail_on is not None and tool.risk is not None and tool.risk >= self.gate.fail_on
        return risky or (self.gate.unbounded and not tool.answers.bounded)


MOST_OFFENDERS = 10
_SERVER = 18
_ORIGINS = {"ledger": "the gateway's ledger", "recorded": "recorded calls", "traces": "traces of agents"}


def about(tokens: int) -> str:
    """A number marked as an estimate."""
    return f"≈{figures.number(tokens)}"


def most_words(tool: economics.ToolProfile) -> str:
    """The most that an answer is estimated to cost."""
    profile = tool.answers.profile
    return about(profile.max_tokens) if profile and profile.max_tokens else "?"


def least_words(tool: economics.ToolProfile) -> str:
    """The least; a cap may be below it, and is then the most and the least."""
    profile = tool.answers.profile
    return about(min(profile.min_tokens, profile.max_tokens)) if profile and profile.fields else "?"


def tool_words(tool: economics.ToolProfile, *, alone: bool) -> str:
    """A name for a table: without the server if there is only one; a long server name is shortened first."""
    server = "" if alone else safetext.for_terminal(tool.tool.server, _SERVER)
    return f"{server}.{safetext.for_terminal(tool.tool.name, 60)}".removeprefix(".")


def overhead_words(tool: economics.ToolProfile) -> str:
    """Tokens that every answer repeats at its beginning, for each 100 of data."""
    overhead = tool.measured.overhead if tool.measured else None
    if overhead is None:
        return ""
    return "all" if overhead.ratio is None else f"{overhead.ratio * 100:.0f}%"


def bound_words(answers: economics.AnswerRisk) -> str:
    """What bounds the answers, in as few words as a column has."""
    words = (answers.bounded_by or "nothing").removeprefix("limit input ").removeprefix("cap of ")
    return safetext.for_terminal(words, 60)


def risk_words(tools: Sequence[economics.ToolProfile]) -> str:
    """The worst that is known. `low` is uncertain for an unbounded tool that was never measured."""
    worst = economics.worst_risk(tools)
    unsure = worst is economics.Risk.LOW and any(
        not tool.answers.bounded and not tool.is_risk_measured for tool in tools
    )
    return "low?" if unsure else worst or "unknown"


def before_words(tool: economics.ToolProfile) -> str:
    """The risk as it is, with the numbers behind it: a wrong estimate is visible beside real answers."""
    if tool.risk is None:
        return "unknown"
    seen = f", {figures.number(tool.measured.worst)} seen" if tool.measured else ""
    return f"{tool.risk}{seen}" if tool.is_risk_measured else f"{tool.risk} {most_words(tool)}{seen}"


def change_words(tool: economics.ToolProfile, after: economics.AnswerRisk | None) -> str:
    """Before and after; `unbounded` is added where the risk itself does not improve."""
    before = before_words(tool)
    if after is None or after.profile is None or after.risk is None:
        return f"{before} → limited in items"
    won = tool.risk is None or after.risk < tool.risk
    opened = "" if won or tool.answers.bounded else ", unbounded"
    capped = after.profile.egress_max_bytes is not None
    tier = f"{after.risk}{', ' if capped else ' '}" if won or not capped else ""
    return f"{before}{opened} → {tier}{'at most ' if capped else ''}{about(after.profile.max_tokens)}"


def effect_words(remedy: economics.Remedy) -> str:
    """The effect of a config line in words."""
    several = f" ({figures.counted(len(remedy.tools), 'tool')})" if len(remedy.tools) > 1 else ""
    return f"{change_words(remedy.first, remedy.after)}{several}"


def legend_lines(report: ProfileReport, top: int) -> list[str]:
    """What the signs in the table mean; only those that occur in it."""
    shown = report.profile.ranked[:top]
    rows = any(tool.answers.profile and not tool.answers.bounded for tool in shown)
    estimated = f"≈: an estimate from field names{', at 100 rows where nothing limits them' if rows else ''}"
    signs = {
        estimated: any(tool.answers.profile for tool in shown),
        "low?: small, as far as the field names show; one field may hold a whole file": any(
            risk_words([tool]) == "low?" for tool in shown
        ),
        "?: unknown; neither an output schema nor a recorded answer has a list of objects": any(
            tool.answers.profile is None for tool in shown
        ),
    }
    found = [words for words, is_there in signs.items() if is_there]
    return [*found, origin_words(report), error_words(report.profile.estimate_errors)]


def error_words(errors: economics.EstimateErrors | None) -> str:
    """How far the estimates are off."""
    if errors is None:
        return ""
    measured = (
        f"{figures.counted(errors.tools, 'tool')} with {figures.counted(errors.answers, 'real answer')}"
    )
    what = f"error: estimate ÷ worst answer seen, below 1× is too low; {figures.times(errors.median)}"
    if errors.tools == 1:
        return f"{what} for {measured}"
    return (
        f"{what} in the median, {figures.times(errors.least)} to {figures.times(errors.most)} overall, for "
        f"{measured}"
    )


def origin_words(report: ProfileReport) -> str:
    """Where the measured numbers are from."""
    origins = {tool.measured.origin for tool in report.profile.tools if tool.measured}
    named = " and ".join(words for origin, words in _ORIGINS.items() if origin in origins)
    inexact = any(tool.measured and not tool.measured.exact for tool in report.profile.tools)
    return (
        f"seen: measured answers from {named}" + ("; very long answers are sampled" if inexact else "")
        if named
        else ""
    )


def gate_words(report: ProfileReport) -> str:
    """The verdict, with the offenders named."""
    gate = report.gate
    if not gate.is_set:
        return ""
    worse = "" if gate.fail_on == "critical" else " or worse"
    wanted = [f"risk {gate.fail_on}{worse}"] if gate.fail_on else []
    asked = " or ".join([*wanted, *(["unlimited answers"] if gate.unbounded else [])])
    if report.offenders:
        return f"failed: {figures.counted(len(report.offenders), 'tool')} with {asked}: {_offenders(report)}"
    if report.incomplete:
        return f"not confirmed: no tool with {asked}, but not every server could be reached"
    unknown = sum(tool.risk is None for tool in report.profile.tools)
    passed = (
        f"; {figures.counted(unknown, 'tool')} of unknown size passed"
        if unknown and not gate.unbounded
        else ""
    )
    return f"passed: no tool with {asked}{passed}"


def _offenders(report: ProfileReport) -> str:
    alone, found = len(report.profile.servers) == 1, report.offenders
    shown = found[:MOST_OFFENDERS]
    named = ", ".join(f"{tool_words(tool, alone=alone)} ({before_words(tool)})" for tool in shown)
    return named + (f" and {figures.number(len(found) - len(shown))} more" if len(found) > len(shown) else "")
