"""What a server offers beside its tools, before and after → changes: instructions, prompts, resources, its names."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.catalog import Json, canonical
from toolbooth.contracts.change import Change
from toolbooth.contracts.contract import ServerContract
from toolbooth.contracts.diff.made import change, mapping, named
from toolbooth.contracts.diff.notes import reflowed


class _Kind(NamedTuple):
    """A list of a server, and the key by which its entries are known."""

    field: str
    key: str
    rule: str


_KINDS: Final = (
    _Kind("prompts", "name", "prompt"),
    _Kind("resources", "uri", "resource"),
    _Kind("templates", "uriTemplate", "template"),
)
_FOR_PEOPLE: Final = ("title", "icons", "_meta")


def offer_changes(before: ServerContract, after: ServerContract) -> Iterator[Change]:
    """Two servers of one name."""
    server = after.server
    if before.instructions != after.instructions:
        same = reflowed(before.instructions) == reflowed(after.instructions)
        rule = "description-reflowed" if same else "instructions-changed"
        values = before.instructions, after.instructions
        yield change(rule, server, "", "/instructions", *values, what="the server")
    for word in ("title", "version"):
        values = getattr(before, word), getattr(after, word)
        if values[0] != values[1]:
            yield change(f"server-{word}-changed", server, "", f"/{word}", *values)
    for kind in _KINDS:
        yield from _list_changes(server, kind, getattr(before, kind.field), getattr(after, kind.field))


def _list_changes(
    server: str, kind: _Kind, before: Sequence[Json], after: Sequence[Json]
) -> Iterator[Change]:
    old, new = ({str(entry.get(kind.key)): entry for entry in side} for side in (before, after))
    for name in sorted({*old, *new}):
        pointer = f"/{kind.field}/" + name.replace("~", "~0").replace("/", "~1")
        one, other = old.get(name), new.get(name)
        if one is None or other is None:
            rule = f"{kind.rule}-added" if one is None else f"{kind.rule}-removed"
            yield change(rule, server, "", pointer, _described(one), other, what=named(name))
        elif canonical(one) != canonical(other):
            yield from _entry_changes(server, kind, pointer, name, one, other)


def _described(entry: Json | None) -> str | None:
    """What tells a person what came or went."""
    return None if entry is None else str(entry.get("description") or entry.get("name") or "")


def _read(entry: Json) -> str:
    """What of it a model or a program reads."""
    return canonical({word: value for word, value in entry.items() if word not in _FOR_PEOPLE})


def _entry_changes(
    server: str, kind: _Kind, pointer: str, name: str, one: Json, other: Json
) -> Iterator[Change]:
    """A further input that is asked for says nothing about what else is described otherwise."""
    asked = sorted(_required(other) - _required(one)) if kind.rule == "prompt" else []
    if asked:
        values = sorted(_required(one)), asked
        yield change(
            "prompt-argument-required", server, "", f"{pointer}/arguments", *values, what=named(name)
        )
    if _read(_unasked(one)) != _read(_unasked(other)) or (not asked and _read(one) != _read(other)):
        yield change(f"{kind.rule}-changed", server, "", pointer, one, other, what=named(name))
    elif not asked:
        yield change(
            "offer-title-changed", server, "", pointer, one, other, what=f"{kind.rule} {named(name)}"
        )


def _unasked(entry: Json) -> Json:
    """Without which arguments are required."""
    arguments = entry.get("arguments")
    if not isinstance(arguments, list):
        return entry
    return {**entry, "arguments": [{**mapping(each), "required": None} for each in arguments]}


def _required(prompt: Json) -> set[str]:
    arguments: Any = prompt.get("arguments")
    listed = arguments if isinstance(arguments, list) else []
    return {str(mapping(each).get("name")) for each in listed if mapping(each).get("required") is True}
