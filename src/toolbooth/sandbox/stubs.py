"""The stubs that tell a type checker how each tool is called, with the Python types of its arguments.

A type may accept more than the schema, never less: the schema itself judges the call when it is made.
"""

import keyword
from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolbooth import catalog, limits, search
from toolbooth.schema import resolved

HEAD: Final = "from typing import Any, Literal, Protocol, overload\n"
_OPEN: Final = "patternProperties", "unevaluatedProperties"


def module_stub(tools: Mapping[str, catalog.Tool]) -> str:
    """The functions of a server's module, by Python name."""
    functions = (f"async def {name}({_parameters(tool)}) -> Any: ...\n" for name, tool in tools.items())
    return HEAD + "".join(functions)


def chooser_stub(chosen: Mapping[str, catalog.Tool], any_tool: bool) -> str:
    """`tools["…"]`: each name that the code writes has its own type; `any_tool`: names that it computes, too."""
    kinds = "".join(
        f"class _T{at}(Protocol):\n    async def __call__({_parameters(tool, 'self')}) -> Any: ...\n"
        for at, tool in enumerate(chosen.values())
    )
    ways = [f"name: Literal[{name!a}]) -> _T{at}" for at, name in enumerate(chosen)]
    ways += ["name: str) -> Any"] if any_tool else []
    return f"{kinds}class _Tools:\n{''.join(_ways(ways))}tools: _Tools\n"


def _ways(ways: list[str]) -> Iterable[str]:
    """The overloads; a type checker wants none where there is only one signature."""
    if not ways:
        ways = ["name: None) -> Any"]  # no name is right; what there is instead is said elsewhere
    for way in ways:
        yield "    @overload\n" if len(ways) > 1 else ""
        yield f"    def __getitem__(self, {way}: ...\n"


def _parameters(tool: catalog.Tool, first: str = "") -> str:
    schema = tool.input_schema
    found = search.members(schema)
    named = [each for each in found if _is_python(each.name)]
    parts = [
        f"{each.name}: {type_of(each.schema, schema)}{'' if each.required else ' = ...'}" for each in named
    ]
    more = ["**kwargs: Any"] if len(named) < len(found) or _takes_more(schema, bool(found)) else []
    return ", ".join([*([first] if first else []), *(["*", *parts] if parts else []), *more])


def _is_python(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and name != "self"


def _takes_more(schema: Any, has_properties: bool) -> bool:
    """Whether other arguments are wanted: only where the schema says so, or says nothing at all."""
    if not isinstance(schema, Mapping) or not has_properties:
        return not isinstance(schema, Mapping) or schema.get("additionalProperties") is not False
    return schema.get("additionalProperties") not in (None, False) or any(key in schema for key in _OPEN)


ANYTHING: Final = "Any"
_PLAIN: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_LONGEST: Final = 2_000  # characters of one type
_VISITS: Final = 100  # schemas looked at for one type: a kilobyte of shared choices unfolds into millions
_LISTED: Final = 1_000  # values of an enum that are looked at


def type_of(schema: Any, root: Any) -> str:
    """`root` is where its references lead."""
    text = _Unfolding(root).type(schema, limits.STUB_DEPTH)
    return text if len(text) <= _LONGEST else ANYTHING


class _Unfolding:
    """One schema with all that it refers to; beyond the limits, its type is `Any`."""

    def __init__(self, root: Any) -> None:
        self._root, self._visits = root, _VISITS

    def type(self, schema: Any, depth: int) -> str:
        self._visits -= 1
        schema = resolved(self._root, schema) if self._visits >= 0 else None
        if not isinstance(schema, Mapping) or depth == 0:
            return ANYTHING
        if "const" in schema:
            return _literal([schema["const"]])
        if isinstance(schema.get("enum"), list):
            return _literal(schema["enum"])
        for joined in ("anyOf", "oneOf"):
            if isinstance(schema.get(joined), list):
                return _union(self.type(each, depth - 1) for each in schema[joined][: _VISITS + 1])
        kinds = schema.get("type")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not isinstance(kinds, list) or len(kinds) > _VISITS or "allOf" in schema:
            return ANYTHING
        return _union(self._kind(kind, schema, depth) for kind in kinds)

    def _kind(self, kind: Any, schema: Mapping[str, Any], depth: int) -> str:
        if kind == "object":
            return "dict[str, Any]"
        if kind != "array":
            return _PLAIN.get(kind, ANYTHING) if isinstance(kind, str) else ANYTHING
        items = self.type(schema.get("items"), depth - 1)
        return "list[float] | list[int]" if items == "float" else f"list[{items}]"


def _literal(values: list[Any]) -> str:
    """The values themselves; for floats, objects and long lists only their types."""
    if len(values) > _LISTED or any(isinstance(value, float | dict | list) for value in values):
        return ANYTHING
    if not values or len(values) > limits.STUB_CHOICES or any(_is_long(value) for value in values):
        return _union(type(value).__name__ if value is not None else "None" for value in values)
    return f"Literal[{', '.join(ascii(value) for value in values)}]"


def _is_long(value: Any) -> bool:
    return (isinstance(value, str) and len(value) > 100) or (isinstance(value, int) and abs(value) > 10**15)


def _union(types: Iterable[str]) -> str:
    different = list(dict.fromkeys(types)) or [ANYTHING]
    return ANYTHING if ANYTHING in different else " | ".join(different)
