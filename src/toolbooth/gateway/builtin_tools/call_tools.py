"""`call_tool`, `call_tool_chain` and `read_result`: the call, the code or the part of a result that a model asks for.

Here the arguments are read and checked; the gateway executes them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from textwrap import dedent
from typing import Any, Final

from toolbooth import catalog, errors, limits
from toolbooth.catalog.config import REDUCTION_KEYS, Reduction
from toolbooth.gateway.builtin_tools.definition import NUMBER, OBJECT, TEXT, BuiltinArguments, BuiltinTool
from toolbooth.gateway.results import ReadRequest

CALL_NAME: Final = "call_tool"
# `fields` is a list, or a text with commas. A typed list would cost six tokens more.
_CALL_PARAMETERS: Final = {"name": TEXT, "arguments": OBJECT, "intent": TEXT, "fields": TEXT}
_CALL_ALSO: Final = ("reduce",)
_CALL_KNOWN: Final = (*_CALL_PARAMETERS, *_CALL_ALSO)
_AN_OBJECT: Final = "an object of the tool's own arguments"


@dataclass(frozen=True)
class RequestedCall:
    """One call of an upstream tool, `through` one of our own. `intent`, `fields` and `reduce` control how its result is
    reduced.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    intent: str = ""
    fields: tuple[str, ...] = ()
    reduce: bool | Mapping[str, Any] | None = field(default=None, hash=False)
    through: str = CALL_NAME


PLAIN_CALL: Final = RequestedCall("")  # asks for nothing but the answer


def read_call(given: object, through: str = CALL_NAME) -> RequestedCall:
    """Arguments given as JSON text are parsed; a tool's own arguments beside `name` are an error that says so."""
    arguments = BuiltinArguments(through, given, _CALL_KNOWN)
    name = arguments.text("name", '"server.tool", arguments={…}')
    written: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    unknown = [key for key in written if key not in _CALL_KNOWN]
    if unknown and "arguments" not in written:
        raise errors.WrongArguments(
            f"`{unknown[0]}` belongs inside `arguments`: {through}(name=…, arguments={{…}})"
        )
    return RequestedCall(
        name,
        _object(written.get("arguments"), arguments),
        arguments.optional_text("intent") or "",
        _fields(written.get("fields"), arguments),
        read_reduce(written.get("reduce"), arguments),
        through,
    )


def _object(value: object, arguments: BuiltinArguments) -> Mapping[str, Any]:
    if isinstance(value, str):
        try:
            value = catalog.decode(value.encode("utf-8", "surrogatepass")) if value.strip() else None
        except catalog.NotJson:
            raise arguments.wrong("arguments", f"{_AN_OBJECT}, not text") from None
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise arguments.wrong("arguments", _AN_OBJECT)
    return value


def _fields(value: object, arguments: BuiltinArguments) -> tuple[str, ...]:
    """A list of names, also as JSON text, or names separated by commas."""
    listed = _split(value) if isinstance(value, str) else value
    if listed is None:
        return ()
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise arguments.wrong("fields", "a list of names")
    return tuple(each.strip() for each in listed if each.strip())


def _split(text: str) -> object:
    try:
        return catalog.decode(text.encode("utf-8", "surrogatepass"))
    except catalog.NotJson:
        return text.split(",")


def read_reduce(value: object, arguments: BuiltinArguments) -> bool | Mapping[str, Any] | None:
    """False for the whole result, or the keys of `reduce:` in toolbooth.yaml."""
    if not isinstance(value, Mapping):
        return None if value is None else arguments.flag("reduce", True)
    defaults = Reduction()
    for key, wanted in value.items():
        usual = getattr(defaults, key) if key in REDUCTION_KEYS else None
        if usual is None or type(wanted) is not type(usual) or (type(wanted) is int and wanted <= 0):
            known = ", ".join(sorted(REDUCTION_KEYS))
            raise arguments.wrong("reduce", f"false, or an object with some of {known}")
    return value


CALL_TOOL: Final = BuiltinTool(
    CALL_NAME,
    "Call a tool that search_tools showed. `fields` (items[].id) or `intent` shorten a long answer.",
    _CALL_PARAMETERS,
    ("name",),
    read_only=False,
    also=_CALL_ALSO,
)


