"""The register of matchers: a word of a suite → a test of one value."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Fits = Callable[[Any], bool]
Compile = Callable[[Any], Fits]


class BadArgument(ValueError):
    """What a matcher was given cannot be; the message says what it takes."""


class Matcher(NamedTuple):
    """`compile` reads the argument once, when the suite is loaded; `takes` is its JSON Schema."""

    name: str
    says: str
    takes: Mapping[str, Any]
    compile: Compile


MATCHERS: dict[str, Matcher] = {}


def matcher(name: str, says: str, takes: Mapping[str, Any]) -> Callable[[Compile], Compile]:
    """Register under a word."""

    def register(compile_: Compile) -> Compile:
        MATCHERS[name] = Matcher(name, says, takes, compile_)
        return compile_

    return register
