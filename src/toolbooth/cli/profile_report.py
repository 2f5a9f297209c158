"""A profile with its gate: the one object behind table and JSON of `toolbooth profile`."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from toolbooth.economics import CatalogProfile, Remedy, Risk, ToolProfile, remedies

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources


class Gate(NamedTuple):
    """What is not to be: answers of that risk or worse, and answers that nothing bounds."""

    fail_on: Risk | None = None
    unbounded: bool = False

    @property
    def is_set(self) -> bool:
        """Whether anything was asked for."""
        return self.fail_on is not None or self.unbounded


@dataclass(frozen=True)
class Report:
    """What profile found, and how it is judged."""

    profile: CatalogProfile
    sources: "Sources"
    notes: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)

    @cached_property
    def remedies(self) -> tuple[Remedy, ...]:
        """What to do, the most pressing first."""
        return remedies(self.profile)

    @cached_property
    def offenders(self) -> tuple[ToolProfile, ...]:
        """Tools that the gate does not let pass, the riskiest first."""
        return tuple(tool for tool in self.profile.ranked if self._fails(tool))

    @property
    def incomplete(self) -> bool:
        """Something could not be reached, so what passes may not be all."""
        return bool(self.sources.troubles)

    @property
    def exit_code(self) -> int:
        """1 where the gate fails; 3 where it holds only because a server is missing; else 0."""
        if self.offenders:
            return 1
        return 3 if self.gate.is_set and self.incomplete else 0

    def _fails(self, tool: ToolProfile) -> bool:
        risky = self.gate.fail_on is not None and tool.risk is not None and tool.risk >= self.gate.fail_on
        return risky or (self.gate.unbounded and not tool.answers.bounded)
