"""A selection × what its tool surface cost → tokens and dollars for each right choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from toolbooth.suite.selection import Classes, Run, Selection, score_selection


@dataclass(frozen=True)
class Efficiency:
    """A figure that is undefined is None: nothing was chosen right, or the runs were free."""

    selection: Selection
    tool_surface_tokens: int | None = None
    paid_tokens: int | None = None
    cost: float | None = None

    @property
    def f1(self) -> int:
        """That of the selection."""
        return self.selection.f1

    @property
    def grade(self) -> str:
        """A letter for people, by F1."""
        return self.selection.grade

    @property
    def correct_selections(self) -> int:
        """True positives of all runs."""
        return self.selection.tp

    @property
    def tokens_per_correct(self) -> float | None:
        """Tokens of the surface, once, for each right choice; falls as runs rise."""
        return self._each(self.tool_surface_tokens)

    @property
    def paid_tokens_per_correct(self) -> float | None:
        """Input tokens really sent, over all model calls, for each right choice."""
        return self._each(self.paid_tokens)

    @property
    def cost_per_correct(self) -> float | None:
        """Dollars for each right choice."""
        return self._each(self.cost)

    def _each(self, whole: float | None) -> float | None:
        return None if whole is None or not self.selection.tp else whole / self.selection.tp


def token_efficiency(
    classes: Classes,
    runs: Sequence[Run],
    tool_surface_tokens: int | None = None,
    *,
    cost: float | None = None,
    paid_tokens: int | None = None,
    expect_no_calls: bool = False,
) -> Efficiency:
    """Score the runs, and what each right choice cost; `cost` is None where the runs were free."""
    selection = score_selection(classes, runs, expect_no_calls=expect_no_calls)
    return Efficiency(selection, tool_surface_tokens, paid_tokens, cost)
