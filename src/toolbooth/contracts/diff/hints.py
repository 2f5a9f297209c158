"""A tool's annotations before and after → what it now promises, or no longer does, by the defaults of MCP."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.made import change, mapping, named

_KNOWN = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
PLACE = "/annotations"
Said = Mapping[str, Any]


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
    """An absent hint and its default are the same; one that is written and worse than before always counts."""
    for word, hint, gained in _moved(mapping(before), mapping(after)):
        values = mapping(before).get(word), mapping(after).get(word)
        rule = f"{hint}-gained" if gained else f"{hint}-lost"
        yield change(rule, server, tool, f"{PLACE}/{word}", *values, what=hint)
    old_words, new_words = (mapping(each) for each in (before, after))
    if old_words.get("title") != new_words.get("title"):
        values = old_words.get("title"), new_words.get("title")
        yield change("tool-title-changed", server, tool, f"{PLACE}/title", *values)
    for word in sorted({*old_words, *new_words} - set(_KNOWN)):
        if old_words.get(word) != new_words.get(word):
            values = old_words.get(word), new_words.get(word)
            yield change("part-changed", server, tool, f"{PLACE}/{word}", *values, what=named(word))


def _moved(before: Said, after: Said) -> Iterator[tuple[str, str, bool]]:
    """Each hint that is another now, and whether it was gained."""
    old, new = Hints.of(before), Hints.of(after)
    if old.read_only != new.read_only:
        yield "readOnlyHint", "read-only", new.read_only
    gained = _meant_by_changers("destructiveHint", before, after, (old.destructive, new.destructive))
    if gained is not None:
        yield "destructiveHint", "destructive", gained
    gained = _meant_by_changers("idempotentHint", before, after, (old.idempotent, new.idempotent))
    if gained is not None:
        yield "idempotentHint", "idempotent", gained
    if old.open_world != new.open_world:
        yield "openWorldHint", "open-world", new.open_world


def _meant_by_changers(word: str, before: Said, after: Said, holds: tuple[bool, bool]) -> bool | None:
    """Whether a hint was gained (True), lost (False), or neither; it means something of tools that change things.

    Of a reader it means nothing by MCP, but who writes that it destroys now has said so all the same.
    """
    old, new = _as_written(word, before), _as_written(word, after)
    is_reader, was_reader = after.get("readOnlyHint") is True, before.get("readOnlyHint") is True
    if is_reader == was_reader:
        return new if old != new else None
    written = isinstance(after.get(word), bool)
    if old != new and (written or not is_reader) and (word in before or written) and _worse(word, new):
        return new
    # Whoever reads only neither destroys nor minds being called twice: that is one piece of news, not three.
    return holds[1] if holds[0] != holds[1] and written and not is_reader else None


def _as_written(word: str, said: Said) -> bool:
    """The written hint, else its default: what destroys has to change things, what repeats has to say so."""
    value = said.get(word)
    if isinstance(value, bool):
        return value
    return word == "destructiveHint" and said.get("readOnlyHint") is not True


def _worse(word: str, now: bool) -> bool:
    return now is (word == "destructiveHint")
