"""A tool's annotations before and after → what it now promises, or no longer does, by the defaults of MCP."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.made import change, mapping, named

_KNOWN = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
PLACE = "/annotations"


class Hints(NamedTuple):
    """What holds, said or not: a tool that says nothing may change and destroy things, and reach the outside."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool

    @classmethod
    def of(cls, annotations: Any) -> "Hints":
        """Destroying and repeating mean something only where a tool changes anything at all."""
        said = mapping(annotations)
        read_only = said.get("readOnlyHint") is True
        return cls(
            read_only,
            not read_only and said.get("destructiveHint") is not False,
            read_only or said.get("idempotentHint") is True,
            said.get("openWorldHint") is not False,
        )


def hint_changes(server: str, tool: str, before: Any, after: Any) -> Iterator[Change]:
    """Only what holds is compared: an absent hint and its default are the same."""
    old, new = Hints.of(before), Hints.of(after)
    for word, hint, rule in _rules(old, new):
        # Whoever reads only neither destroys nor minds being called twice: that is one piece of news, not three.
        implied = word in ("destructiveHint", "idempotentHint") and old.read_only != new.read_only
        if implied and (new.read_only or word not in mapping(after)):
            continue
        pointer = f"{PLACE}/{word}"
        yield change(
            rule, server, tool, pointer, mapping(before).get(word), mapping(after).get(word), what=hint
        )
    old_words, new_words = (mapping(each) for each in (before, after))
    if old_words.get("title") != new_words.get("title"):
        values = old_words.get("title"), new_words.get("title")
        yield change("tool-title-changed", server, tool, f"{PLACE}/title", *values)
    for word in sorted({*old_words, *new_words} - set(_KNOWN)):
        if old_words.get(word) != new_words.get(word):
            values = old_words.get(word), new_words.get(word)
            yield change("part-changed", server, tool, f"{PLACE}/{word}", *values, what=named(word))


def _rules(old: Hints, new: Hints) -> Iterator[tuple[str, str, str]]:
    changed = (
        ("readOnlyHint", "read-only", old.read_only, new.read_only),
        ("destructiveHint", "destructive", old.destructive, new.destructive),
        ("idempotentHint", "idempotent", old.idempotent, new.idempotent),
        ("openWorldHint", "open-world", old.open_world, new.open_world),
    )
    for word, hint, one, other in changed:
        if one != other:
            yield word, hint, f"{hint}-gained" if other else f"{hint}-lost"
