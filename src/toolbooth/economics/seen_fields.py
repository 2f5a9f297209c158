"""Answers that were seen → the names of the fields of their rows, for tools whose schema names none."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog import NotJson, decode
from toolbooth.economics.answer_blocks import answer_blocks
from toolbooth.economics.output_fields import MAX_DEPTH
from toolbooth.limits import MAX_OUTPUT_FIELDS

_ITEMS: Final = 50  # of one list that are looked at: rows of a table are alike


def seen_fields(results: Iterable[Mapping[str, Any]]) -> tuple[str, ...] | None:
    """As `row_fields` reads a schema: lists of objects and the keys of their items; None where no JSON has such."""
    names: dict[str, None] = {}
    for result in results:
        for value in _values(result):
            for name in _rows(value):
                if len(names) >= MAX_OUTPUT_FIELDS:
                    return tuple(names)
                names.setdefault(name)
    return tuple(names) or None


def _values(result: Mapping[str, Any]) -> Iterator[Any]:
    """The structure that was sent, or else what its texts hold as JSON."""
    structure = result.get("structuredContent")
    if isinstance(structure, Mapping | list):
        yield structure
        return
    for block in answer_blocks(result):
        try:
            value = decode(block["text"].encode("utf-8", "surrogatepass"))
        except NotJson:
            continue
        if isinstance(value, Mapping | list):
            yield value


def _rows(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield from _of_items(value, 0)
        return
    for name, inner in value.items():
        found = list(_of_items(inner, 0))
        if found:
            yield from (str(name), *found)


def _fields(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _of_items(inner, depth)
    else:
        yield from _of_items(value, depth)


def _of_items(value: Any, depth: int) -> Iterator[str]:
    """The keys of a list's items; a plain object inside counts as the one field that holds it."""
    if isinstance(value, Sequence) and not isinstance(value, str) and depth < MAX_DEPTH:
        for item in value[:_ITEMS]:
            yield from _fields(item, depth + 1)
