"""A diagnosis with its price and budget: the one object behind table, JSON and Markdown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbooth.economics import Diagnosis, ToolDiagnosis
from toolbooth.tokens import CarryPrice

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources

WINDOW = 200_000
MOST_OFFENDERS = 10


@dataclass(frozen=True)
class Report:
    """What doctor found, and how it is judged."""

    diagnosis: Diagnosis
    sources: "Sources"
    price: CarryPrice | None
    price_note: str | None
    budget: int | None

    @property
    def window_share(self) -> float:
        """Share of a 200k context window that is spent before the first word."""
        return self.diagnosis.total_tokens / WINDOW

    @property
    def over_by(self) -> int:
        """Tokens above the budget; 0 where there is none or it holds."""
        return max(0, self.diagnosis.total_tokens - self.budget) if self.budget is not None else 0

    @property
    def offenders(self) -> tuple[ToolDiagnosis, ...]:
        """The heaviest tools that together weigh what is too much."""
        named: list[ToolDiagnosis] = []
        for each in self.diagnosis.tools:
            if sum(one.weight.tokens for one in named) >= self.over_by or len(named) == MOST_OFFENDERS:
                break
            named.append(each)
        return tuple(named)

    @property
    def incomplete(self) -> bool:
        """Something could not be weighed, so the total is too low."""
        return bool(self.sources.troubles)

    @property
    def exit_code(self) -> int:
        """1 over budget; 3 where a budget holds only because a server is missing; else 0."""
        if self.over_by:
            return 1
        return 3 if self.budget is not None and self.incomplete else 0
