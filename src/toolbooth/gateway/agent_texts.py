"""The texts that an agent reads: a tool as a search hit or a definition, and what to do when something fails."""

import json
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, economics, errors, limits, safetext, sandbox, search
from toolbooth.gateway import normalized_tool, public_names, tool_registry

_NAME: Final = 100  # characters of a name that an agent wrote
_COMPLETE: Final = 600  # of a line that names a tool twice and carries its own advice
_MAY_HAVE_HAPPENED: Final = "The call may have had its effect: check before you repeat it"
_NOT_SENT: Final = "The call did not reach the server"
_GIVE_UP: Final = "Calling again will not help; tell the user"
# The most specific class of an error gives the advice.
_ADVICE: Final[Mapping[type[errors.BackendFault], str]] = {
    errors.BackendNotFound: _GIVE_UP,
    errors.BackendCrashed: f"{_MAY_HAVE_HAPPENED}. The server is started again at the next call",
    errors.BackendTimeout: f"{_MAY_HAVE_HAPPENED}, or ask for less",
    errors.BackendRefused: "Correct the call, or use another tool",
    errors.SignInNeeded: _GIVE_UP,
    errors.BackendResting: "Use another tool, or try again later",
    errors.BackendBusy: "Make fewer calls at once",
    errors.BackendProtocolError: _GIVE_UP,
    errors.FrameTooLarge: "Ask for less: a narrower filter, a smaller limit, one page",
    errors.BackendFault: "Use another tool, or tell the user",
}
# For a call that ended before anything of it was sent, for example while the server started.
_ADVICE_UNSENT: Final[Mapping[type[errors.BackendFault], str]] = {
    **_ADVICE,
    errors.BackendCrashed: f"{_NOT_SENT}. The server is started again at the next call",
    errors.BackendTimeout: f"{_NOT_SENT}. Try again later, or use another tool",
}


def upstream_failed(fault: errors.BackendFault) -> str:
    """What a server did instead of answering, cleaned, and what to do now."""
    if isinstance(fault, errors.ToolHeldBack):
        return safetext.for_terminal(str(fault), _COMPLETE)
    said = safetext.fault_for_terminal(str(fault)).rstrip(".")
    advices = _ADVICE if fault.sent else _ADVICE_UNSENT
    advice = next(advices[kind] for kind in type(fault).__mro__ if kind in advices)
    return f"{said}. {advice}."


def unknown_tool(
    registry: tool_registry.ToolRegistry,
    name: str,
    builtin_tools: Collection[str] = ("search_tools", "call_tool"),
) -> str:
    """Why a name is not in the menu.

    Where `builtin_tools` have no search, the menu holds every tool by its public name.
    """
    found = registry.find(name)
    if isinstance(found, public_names.UnknownName) and (found.held is not None or found.absent):
        return not_found(found)
    if "search_tools" not in builtin_tools:
        ids = found.nearest if isinstance(found, public_names.UnknownName) else _ids(found)
        public = (
            registry.names.public(tool)
            for tool in map(registry.look_up, ids)
            if isinstance(tool, catalog.Tool)
        )
        return _no_such_tool(name, tuple(public))
    calls = " or ".join(each for each in public_names.CALL_NAMES if each in builtin_tools)
    if name in public_names.CALL_NAMES and calls:
        return f'"{name}" is not in this menu: use {calls}.'
    if isinstance(found, catalog.Tool):
        shown = safetext.for_terminal(found.id)
        by_name, by_code = (
            f'{calls}(name="{shown}", arguments={{…}})',
            f'call_tool_chain(code="await {shown}(…)")',
        )
        use = by_name if calls else by_code
        return f'"{safetext.for_terminal(name, _NAME)}" is not in this menu: use {use}.'
    return not_found(found)


def _ids(found: catalog.Tool | public_names.AmbiguousName) -> tuple[str, ...]:
    return (found.id,) if isinstance(found, catalog.Tool) else found.candidates


def ambiguous_tool(found: public_names.AmbiguousName) -> str:
    """The tools that a name may mean."""
    name = safetext.for_terminal(found.name, _NAME)
    return f'Several tools are called "{name}": {_listed(found.candidates)}. Use one of these.'


def not_found(found: public_names.AmbiguousName | public_names.UnknownName) -> str:
    """The candidates of an ambiguous name; for an unknown one the nearest names, or why that tool is held back."""
    if isinstance(found, public_names.AmbiguousName):
        return ambiguous_tool(found)
    if found.held is not None:
        return found.held.why
    if found.absent:
        return f"{_no_such_tool(found.name, ())} {absent_server(found.absent)}"
    return f"{_no_such_tool(found.name, found.nearest)} search_tools finds tools by what they do."


def absent_server(why: str) -> str:
    """Why a server cannot be used, for an agent that cannot repair it."""
    return f"{safetext.for_terminal(why, _COMPLETE).rstrip('.')}. {_GIVE_UP}."


