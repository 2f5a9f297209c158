"""What a gate says of a cell: its checks, its figures, and what was missed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True)
class Check:
    """One assertion: what was wanted of a target and what was found. A skipped one says `why`."""

    target: str
    wanted: str
    found: Any = field(default=None, hash=False)
    state: State = "passed"
    why: str = ""


@dataclass(frozen=True)
class Verdict:
    """One gate of one cell. `figures` are its numbers by the names that can be asserted; undefined ones are absent."""

    gate: str
    checks: tuple[Check, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    grade: str = ""
    missed: Mapping[str, int] = field(default_factory=dict, hash=False)
    unexpected: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def state(self) -> State:
        """Failed if one check did; skipped if all were."""
        states = {check.state for check in self.checks}
        if "failed" in states:
            return "failed"
        return "skipped" if states == {"skipped"} else "passed"
