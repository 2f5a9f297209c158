"""The matchers of `expect`: `contains`, `exact`, comparison operators, `regex`, `schema`.

Each compiles its argument once, when the suite is loaded. Patterns run in time linear in the text, so no suite can
hang a run.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import registry

Fits = Callable[[Any], bool]
Compile = Callable[[Any], Fits]


class BadArgument(ValueError):
    """The argument of a matcher is not valid; the message says what the matcher takes."""


class Matcher(NamedTuple):
    """`compile` reads the argument once, when the suite is loaded; `takes` is the JSON Schema of the argument."""

    name: str
    says: str
    takes: Mapping[str, Any]
    compile: Compile


MATCHERS: Final = registry.Registry[Matcher]("matcher")


def matcher(name: str, says: str, takes: Mapping[str, Any]) -> Callable[[Compile], Compile]:
    """Register a matcher under its name."""

    def register(compile_: Compile) -> Compile:
        MATCHERS.add(name, Matcher(name, says, takes, compile_))
        return compile_

    return register


class BadPattern(ValueError):
    """A pattern cannot be used; the message says why."""


def found_in(pattern: str) -> Callable[[str], bool]:
    """A test for a pattern. It uses the engine of our JSON Schema validator, which never backtracks."""
    import jsonschema_rs

    try:
        judge = jsonschema_rs.Draft202012Validator(
            {"type": "string", "pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        raise BadPattern(
            "this is not a valid pattern; look-around and back-references are not supported"
        ) from None
    return judge.is_valid


def same(one: Any, other: Any) -> bool:
    """Equality at every depth; lists and tuples are equal, true and 1 are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _has(found: Any, part: Any) -> bool:
    if isinstance(found, str):
        return str(part) in found
    if isinstance(found, dict):
        return isinstance(part, str) and part in found
    return isinstance(found, list | tuple) and any(same(item, part) for item in found)


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return value.casefold()
    return [_folded(item) for item in value] if isinstance(value, list | tuple) else value


@matcher("contains", "A text that contains this part, or a list that contains this item.", {})
def compile_contains(argument: Any) -> Fits:
    """Match a part of the text; case matters."""
    return lambda found: _has(found, argument)


@matcher("icontains", "The same, ignoring case.", {"type": "string"})
def compile_icontains(argument: Any) -> Fits:
    """Match a part of the text in any case."""
    if not isinstance(argument, str):
        raise BadArgument("icontains takes text")
    part = argument.casefold()
    return lambda found: _has(_folded(found), part)


@matcher(
    "contains-all",
    "A text that contains all these parts, or a list that contains all these items.",
    {"type": "array", "minItems": 1},
)
def compile_contains_all(argument: Any) -> Fits:
    """Takes a list of parts."""
    if not isinstance(argument, list) or not argument:
        raise BadArgument("contains-all takes a list of parts")
    return lambda found: all(_has(found, part) for part in argument)


@matcher("exact", "Exactly this value.", {})
def compile_exact(argument: Any) -> Fits:
    """Match a value that is equal at every depth."""
    return lambda found: same(found, argument)


_ORDERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
_SAMES: Final[dict[str, bool]] = {"==": True, "!=": False}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _register_order(word: str, holds: Callable[[Any, Any], bool]) -> None:
    @matcher(word, f"A number that is {word} this one.", {"type": "number"})
    def compile_order(argument: Any) -> Fits:
        if not _is_number(argument):
            raise BadArgument(f"{word} takes a number")
        return lambda found: _is_number(found) and holds(found, argument)


def _register_same(word: str, wanted: bool) -> None:
    @matcher(word, f"A value that is {word} this one.", {})
    def compile_same(argument: Any) -> Fits:
        return lambda found: same(found, argument) is wanted


for _word, _holds in _ORDERS.items():
    _register_order(_word, _holds)
for _word, _wanted in _SAMES.items():
    _register_same(_word, _wanted)


@matcher(
    "regex",
    "A text that this pattern matches somewhere (no look-around, no back-references).",
    {"type": "string"},
)
def compile_regex(argument: Any) -> Fits:
    """A value that is not text does not match."""
    if not isinstance(argument, str):
        raise BadArgument("regex takes a pattern as text")
    try:
        return found_in(argument)
    except BadPattern as error:
        raise BadArgument(str(error)) from None


@matcher("schema", "A value that is valid under this JSON Schema.", {"type": ["object", "boolean"]})
def compile_schema(argument: Any) -> Fits:
    """References are resolved within the schema only; nothing is fetched."""
    import jsonschema_rs

    if not isinstance(argument, dict | bool):
        raise BadArgument("schema takes a JSON Schema: a map of keywords")
    try:
        judge = jsonschema_rs.Draft202012Validator(
            argument, retriever=_nothing, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadArgument(f"this is not a valid JSON Schema: {str(error).splitlines()[0]}") from None
    return judge.is_valid


def _nothing(address: str) -> Any:
    raise BadArgument(f"a schema cannot refer to {address}, because nothing is fetched")
