"""Assertions, their checks, and the verdict of a gate.

An assertion is compiled when the suite is loaded. Checked against a value, it passes, fails, or is skipped with a
reason.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from toolbooth.suite import matchers, trace

State = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True)
class Check:
    """One checked assertion: what was wanted of a target and what was found. A skipped check has a reason, `why`."""

    target: str
    wanted: str
    found: Any = field(default=None, hash=False)
    state: State = "passed"
    why: str = ""


@dataclass(frozen=True)
class Verdict:
    """One gate of one cell. `figures` are its numbers by the names that assertions use; undefined ones are absent."""

    gate: str
    checks: tuple[Check, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    grade: str = ""
    missed: Mapping[str, int] = field(default_factory=dict, hash=False)
    unexpected: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def state(self) -> State:
        """Failed if a check failed; skipped if all checks were skipped."""
        states = {check.state for check in self.checks}
        if "failed" in states:
            return "failed"
        return "skipped" if states == {"skipped"} else "passed"


_SHOWN = 200  # characters of an argument; a report is read by people


class MissingValue(NamedTuple):
    """A figure that is missing. With `skip`, assertions on it are skipped; else they fail."""

    why: str
    skip: bool = False


_REDACTED_PART = "a part that looks like a secret was redacted"
FREE = MissingValue("the runs were free, or their cost is unknown", skip=True)
NOTHING_RIGHT = MissingValue("no selection was correct, so there is no figure per correct selection")


@dataclass(frozen=True)
class Assertion:
    """What is wanted of one target; compiled when the suite is loaded."""

    target: str
    matcher: matchers.Matcher
    argument: Any = field(hash=False)
    fits: matchers.Fits = field(repr=False, compare=False)

    @property
    def wanted(self) -> str:
        """The wanted value in words: `>= 80`."""
        text = (
            self.argument if isinstance(self.argument, str) else json.dumps(self.argument, ensure_ascii=False)
        )
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        return f"{self.matcher.name} {shown}"

    def check(self, found: Any) -> Check:
        """Judge one value, or the lack of one."""
        if isinstance(found, MissingValue):
            return Check(self.target, self.wanted, None, "skipped" if found.skip else "failed", found.why)
        if self.fits(found):
            return Check(self.target, self.wanted, found)
        return Check(
            self.target, self.wanted, found, "failed", _REDACTED_PART if trace.REDACTED in str(found) else ""
        )
