"""The stubs that tell a type checker how each tool is called."""

import keyword
from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolbooth import catalog, search
from toolbooth.sandbox.schema_types import type_of

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
