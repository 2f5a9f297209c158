"""All that the gates of one cell may look at."""

from dataclasses import dataclass

from toolbooth.catalog import Catalog
from toolbooth.suite.trace import Trace, summed


@dataclass(frozen=True)
class Evidence:
    """The runs of a cell; `padded` are those on the catalog with look-alikes.

    `surface_tokens` weigh the menu that the model saw; None where no catalog was kept, and `surface_why` says so.
    """

    runs: tuple[Trace, ...]
    padded: tuple[Trace, ...] = ()
    surface_tokens: int | None = None
    surface_why: str = "the recording has no catalog beside it"
    catalog: Catalog | None = None

    @property
    def cost(self) -> float | None:
        """Dollars of the plain runs; None where all were free."""
        return summed(run.cost for run in self.runs)

    @property
    def paid_tokens(self) -> int:
        """Input tokens really sent."""
        return sum(run.input_tokens for run in self.runs)
