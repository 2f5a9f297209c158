"""Code that is only a single call, written as JSON or as one line of Python: it is made without a sandbox."""

import ast
import math
import re
from typing import Any, Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.sandbox.python_text import parse_expression

_CALL: Final = re.compile(
    r"await\s+(?:([A-Za-z_]\w*\s*\.\s*[A-Za-z_]\w*)|tools\s*\[\s*(?:\"([^\"\\\n]+)\"|'([^'\\\n]+)')\s*\])\s*(\(.*\))"
)
_NAMES: Final = ("tool", "name")
_NOT_LITERAL: Final = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError, SystemError)


class SimpleCall(NamedTuple):
    """`name` is as written: an id, or Python names joined by a dot."""

    name: str
    arguments: dict[str, Any]


def simple_call(code: str) -> SimpleCall | None:
    """The call, or None where the sandbox has to run the code, including all code with mistakes in it."""
    text = code.strip()
    if text.startswith("{"):
        return _as_json(text)
    return _as_line(text) if len(text) <= limits.ONE_LINE and "\n" not in text else None


def looks_like_a_call(code: str) -> bool:
    """Whether the code is data that was meant as a call: run as code, it would only be returned."""
    text = code.strip()
    if text[:1] not in ("{", "[") or len(text) > limits.ONE_LINE:
        return False
    try:
        value = ast.literal_eval(parse_expression(text))
    except _NOT_LITERAL:
        return False
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and ("tool" in first or {"name", "arguments"} <= first.keys())


def _as_json(text: str) -> SimpleCall | None:
    try:
        value = catalog.decode(text.encode())
    except (catalog.NotJson, UnicodeEncodeError):
        return None
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if name is not None and isinstance(value.get("server"), str):
        name = f"{value['server']}.{name}"
    arguments = value.get("arguments") or value.get("args") or {}
    strange = value.keys() - {*_NAMES, "arguments", "args", "server"}
    if name is None or strange or not isinstance(arguments, dict):
        return None
    return SimpleCall(name, arguments)


def _as_line(text: str) -> SimpleCall | None:
    match = _CALL.fullmatch(text)
    if match is None:
        return None
    try:
        call = parse_expression(f"f{match[4]}")
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            return None
        arguments = {
            each.arg: _data(ast.literal_eval(each.value)) for each in call.keywords if each.arg is not None
        }
    except _NOT_LITERAL:
        return None
    if len(arguments) < len(call.keywords):
        return None
    name = match[2] or match[3] or re.sub(r"\s", "", match[1])
    return SimpleCall(name, arguments)


def _data(value: Any) -> Any:
    """The value as it would leave the sandbox; raises ValueError for anything that JSON cannot express."""
    if isinstance(value, list | tuple):
        return [_data(each) for each in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {_data(key): _data(each) for key, each in value.items()}
    if isinstance(value, str):
        return value.encode().decode()  # a lone surrogate is left to the sandbox
    if value is None or (isinstance(value, int) and value.bit_length() <= _BITS):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise ValueError(value)


_BITS: Final = 64  # of an integer: longer ones are left to the sandbox
