"""`classes:` of a gate → classes of interchangeable tools; empty and doubled ones are refused with their place."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import FILLED, FLAG, Items, Key, Keys, Path, dotted
from toolbooth.suite.selection import Classes, overlapping

CLASSES: Final = Key(
    Items(
        Keys(
            {
                "name": Key(FILLED, "What the agent should be able to do, in a word."),
                "members": Key(
                    Items(FILLED),
                    "Tools that do it equally well: `server.tool`, or a tool's name on any server.",
                ),
            }
        )
    ),
    "Classes of interchangeable tools; each wants one call of any of its members.",
)
EXPECT_NO_CALLS: Final = Key(FLAG, "With `classes: []`: the right answer is to call nothing.")


def read_classes(document: Document, block: Mapping[str, Any], at: Path) -> dict[str, tuple[str, ...]]:
    """The classes by name; raises ConfigError."""
    place: Path = (*at, "classes")
    entries = block.get("classes")
    if entries is None:
        raise document.mistake(f"{dotted(at)} needs `classes`: which tools are right here", at)
    idle = block.get("expect_no_calls") is True
    if not entries and not idle:
        raise document.mistake(
            f"{dotted(place)} is empty; name the tools that are right, or say `expect_no_calls: true`", place
        )
    if entries and idle:
        raise document.mistake(f"{dotted(place)} must be empty where no calls are expected", place)
    found: dict[str, tuple[str, ...]] = {}
    for index, entry in enumerate(entries):
        name, members = _class(document, entry, (*place, index))
        if name in found:
            raise document.mistake(
                f"there are two classes {name!r}; put their members together", (*place, index)
            )
        found[name] = members
    return found


def _class(document: Document, entry: Any, at: Path) -> tuple[str, tuple[str, ...]]:
    if not isinstance(entry, Mapping) or not entry.get("name") or not entry.get("members"):
        raise document.mistake(f"{dotted(at)} needs a `name` and `members`, at least one", at)
    return str(entry["name"]), tuple(dict.fromkeys(entry["members"]))


def overlaps(classes: Classes) -> tuple[str, ...]:
    """A warning for each member that stands in two classes."""
    return tuple(
        f"{member} stands in two classes, {one} and {other}: one call satisfies both"
        for member, one, other in overlapping(classes)
    )
