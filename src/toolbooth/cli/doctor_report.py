"""A diagnosis with its price and budget: the one object behind table, JSON and Markdown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbooth.cli.doctor_clients import ClientSurface
from toolbooth.economics import Diagnosis, ToolDiagnosis
from toolbooth.tokens import CarryPrice

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources

WINDOW = 200_000
MOST_OFFENDERS = 10


@dataclass(frozen=True)
class Report:
    """What doctor found, and how it is judged: by the heaviest of the `clients`, which stand heaviest first.

    `diagnosis` is of everything that was weighed, each tool once.
    """

    diagnosis: Diagnosis
    clients: tuple[ClientSurface, ...]
    sources: "Sources"
    price: CarryPrice | None
    price_note: str | None
    budget: int | None

    @property
    def heaviest(self) -> ClientSurface:
        """The client whose model reads most."""
        return self.clients[0]

    @property
    def tokens(self) -> int:
        """What that client's model reads on every call."""
        return self.heaviest.tokens

    @property
    def is_plain(self) -> bool:
        """One client, or none, without a gateway: then its tools are all that there is to show."""
        return len(self.clients) == 1 and not self.heaviest.menus

    @property
    def window_share(self) -> float:
        """Share of a 200k context window that is spent before the first word."""
        return self.tokens / WINDOW

    @property
    def over_by(self) -> int:
        """Tokens above the budget; 0 where there is none or it holds."""
        return max(0, self.tokens - self.budget) if self.budget is not None else 0

    @property
    def also_over(self) -> tuple[ClientSurface, ...]:
        """Other clients above the budget."""
        return tuple(
            each for each in self.clients[1:] if self.budget is not None and each.tokens > self.budget
        )

    @property
    def offenders(self) -> tuple[ToolDiagnosis, ...]:
        """The heaviest tools of the heaviest client that together weigh what is too much."""
        named: list[ToolDiagnosis] = []
        for each in self.heaviest.diagnosis.tools:
            if each.tool.server not in self.heaviest.direct:
                continue
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