def _no_such_tool(name: str, nearest: tuple[str, ...]) -> str:
    said = f" Nearest: {_listed(nearest)}." if nearest else ""
    return f'There is no tool "{safetext.for_terminal(name, _NAME)}".{said}'


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(safetext.for_terminal(name) for name in names)


_DESCRIPTION: Final = 800  # characters of a definition: 9 of 10 real descriptions are shorter
_ALL: Final = 100  # optional parameters: a definition with more of them is better read in full
# characters of a schema that is shown without being asked for: 99 of 100 real ones are shorter
_SCHEMA: Final = 6_000
_RETURNED: Final = 20  # fields of the output that are listed


class _HitSize(NamedTuple):
    """How many optional parameters, and how many characters of the sentence, a hit may show."""

    optional: int
    sentence: int


# Eight hits from 114 real servers take 320 tokens this way, over seven sets of questions; about 40 more if
# all parameters are shown as the signature shows them elsewhere. The rest is in the definition, one query
# away.
_FIRST_HITS: Final = 3
_FIRST, _LATER = _HitSize(8, 120), _HitSize(3, 80)


def hit_text(
    tool: catalog.Tool, brief: bool = True, rank: int = 0, returns: bool = False, mark: str = ""
) -> str:
    """The signature and the first sentence, both shorter from the fourth hit on. Without `brief` the schema
    follows.

    `returns` is for code: the keys of what the first hits return, where their servers declare them. `mark` says how it
    must be called, if there is more than one way.
    """

    limits = _FIRST if rank < _FIRST_HITS else _LATER
    said = search.one_line(tool.description, limits.sentence)
    called = search.signature(tool, limits.optional)
    if returns:
        called = _in_code(tool, called, with_keys=rank < _FIRST_HITS)
    called = f"{called} {mark}" if mark else called
    line = f"{called} — {said}" if said else called
    return line if brief else f"{line}\n{_schema_text(tool)}"


def _in_code(tool: catalog.Tool, called: str, with_keys: bool) -> str:
    """The name as code writes it, and the keys of the result."""
    shape = sandbox.schema_shape(tool.output_schema) if with_keys else ""
    return called.replace(safetext.for_terminal(tool.id), name_in_code(tool), 1) + (
        f" → {shape}" if shape else ""
    )


def name_in_code(tool: catalog.Tool) -> str:
    """`server.tool` as Python identifiers, or `tools["…"]` where the name has none."""
    server, name = sandbox.identifier(tool.server), sandbox.identifier(tool.name)
    return f"{server}.{name}" if server and name else f'tools["{safetext.for_terminal(tool.id)}"]'


def definition_text(tool: catalog.Tool, brief: bool = True, mark: str = "") -> str:
    """The signature and the description, then what a call needs beyond them, then the fields of the output.

    What a call needs beyond them is one line for each parameter with more to say. Where the signature had to
    leave something out (`…`), or without `brief`, it is the slimmed input schema.
    """

    said = safetext.for_terminal(tool.description, _DESCRIPTION)
    called = search.signature(tool, _ALL)
    returned = _returned(tool)
    marked = f"{called} {mark}" if mark else called
    return "\n".join(
        [
            f"{marked} — {said}" if said else marked,
            *_needed(tool, brief and "…" not in called, brief),
            *([f"returns: {returned}"] if returned else []),
        ]
    )


def _needed(tool: catalog.Tool, lines_will_do: bool, brief: bool) -> list[str]:
    if lines_will_do:
        return _telling_lines(tool)
    schema = _schema_text(tool)
    if brief and len(schema) > _SCHEMA:
        return [*_telling_lines(tool), "…: search for this name with brief=false to see the whole schema"]
    return [schema]


def _telling_lines(tool: catalog.Tool) -> list[str]:
    """The lines on parameters, without those that only repeat the signature."""
    return [f"  {line}" for line in search.parameter_lines(tool, _ALL) if " — " in line or " = " in line]


def full_definition_text(tool: catalog.Tool) -> str:
    """The definition as the server sent it, as compact JSON."""
    return _compact(normalized_tool.normalized_definition(tool) if not tool.raw else tool.raw)


def _returned(tool: catalog.Tool) -> str:
    fields = search.parameters(tool.output_schema) if tool.output_schema else ()
    shown = ", ".join(f"{each.name}{':' if each.type else ''}{each.type}" for each in fields[:_RETURNED])
    more = f", …+{len(fields) - _RETURNED}" if len(fields) > _RETURNED else ""
    return f"{shown}{more}"


def _schema_text(tool: catalog.Tool) -> str:
    return _compact(economics.slim(tool.input_schema or {"type": "object"}, tool.name))


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def not_cut(tool: str) -> str:
    """An answer that could not be cut in time."""
    return (
        f"{tool} was called, but its answer could not be cut within {limits.WORKER_LIMIT:g} seconds; "
        "ask it for less, or call it with reduce: false"
    )
