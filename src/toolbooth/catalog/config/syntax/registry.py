"""The register of syntaxes: name → parser, suffix → name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple


class Mark(NamedTuple):
    """A place in a text; both count from 1."""

    line: int
    column: int


class SyntaxFault(ValueError):
    """The text breaks its syntax; `reason` never quotes it, because it may hold secrets."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        self.reason, self.line, self.column = reason, line, column
        super().__init__(reason)


@dataclass(frozen=True)
class Parsed:
    """A value and, by path, the marks of its keys and values where the syntax keeps them."""

    value: Any = field(repr=False)
    keys: Mapping[tuple[str | int, ...], Mark] = field(default_factory=dict, repr=False)
    values: Mapping[tuple[str | int, ...], Mark] = field(default_factory=dict, repr=False)


Parser = Callable[[str], Parsed]
SYNTAXES: Final[dict[str, Parser]] = {}
SUFFIXES: Final[dict[str, str]] = {}


def syntax(name: str, *suffixes: str) -> Callable[[Parser], Parser]:
    """Register a parser under its name, and the suffixes that hint at it."""

    def register(parser: Parser) -> Parser:
        SYNTAXES[name] = parser
        SUFFIXES.update(dict.fromkeys(suffixes, name))
        return parser

    return register


def place(text: str, offset: int) -> Mark:
    """Line and column of a character."""
    return Mark(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
