"""The plan of a run: the cells of all suites that pass the filters and belong to the shard, in file order."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from toolbooth import errors, safetext, suggest
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.gates.budget import BudgetGate
from toolbooth.suite.gates.distractors import Distractors
from toolbooth.suite.recordings.cassette_json import Setting
from toolbooth.suite.report import CellKey
from toolbooth.suite.spec.suite import NO_MODEL, AgentSettings, Suite, TestCase


@dataclass(frozen=True, eq=False)
class Cell:
    """A test with one model on one surface."""

    suite: Suite
    test: TestCase
    model: str
    surface: str
    runs: int
    overridden: bool = False  # the model comes from --with-model, not from the suite

    @property
    def key(self) -> CellKey:
        """The key of the cell in recordings and reports."""
        return CellKey(self.test.name, self.model, self.surface)

    @property
    def distractors(self) -> Distractors | None:
        """The gate that makes it also run on a padded catalog, if any."""
        return next((gate for gate in self.test.gates if isinstance(gate, Distractors)), None)

    @property
    def budget(self) -> float | None:
        """Dollars that all its runs may cost."""
        return next((gate.dollars for gate in self.test.gates if isinstance(gate, BudgetGate)), None)

    def settings(self, variant: str) -> dict[str, Setting]:
        """The settings of a recording beside prompt, model, surface and servers."""
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
        """Plain, and padded if it has distractors."""
        return ("", "padded") if self.distractors else ("",)


@dataclass(frozen=True)
class CellFilter:
    """Which cells to run; empty means all. `with_models` replace the models of the suites."""

    tests: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    runs: int | None = None
    shard: str = ""
    with_models: tuple[str, ...] = ()


def plan(suites: Sequence[Suite], choice: CellFilter) -> tuple[Cell, ...]:
    """Raises NothingSelected if a filter matches nothing, and UserMistake if the shard or a model is not valid."""
    every = [
        Cell(suite, test, model, surface, choice.runs or test.runs)
        for suite in suites
        for test in suite.tests
        for model in test.models
        for surface in test.surfaces
    ]
    _check_filters(every, choice)
    wanted = [cell for cell in every if _is_wanted(cell, choice)]
    if choice.with_models:
        wanted = list(_overridden(wanted, choice.with_models))
    chosen = tuple(_in_shard(wanted, choice.shard))
    if not chosen:
        why = "this shard has no cells" if wanted else _no_cell_has_all(every, choice)
        raise errors.NothingSelected(f"nothing was selected to run: {why}")
    return chosen


def _is_wanted(cell: Cell, choice: CellFilter) -> bool:
    return (
        _fits(cell.test.name, choice.tests)
        and _fits(cell.model, choice.models)
        and _fits(cell.surface, choice.surfaces)
    )


def _overridden(cells: Iterable[Cell], models: Sequence[str]) -> Iterator[Cell]:
    """Each test once per surface and per given model."""
    once = {(cell.suite.path, cell.test.name, cell.surface): cell for cell in reversed(list(cells))}
    for cell in reversed(once.values()):
        for model in dict.fromkeys(models):
            test = replace(cell.test, agent=_settings_for(model, cell.test))
            yield replace(cell, test=test, model=model, overridden=True)


def _settings_for(model: str, test: TestCase) -> AgentSettings:
    """Drops the test's price for a model it does not name, and its URL and key for another provider."""
    if model == NO_MODEL:
        raise errors.UserMistake(
            f"--with-model {NO_MODEL}: `{NO_MODEL}` only scores recordings; name another model"
        )
    if model == "scripted" and not test.script:
        raise errors.UserMistake(
            f"--with-model scripted: the test {safetext.for_terminal(test.name, 60)!r} has no `script:`"
        )
    agent = replace(test.agent, price=None) if model not in test.models else test.agent
    asked = read_model_name(model, agent.base_url).provider
    if asked in {read_model_name(own, agent.base_url).provider for own in test.models}:
        return agent
    return replace(agent, base_url="", api_key_env="")


# -- a filter that matches nothing ---------------------------------------------------------------------------------
class _Filter(NamedTuple):
    flag: str
    kind: str
    patterns: tuple[str, ...]
    names: tuple[str, ...]


def _filters(cells: Iterable[Cell], choice: CellFilter) -> tuple[_Filter, ...]:
    keys = [cell.key for cell in cells]
    return (
        _Filter("--filter", "test", choice.tests, tuple(dict.fromkeys(key.test for key in keys))),
        _Filter("--model", "model", choice.models, tuple(dict.fromkeys(key.model for key in keys))),
        _Filter("--surface", "surface", choice.surfaces, tuple(dict.fromkeys(key.surface for key in keys))),
    )


def _check_filters(cells: Sequence[Cell], choice: CellFilter) -> None:
    """Each pattern must match something: a typing error in one of several would silently run fewer cells."""
    wrong = [
        _fits_nothing(each, pattern)
        for each in _filters(cells, choice)
        for pattern in each.patterns
        if not any(_fits(name, (pattern,)) for name in each.names)
    ]
    if wrong:
        raise errors.NothingSelected(f"nothing was selected to run: {'; '.join(wrong)}")


def _fits_nothing(filter_: _Filter, pattern: str) -> str:
    suggestion = suggest.did_you_mean(pattern, filter_.names, form="{!r}")
    shown = safetext.for_terminal(pattern, 60)
    instead = f"; to run with {shown} instead, use --with-model" if filter_.kind == "model" else ""
    known = f"the {filter_.kind}s are {_some(filter_.names)}"
    return (
        f"no {filter_.kind} matches {filter_.flag} {shown!r}; "
        f"{' '.join(filter(None, (suggestion, known)))}{instead}"
    )


def _no_cell_has_all(cells: Sequence[Cell], choice: CellFilter) -> str:
    """Every filter matches something, but no cell matches all of them: names a filter that excludes the rest."""
    fewer = (
        ("test", choice.tests, replace(choice, tests=())),
        ("model", choice.models, replace(choice, models=())),
        ("surface", choice.surfaces, replace(choice, surfaces=())),
    )
    for kind, patterns, others in fewer:
        left = [cell for cell in cells if _is_wanted(cell, others)]
        if patterns and left:
            named = next(each for each in _filters(left, choice) if each.kind == kind)
            return f"{named.flag} matches no cell that the other filters select; they select {_some(named.names)}"
    return "no cell matches all filters"


def _fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether the name contains a pattern, or matches one with `*`; case does not matter."""
    patterns = tuple(patterns)
    folded = name.casefold()
    return not patterns or any(
        fnmatchcase(folded, each.casefold()) if "*" in each else each.casefold() in folded
        for each in patterns
    )


def _in_shard(cells: Sequence[Cell], shard: str) -> Sequence[Cell]:
    """Every n-th cell: neighbouring cells cost about the same, so shards take about the same time."""
    if not shard:
        return cells
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", shard)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise errors.UserMistake(f"--shard {shard} is not a shard; write 1/4 to 4/4")
    return cells[part - 1 :: parts]


def _some(names: Sequence[str]) -> str:
    shown = [safetext.for_terminal(name, 60) for name in names[:8]]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
