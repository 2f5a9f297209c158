"""What the type checker says of a code → the mistakes in it that would make a run fail.

The checker is stricter than Python: of what it says, only that counts which cannot go well, and what concerns the
arguments of a tool. The rest is left to the run itself.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple

# `main.py:3:19: error[invalid-argument-type] Argument to function …`; of warnings only the one of a forgotten await
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
_CHOICE: Final = re.compile(r"Method `__getitem__` of type .*object of type `_Tools`")
_NOT_FITTING: Final = re.compile(r"Expected `(.*)`, found `(.*)`$")
_RETURN: Final = "`return` statement outside of a function"  # many models end so, and the sandbox lets them
_LITERAL: Final = re.compile(r"Literal\[([^\[\]]*)\]")


class Mistake(NamedTuple):
    """Lines and columns count from 1."""

    line: int
    column: int
    rule: str
    message: str


def mistakes(said: str, code: str, functions: Collection[str]) -> list[Mistake]:
    """`functions` are the names of what the code may call of ours, tools included."""
    lines = source_lines(code)
    found = (Mistake(int(line), int(column), rule, text) for line, column, rule, text in _LINE.findall(said))
    return [each for each in found if _counts(each, lines, functions)]


def source_lines(code: str) -> list[str]:
    """As Python counts them: a form feed or U+2028 in a text begins no new line."""
    return _END_OF_LINE.split(code)


def _counts(mistake: Mistake, lines: list[str], functions: Collection[str]) -> bool:
    if mistake.message == _RETURN:
        return False
    if mistake.rule in _ALWAYS or "Coroutine" in mistake.message or _CHOICE.search(mistake.message):
        return True
    called = _CALLED.search(mistake.message)
    if mistake.rule not in _OF_A_CALL or called is None:
        return False
    if called[1] not in functions and called[1] != "__call__":
        return False
    return not _unpacks(mistake, lines) and not _may_fit(mistake.message)


def _unpacks(mistake: Mistake, lines: list[str]) -> bool:
    """`**arguments`: the checker holds every value of it against every parameter."""
    line = lines[mistake.line - 1] if mistake.line <= len(lines) else ""
    return line[mistake.column - 1 :].startswith("**")


def _may_fit(message: str) -> bool:
    """A text of which only the run knows whether it is one of the choices."""
    types = _NOT_FITTING.search(message)
    if types is None:
        return False
    expected = _LITERAL.sub(lambda match: "str" if match[1][:1] in "\"'" else "int", types[1])
    return types[2] == expected or types[2] in expected.split(" | ")
