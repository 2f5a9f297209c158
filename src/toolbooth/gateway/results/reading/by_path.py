"""A kept text × a JMESPath expression → the value found there as text, or what there is instead."""

import re
from typing import Any, Final, NamedTuple

from jmespath.exceptions import (  # type: ignore[import-untyped]
    ArityError,
    JMESPathTypeError,
    LexerError,
    ParseError,
    UnknownFunctionError,
)

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.results.reading.bounded_jmespath import TooMuch, bounded_text, evaluate, parse
from toolbooth.gateway.results.reading.missing import missing
from toolbooth.limits import MAX_PATH
from toolbooth.safetext import for_terminal

_EXAMPLE: Final = """as in path='orders[0].id', path='orders[].id' or path='"odd-key".id'"""
_ROOT: Final = re.compile(r"^\$\.?")  # as JSONPath begins: what can only mean one thing is taken for it
_SHOWN: Final = 60


class NothingThere(Exception):
    """The expression is right, and the text has nothing at that place; says what it has."""


class AtPath(NamedTuple):
    """What a path leads to: the value, and its text, which for a string is the string itself."""

    value: Any
    text: str


def at_path(text: str, path: str) -> AtPath:
    """Raises WrongArguments where the path cannot be followed in any text, or not in this one, and NothingThere."""
    tree = _tree(path)
    whole = payload(text)
    if not whole.has_value:
        raise WrongArguments(
            "this result is not JSON, so it has no `path`; read it by start and lines, or by query"
        )
    try:
        found = evaluate(tree, whole.value, len(text))
        if found.value in (None, []):
            words = missing(tree, whole.value, len(text))
            if words:
                raise NothingThere(f'nothing at path="{for_terminal(path)}": {words}')
        shown = found.value if isinstance(found.value, str) else bounded_text(found)
    except TooMuch:
        raise WrongArguments(
            "this `path` builds too much; ask for less, or for one part after another"
        ) from None
    except RecursionError:
        raise WrongArguments(f"this `path` is nested too deep; write a simpler one, {_EXAMPLE}") from None
    except (ValueError, TypeError, ArithmeticError) as error:
        raise WrongArguments(f"`path` fails: {_reason(error)}") from None
    return AtPath(found.value, shown)


def value_at(text: str, path: str) -> Any:
    """The value alone; None where there is nothing. Raises WrongArguments."""
    try:
        return at_path(text, path).value
    except NothingThere:
        return None


def _tree(path: str) -> dict[str, Any]:
    if len(path) > MAX_PATH:
        raise WrongArguments(f"`path` has at most {MAX_PATH} characters; write a simpler one, {_EXAMPLE}")
    try:
        return parse(_ROOT.sub("", path.strip()) or "@")
    except RecursionError:
        raise WrongArguments(f"this `path` is nested too deep; write a simpler one, {_EXAMPLE}") from None
    except (ValueError, TypeError) as error:
        raise WrongArguments(f"`path` is not JMESPath: {_reason(error)}; write it {_EXAMPLE}") from None


def _reason(error: Exception) -> str:
    """One line; the library's own words draw the place below the expression, and may hold a whole value."""
    match error:
        case JMESPathTypeError():
            wanted = " or ".join(error.expected_types)
            return f"{error.function_name}() takes {wanted}, not {error.actual_type}"
        case ArityError():
            return for_terminal(str(error))
        case UnknownFunctionError():
            return for_terminal(str(error), _SHOWN)
        case LexerError():
            return for_terminal(f"{error.message} at character {error.lexer_position + 1}", 2 * _SHOWN)
        case ParseError(token_value=None):
            return "it ends too soon"
        case ParseError():
            token = for_terminal(str(error.token_value), _SHOWN)
            return (
                f'unexpected "{token}" at character {error.lex_position + 1}' if token else "it ends too soon"
            )
        case TypeError():
            return "an expression with & is no value by itself"
        case _:
            return for_terminal(str(error), 2 * _SHOWN)
