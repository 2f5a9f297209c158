"""Classes of interchangeable tools: the `classes:` block, and the base of all gates that use it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import FILLED, FLAG, Items, Key, KeyPath, Keys, dotted
from toolbooth.suite import metrics, trace

CLASSES: Final = Key(
    Items(
        Keys(
            {
                "name": Key(FILLED, "A short name for what the agent should do."),
                "members": Key(
                    Items(FILLED),
                    "Tools that do it equally well: `server.tool`, or the name of a tool on any server.",
                ),
            }
        )
    ),
    "Classes of interchangeable tools; each needs one call of any of its members.",
)
EXPECT_NO_CALLS: Final = Key(FLAG, "With `classes: []`: the right answer is to call nothing.")


def read_classes(document: Document, block: Mapping[str, Any], at: KeyPath) -> dict[str, tuple[str, ...]]:
    """The classes by name. Raises ConfigError."""
    place: KeyPath = (*at, "classes")
    entries = block.get("classes")
    if entries is None:
        raise document.mistake(f"{dotted(at)} needs `classes`, which list the right tools", at)
    idle = block.get("expect_no_calls") is True
    if not entries and not idle:
        raise document.mistake(
            f"{dotted(place)} is empty; list the right tools, or set `expect_no_calls: true`", place
        )
    if entries and idle:
        raise document.mistake(
            f"{dotted(place)} must be empty because `expect_no_calls` is true; remove one of them", place
        )
    found: dict[str, tuple[str, ...]] = {}
    for index, entry in enumerate(entries):
        name, members = _class(document, entry, (*place, index))
        if name in found:
            raise document.mistake(
                f"duplicate class {name!r}; list all its members in one class", (*place, index)
            )
        found[name] = members
    return found


def _class(document: Document, entry: Any, at: KeyPath) -> tuple[str, tuple[str, ...]]:
    if not isinstance(entry, Mapping) or not entry.get("name") or not entry.get("members"):
        raise document.mistake(f"{dotted(at)} needs a `name` and at least one of `members`", at)
    return str(entry["name"]), tuple(dict.fromkeys(entry["members"]))


def overlaps(classes: metrics.Classes) -> tuple[str, ...]:
    """A warning for each member that is in two classes."""
    return tuple(
        f"{member} is in two classes, {one} and {other}; one call satisfies both"
        for member, one, other in metrics.overlapping(classes)
    )


@dataclass(frozen=True)
class ClassesGate:
    """A gate over classes. Without classes, the right answer is to call nothing."""

    classes: metrics.Classes

    def selection(self, runs: Iterable[trace.Trace]) -> metrics.Selection:
        """The pooled counts; a run with an error counts as a run without calls."""
        observed = [run.observed for run in runs]
        return metrics.score_selection(self.classes, observed, expect_no_calls=not self.classes)

    def run_is_right(self, run: trace.Trace) -> bool:
        """Whether the run called every class and nothing else."""
        return not run.failed and self.selection([run]).f1 == 100

    def warnings(self) -> tuple[str, ...]:
        """Warn of classes that overlap."""
        return overlaps(self.classes)

    def names(self) -> tuple[tuple[str, ...], ...]:
        """The tool names of each class."""
        return tuple(map(tuple, self.classes.values()))
