"""What gates over classes of interchangeable tools have in common."""

from collections.abc import Iterable
from dataclasses import dataclass

from toolbooth.suite.gates.classes import overlaps
from toolbooth.suite.selection import Classes, Selection, score_selection
from toolbooth.suite.trace import Trace


@dataclass(frozen=True)
class OverClasses:
    """With no classes, the right answer is to call nothing."""

    classes: Classes

    def selection(self, runs: Iterable[Trace]) -> Selection:
        """The counts, pooled; a run that errored counts as an empty one."""
        observed = [run.observed for run in runs]
        return score_selection(self.classes, observed, expect_no_calls=not self.classes)

    def run_is_right(self, run: Trace) -> bool:
        """Every class, and nothing else."""
        return not run.failed and self.selection([run]).f1 == 100

    def warnings(self) -> tuple[str, ...]:
        """Overlapping classes."""
        return overlaps(self.classes)

    def names(self) -> tuple[tuple[str, ...], ...]:
        """The classes."""
        return tuple(map(tuple, self.classes.values()))
