"""Suites × filters × a shard → the cells to run, in the order of the files."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from toolbooth.errors import NothingSelected, UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.cassette.cassette_json import Setting
from toolbooth.suite.gates.budget import Budget
from toolbooth.suite.gates.distractors import Distractors
from toolbooth.suite.report import CellKey
from toolbooth.suite.spec.suite import Suite, TestCase


@dataclass(frozen=True, eq=False)
class Cell:
    """A test with one model on one surface."""

    suite: Suite
    test: TestCase
    model: str
    surface: str
    runs: int

    @property
    def key(self) -> CellKey:
        """What it is known by in recordings and reports."""
        return CellKey(self.test.name, self.model, self.surface)

    @property
    def distractors(self) -> Distractors | None:
        """Where it also runs on a padded catalog."""
        return next((gate for gate in self.test.gates if isinstance(gate, Distractors)), None)

    @property
    def budget(self) -> float | None:
        """Dollars of all its runs."""
        return next((gate.dollars for gate in self.test.gates if isinstance(gate, Budget)), None)

    def settings(self, variant: str) -> dict[str, Setting]:
        """What a recording was made with, beside prompt, model, surface and servers."""
        agent, padding = self.test.agent, self.distractors if variant else None
        padded = {"distractors": padding.count, "seed of distractors": padding.seed} if padding else {}
        return {
            "instructions": agent.instructions,
            "max_tokens": agent.max_tokens,
            "temperature": agent.temperature,
            **padded,
        }

    @property
    def variants(self) -> tuple[str, ...]:
        """Plain, and padded where it has distractors."""
        return ("", "padded") if self.distractors else ("",)


@dataclass(frozen=True)
class Choice:
    """Which cells are wanted; empty means all."""

    tests: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    runs: int | None = None
    shard: str = ""


def plan(suites: Sequence[Suite], choice: Choice) -> tuple[Cell, ...]:
    """Raises NothingSelected where nothing is left, UserMistake where the shard cannot be."""
    every = [
        Cell(suite, test, model, surface, choice.runs or test.runs)
        for suite in suites
        for test in suite.tests
        for model in test.models
        for surface in test.surfaces
    ]
    wanted = [cell for cell in every if _is_wanted(cell, choice)]
    chosen = tuple(_in_shard(wanted, choice.shard))
    if not chosen:
        why = "no cell is left in this shard" if wanted else f"no test fits; there are {_names(every)}"
        raise NothingSelected(f"nothing was selected to run: {why}")
    return chosen


def _is_wanted(cell: Cell, choice: Choice) -> bool:
    return (
        _fits(cell.test.name, choice.tests)
        and _fits(cell.model, choice.models)
        and _fits(cell.surface, choice.surfaces)
    )


def _fits(name: str, patterns: Iterable[str]) -> bool:
    """A part of the name, or a pattern with `*`; capitals do not count."""
    patterns = tuple(patterns)
    folded = name.casefold()
    return not patterns or any(
        fnmatchcase(folded, each.casefold()) if "*" in each else each.casefold() in folded
        for each in patterns
    )


def _in_shard(cells: Sequence[Cell], shard: str) -> Sequence[Cell]:
    """Every n-th cell: neighbours cost much the same, so shards take much the same time."""
    if not shard:
        return cells
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", shard)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise UserMistake(f"--shard {shard} cannot be; write it as 1/4 to 4/4")
    return cells[part - 1 :: parts]


def _names(cells: Sequence[Cell]) -> str:
    names = list(dict.fromkeys(for_terminal(cell.test.name, 60) for cell in cells))
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
