"""A structure that is cut and still fits the output schema that its tool is listed with.

Clients check it: the SDKs refuse a result whose structure is missing or does not fit, and Claude Code and Codex show
their model the structure alone. So what is left out of arrays and objects is named under one key of the structure
itself, `not_shown`, which the listed schema allows. A structure that fits in no such way stays whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from toolbooth import catalog
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, HiddenText, Summary, encoded
from toolbooth.gateway.results import read_request

if TYPE_CHECKING:
    from toolbooth.gateway.arguments.check import Checker

_CLOSING: Final = ("additionalProperties", "unevaluatedProperties")
_NAMED: Final = 5  # placeholders under `not_shown`; the rest is counted
_APP_KEYS: Final = ("ui", "ui/resourceUri")  # of `_meta`: the structure is what an MCP App draws


@dataclass(frozen=True, eq=False)
class OutputShape:
    """What the structure of a tool's results has to be; `fixed` ones are for a program, and are never cut."""

    schema: Mapping[str, Any]
    fixed: bool = False

    def __getstate__(self) -> dict[str, Any]:
        """For a worker process; what is compiled stays here."""
        return {"schema": self.schema, "fixed": self.fixed}

    @cached_property
    def _checker(self) -> "Checker":
        from toolbooth.gateway.arguments.check import build  # a worker process seldom needs it

        return build(self.schema)

    def accepts(self, structure: Any) -> bool:
        """Whether clients surely do; not of a schema that cannot be checked in bounded work."""
        if self.fixed or not isinstance(structure, dict) or self._checker.judged != "full":
            return False
        try:
            checker = self._checker.for_call(structure)
            validator = checker.validator if checker is self._checker else None
            return validator is not None and validator.is_valid(structure)
        except ValueError:  # too deep, or half a surrogate pair
            return False


_shapes: WeakKeyDictionary[catalog.Tool, OutputShape] = WeakKeyDictionary()
_NO_SCHEMA: Final[Mapping[str, Any]] = {}


def shape_of(tool: catalog.Tool) -> OutputShape | None:
    """None where nobody checks the structure. Each schema is compiled once, for the first answer that is cut."""
    if tool.output_schema is None and not _feeds_app(tool):
        return None
    if tool not in _shapes:
        _shapes[tool] = OutputShape(listed_schema(tool.output_schema or _NO_SCHEMA), _feeds_app(tool))
    return _shapes[tool]


def _feeds_app(tool: catalog.Tool) -> bool:
    meta = tool.raw.get("_meta")
    return isinstance(meta, Mapping) and any(key in meta for key in _APP_KEYS)


def listed_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The output schema with room for `not_shown`; the very same if it has room."""
    closed = any(schema.get(word, True) is not True for word in _CLOSING)
    properties = schema.get("properties", {})
    if not closed or not isinstance(properties, Mapping) or NOT_SHOWN in properties:
        return schema
    return {**schema, "properties": {**properties, NOT_SHOWN: {"type": "string"}}}


def with_note(value: Any, ref: str, under: str | None) -> Any:
    """The cut value of a structure without placeholders in arrays and objects; None if they cannot be named.

    They are named at the top, and a string that is cut short stays where it is.
    """
    hidden: list[Hidden] = []
    shown = _without(value, hidden)
    structure = {under: shown} if under is not None else shown
    if not isinstance(structure, dict) or NOT_SHOWN in structure:
        return None
    more = f" and {len(hidden) - _NAMED} more: {read_request.call_text(ref)}" if len(hidden) > _NAMED else ""
    note = " ".join(each.words(ref) for each in hidden[:_NAMED]) + more
    return catalog.decode(encoded({**structure, **({NOT_SHOWN: note} if hidden else {})}, ref).encode())


def _without(value: Any, hidden: list[Hidden]) -> Any:
    """A copy without placeholders, which are collected; of an object the keys that they stand for are left out."""
    if isinstance(value, dict):
        members = [(key, each) for key, each in value.items() if not _collected(each, hidden)]
        return {key: _without(each, hidden) for key, each in members}
    if isinstance(value, list):
        return [_without(each, hidden) for each in value if not _collected(each, hidden)]
    return value


def _collected(value: Any, hidden: list[Hidden]) -> bool:
    found = value.get(NOT_SHOWN) if isinstance(value, Summary) else value
    if not isinstance(found, Hidden) or isinstance(found, HiddenText):
        return False
    hidden.append(found)
    return True
