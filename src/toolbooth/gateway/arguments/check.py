"""A tool and the arguments of a call → what is wrong with them, before any backend is asked."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import rules, unions  # noqa: F401  (they register what they look into)
from toolbooth.gateway.arguments.checker import Checker, Judged, build
from toolbooth.gateway.arguments.inspection import Inspection
from toolbooth.gateway.arguments.problem import Problem, sent
from toolbooth.gateway.arguments.size import TooDeep
from toolbooth.limits import COMPILED_SCHEMAS

_ANYTHING: Mapping[str, Any] = {}


class _Key(NamedTuple):
    """A tool without a schema may have a description that ends like another one's schema."""

    digest: bytes
    has_schema: bool


_checkers: OrderedDict[_Key, Checker] = OrderedDict()


def check_arguments(tool: Tool, arguments: object) -> tuple[Problem, ...]:
    """What is wrong with a call; empty if nothing is, or if only the backend can tell. None is no arguments."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        hint = "; send JSON, not text" if isinstance(arguments, str) else ""
        return (Problem("", f"the arguments must be object, not {sent(arguments)}{hint}"),)
    try:
        checker = _checker(tool).for_call(arguments)
        if checker is None or checker.validator is None or checker.validator.is_valid(arguments):
            return ()
        return _problems(checker, arguments)
    except TooDeep as error:
        return (Problem("", str(error)),)
    except ValueError:  # a lone surrogate, a name that is no text: what no JSON text can carry
        return (Problem("", "the arguments are not JSON"),)


def judged(tool: Tool) -> Judged:
    """How much of a tool's input schema is checked before a call: all, what is bounded, or nothing."""
    return _checker(tool).judged


def _checker(tool: Tool) -> Checker:
    key = _Key(tool.digest, bool(tool.input_schema))
    checker = _checkers.get(key)
    if checker is None:
        checker = _checkers[key] = build(tool.input_schema or _ANYTHING)
        if len(_checkers) > COMPILED_SCHEMAS:
            _checkers.popitem(last=False)
    else:
        _checkers.move_to_end(key)
    return checker


def _problems(checker: Checker, arguments: dict[str, Any]) -> tuple[Problem, ...]:
    found = Inspection(checker.draft, checker.load).run(checker.root, arguments) if checker.root else []
    problems = tuple(Problem(each.path, each.message) for each in found)
    return problems or (Problem("", "the arguments do not fit the tool's input schema"),)