CHAIN_NAME: Final = "call_tool_chain"
_CHAIN_PARAMETERS: Final = {"code": TEXT, "intent": TEXT}
# `timeout` and `max_output_size` are the arguments of similar tools: models know them.
_CHAIN_ALSO: Final = ("reduce", "timeout", "max_output_size", "tool", "name", "arguments")
_CHAIN_KNOWN: Final = (*_CHAIN_PARAMETERS, *_CHAIN_ALSO[:3])
_FENCE: Final = re.compile(r"\s*```(?:py|python|python3|json)?[ \t]*\r?\n(.*?)\r?\n?```\s*", re.DOTALL)
_CALL: Final = {"tool", "name", "arguments"}


@dataclass(frozen=True)
class RequestedCode:
    """Code to run; `intent`, `reduce` and `max_output_size` (characters) control how its result is reduced.

    `timeout` is in seconds, as everywhere here; the gateway sets the upper limit.
    """

    code: str
    intent: str = ""
    reduce: bool | Mapping[str, Any] | None = field(default=None, hash=False)
    timeout: float | None = None
    max_output_size: int | None = None


def read_code(given: Mapping[str, Any]) -> RequestedCode:
    """Read a call. One call may replace the code, as an object or beside it: some models write it that way."""
    arguments = BuiltinArguments(CHAIN_NAME, given, _CHAIN_KNOWN)
    code = given.get("code")
    if code is not None and (_CALL & given.keys()):
        raise errors.WrongArguments(
            f"{CHAIN_NAME} takes `code`, or one call as `tool` and `arguments`, not both"
        )
    if code is None and ({"tool", "name"} & given.keys()):
        code = {key: value for key, value in given.items() if key in _CALL}
    if isinstance(code, Mapping):
        code = catalog.canonical(code)
    code = _unfenced(code) if isinstance(code, str) else code
    if not isinstance(code, str) or not code.strip():
        raise errors.WrongArguments(
            f'{CHAIN_NAME} needs `code`, as in {CHAIN_NAME}(code="await server.tool(argument=1)")'
        )
    size = arguments.positive("max_output_size")
    return RequestedCode(
        code,
        arguments.optional_text("intent") or "",
        read_reduce(given.get("reduce"), arguments),
        arguments.positive("timeout"),
        None if size is None else ceil(size),
    )


def _unfenced(code: str) -> str:
    """The code without Markdown fences, without a byte order mark, and not indented."""
    text = code.removeprefix("\ufeff")
    fenced = _FENCE.fullmatch(text)
    return dedent(fenced[1] if fenced is not None else text)


CALL_TOOL_CHAIN: Final = BuiltinTool(
    CHAIN_NAME,
    "Run Python that calls tools: `await server.tool(arg=…)` gives data, asyncio.gather many at once. "
    "Loop, filter and join there; you see only prints and the last expression.",
    _CHAIN_PARAMETERS,
    ("code",),
    read_only=False,
    also=_CHAIN_ALSO,
)


READ_NAME: Final = "read_result"
_READ_PARAMETERS: Final = {"ref": TEXT, "path": TEXT, "query": TEXT, "start": NUMBER, "lines": NUMBER}
_QUOTES: Final = "' \"\n"  # some models pass them along with the ref
_READ_ALSO: Final = ("max_bytes",)
_READ_KNOWN: Final = (*_READ_PARAMETERS, *_READ_ALSO)


def read_request(given: Mapping[str, Any], cap: int) -> ReadRequest:
    """The arguments of one call; without a size of its own the answer is short."""
    arguments = BuiltinArguments(READ_NAME, given, _READ_KNOWN)
    most = min(limits.READ_BYTES, cap)
    return ReadRequest(
        ref=arguments.text("ref", '"…"').strip(_QUOTES),
        path=(arguments.optional_text("path") or "").strip(),
        query=(arguments.optional_text("query") or "").strip(),
        start=arguments.whole("start", 1, 1, limits.MAX_LINE_NUMBER),
        lines=arguments.whole("lines", 0, 1, limits.MAX_LINE_NUMBER) or None,
        max_bytes=arguments.whole("max_bytes", most, 0, cap),
    )


READ_RESULT: Final = BuiltinTool(
    READ_NAME,
    "Read more of a cut answer by its ref: a JMESPath, a search, or lines.",
    _READ_PARAMETERS,
    ("ref",),
    also=_READ_ALSO,
)
