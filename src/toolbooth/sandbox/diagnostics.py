"""The type checker's output, reduced to the mistakes that would make a run fail.

The checker is stricter than Python: only the errors count that are sure to fail, and those about the arguments of a
tool. The rest is left to the run itself.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple

# `main.py:3:19: error[invalid-argument-type] Argument to function …`; the only warning is about a forgotten await
_LINE: Final = re.compile(
    r"^[^\n]*?:(\d+):(\d+): (?:error|warning(?=\[unused-awaitable\]))\[([\w-]+)\] (.*)$", re.MULTILINE
)
_END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")
_ALWAYS: Final = frozenset(
    {"unresolved-reference", "unresolved-attribute", "unresolved-import", "invalid-syntax"}
)
_OF_A_CALL: Final = frozenset(
    {
        "invalid-argument-type",
        "missing-argument",
        "no-matching-overload",
        "parameter-already-assigned",
        "too-many-positional-arguments",
        "unknown-argument",
    }
)
_CALLED: Final = re.compile(r"(?:function|method) `(?:[\w.]*\.)?(\w+)`")
_CHOICE: Final = re.compile(r"^Method `__getitem__` of type .*object of type `_Tools`")
_NOT_FITTING: Final = re.compile(r"Expected `([^`]*)`, found `([^`]*)`$")
_IN_UNION: Final = " in union "  # only some of its types have it: the run decides
_UNDEFINED: Final = re.compile(r"^Name `(\w+)` used when not defined$")
_FAILED_IMPORT: Final = re.compile(
    r"except\b(?:(?!except).)*\b(?:ImportError|ModuleNotFoundError|Exception)\b|except\s*:"
)
_ONLY_THERE: Final = frozenset(
    {
        "FileExistsError",
        "FileNotFoundError",
        "ImportError",
        "IsADirectoryError",
        "ModuleNotFoundError",
        "NotADirectoryError",
        "PermissionError",
        "UnboundLocalError",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "filter",
        "format",
        "getattr",
        "hasattr",
        "map",
        "setattr",
    }
)
_RETURN: Final = "`return` statement outside of a function"  # a common ending, which the sandbox allows
_LITERAL: Final = re.compile(r"Literal\[([^\[\]]*)\]")


class Mistake(NamedTuple):
    """Lines and columns count from 1."""

    line: int
    column: int
    rule: str
    message: str


def mistakes(said: str, code: str, functions: Collection[str]) -> list[Mistake]:
    """The mistakes that count; `functions` are the names of all host functions and tools that the code may call."""
    lines = source_lines(code)
    found = (Mistake(int(line), int(column), rule, text) for line, column, rule, text in _LINE.findall(said))
    return [each for each in found if _counts(each, lines, functions)]


def source_lines(code: str) -> list[str]:
    """The lines as Python counts them: a form feed or U+2028 in a string starts no new line."""
    return _END_OF_LINE.split(code)


def _counts(mistake: Mistake, lines: list[str], functions: Collection[str]) -> bool:
    if mistake.message == _RETURN or _IN_UNION in mistake.message or _runs_anyway(mistake, lines):
        return False
    if mistake.rule in _ALWAYS or "Coroutine" in mistake.message or _CHOICE.search(mistake.message):
        return True
    called = _CALLED.search(mistake.message)
    if mistake.rule not in _OF_A_CALL or called is None:
        return False
    if called[1] not in functions and called[1] != "__call__":
        return False
    return not _unpacks(mistake, lines) and not _may_fit(mistake.message)


def _runs_anyway(mistake: Mistake, lines: list[str]) -> bool:
    """Names that only the sandbox's Python has, and imports that the code itself expects to fail."""
    if mistake.rule == "unresolved-import":
        return any(_FAILED_IMPORT.search(line) for line in lines)
    name = _UNDEFINED.match(mistake.message)
    return name is not None and name[1] in _ONLY_THERE


def _unpacks(mistake: Mistake, lines: list[str]) -> bool:
    """`**arguments`: the checker compares each of its values with every parameter."""
    line = lines[mistake.line - 1] if mistake.line <= len(lines) else ""
    return line[mistake.column - 1 :].startswith("**")


def _may_fit(message: str) -> bool:
    """Where only the run knows: a text that may be one of the choices, a value that may be of several types."""
    types = _NOT_FITTING.search(message)
    if types is None:
        return False
    found = _alternatives(types[2])
    if len(found) == 1 and found[0].startswith("Literal["):
        return False
    wanted = _alternatives(_widened(types[1]))
    return any(_fits(_widened(each), wanted) for each in found)


def _widened(text: str) -> str:
    """The type of a value."""
    wide = _LITERAL.sub(lambda match: "str" if match[1][:1] in "\"'" else "int", text)
    return wide.replace("LiteralString", "str")


def _alternatives(text: str) -> list[str]:
    """The members of a union: `list[str | int] | None` has two."""
    parts, depth = [""], 0
    for piece in re.split(r"( \| |[\[\]])", text):
        depth += {"[": 1, "]": -1}.get(piece, 0)
        if piece == " | " and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _fits(found: str, wanted: list[str]) -> bool:
    """Whether a value has the type, also after conversion: a tuple becomes a list, a date becomes text."""
    if found in wanted or found in ("Any", "Unknown") or (found in ("int", "bool") and "float" in wanted):
        return True
    lists = [each for each in wanted if each.startswith("list[")]
    if found.startswith("list["):  # the items are checked by the schema when the call is made
        inside = set(_alternatives(found[5:-1]))
        return any(inside & set(_alternatives(each[5:-1])) for each in lists)
    if found.startswith(("tuple[", "set[", "frozenset[")):
        return bool(lists)
    return found in ("date", "datetime", "time") and "str" in wanted
