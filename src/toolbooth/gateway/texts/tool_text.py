"""A tool → the text that a model calls it from: one line as a hit, some lines as a definition, or the wire object."""

import json
from typing import Any, Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.gateway.served import served_definition
from toolbooth.safetext import for_terminal

_DESCRIPTION: Final = 800  # characters of a definition: 9 of 10 real descriptions are shorter
_ALL: Final = 100  # optional parameters: a definition with more is better read whole
_SCHEMA: Final = 6_000  # characters of a schema that is shown unasked: 99 of 100 real ones are shorter
_RETURNED: Final = 20  # fields of the output that are named


class _Room(NamedTuple):
    """Optional parameters and characters of a sentence that a hit may show."""

    optional: int
    sentence: int


# Eight hits of 114 real servers take 320 tokens so, over seven sets of questions; some 40 more if all are shown as the
# signature shows them elsewhere. What is left out stands in the definition, one query away.
_FIRST_HITS: Final = 3
_FIRST, _LATER = _Room(8, 120), _Room(3, 80)


def hit_text(tool: Tool, brief: bool = True, rank: int = 0, returns: bool = False) -> str:
    """The signature and the first sentence, both shorter from the fourth hit on; not `brief`: the schema after it.

    `returns`: for code, the keys of what the first hits return, where their servers tell them.
    """
    from toolbooth.search import one_line, signature

    room = _FIRST if rank < _FIRST_HITS else _LATER
    said = one_line(tool.description, room.sentence)
    called = signature(tool, room.optional)
    if returns:
        called = _in_code(tool, called, with_keys=rank < _FIRST_HITS)
    line = f"{called} — {said}" if said else called
    return line if brief else f"{line}\n{_schema_text(tool)}"


def _in_code(tool: Tool, called: str, with_keys: bool) -> str:
    """The name as code writes it, and the keys of what comes back."""
    from toolbooth.sandbox import schema_shape

    shape = schema_shape(tool.output_schema) if with_keys else ""
    return called.replace(for_terminal(tool.id), name_in_code(tool), 1) + (f" → {shape}" if shape else "")


def name_in_code(tool: Tool) -> str:
    """`server.tool` in Python's letters, or `tools["…"]` where these say nothing."""
    from toolbooth.sandbox import identifier

    server, name = identifier(tool.server), identifier(tool.name)
    return f"{server}.{name}" if server and name else f'tools["{for_terminal(tool.id)}"]'


def definition_text(tool: Tool, brief: bool = True) -> str:
    """Signature and description, then what a call needs beyond them, then the fields that are returned.

    That is a line for each parameter with more to tell; where the signature had to leave out (`…`), or not `brief`,
    it is the input schema without its noise.
    """
    from toolbooth.search import signature

    said = for_terminal(tool.description, _DESCRIPTION)
    called = signature(tool, _ALL)
    returned = _returned(tool)
    return "\n".join(
        [
            f"{called} — {said}" if said else called,
            *_needed(tool, brief and "…" not in called, brief),
            *([f"returns: {returned}"] if returned else []),
        ]
    )


def _needed(tool: Tool, lines_will_do: bool, brief: bool) -> list[str]:
    if lines_will_do:
        return _telling_lines(tool)
    schema = _schema_text(tool)
    if brief and len(schema) > _SCHEMA:
        return [*_telling_lines(tool), "…: search for this name with brief=false to see the whole schema"]
    return [schema]


def _telling_lines(tool: Tool) -> list[str]:
    """Without those that only repeat the signature."""
    from toolbooth.search import parameter_lines

    return [f"  {line}" for line in parameter_lines(tool, _ALL) if " — " in line or " = " in line]


def wire_text(tool: Tool) -> str:
    """The definition as the server sent it, as compact JSON."""
    return _compact(served_definition(tool) if not tool.wire else tool.wire)


def _returned(tool: Tool) -> str:
    from toolbooth.search import parameters

    fields = parameters(tool.output_schema) if tool.output_schema else ()
    shown = ", ".join(f"{each.name}{':' if each.type else ''}{each.type}" for each in fields[:_RETURNED])
    more = f", …+{len(fields) - _RETURNED}" if len(fields) > _RETURNED else ""
    return f"{shown}{more}"


def _schema_text(tool: Tool) -> str:
    from toolbooth.economics import slim

    return _compact(slim(tool.input_schema or {"type": "object"}, tool.name))


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
