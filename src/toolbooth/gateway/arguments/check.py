"""A tool and the arguments of a call → what is wrong with them, before any backend is asked."""

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import rules, unions  # noqa: F401  (they register what they look into)
from toolbooth.gateway.arguments.checker import Checker, Judged, build
from toolbooth.gateway.arguments.inspection import Inspection
from toolbooth.gateway.arguments.problem import Problem, sent
from toolbooth.gateway.arguments.size import TooDeep
from toolbooth.limits import COMPILED_SCHEMAS

_ANYTHING: Mapping[str, Any] = {}

# By digest, and whether there is a schema: a description may end like another tool's schema.
_checkers: OrderedDict[tuple[bytes, bool], Checker] = OrderedDict()
_making = Lock()


def check_arguments(tool: Tool, arguments: object) -> tuple[Problem, ...]:
    """What is wrong with a call; empty if nothing is, or if only the backend can tell. None is no arguments."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        hint = "; send JSON, not text" if isinstance(arguments, str) else ""
        return (Problem("", f"the arguments must be object, not {sent(arguments)}{hint}"),)
    try:
        checker = _checker(tool).for_call(arguments)
    except TooDeep as error:
        return (Problem("", str(error)),)
    return _problems(checker, arguments) if checker else ()


def judged(tool: Tool) -> Judged:
    """How much of a tool's input schema is checked before a call: all, what is bounded, or nothing.

    The first question of a definition takes 0.1 to 30 ms; asked early, from a thread, no call waits for it.
    """
    return _checker(tool).judged


def _checker(tool: Tool) -> Checker:
    key = (tool.digest, bool(tool.input_schema))
    try:
        checker = _checkers[key]
        _checkers.move_to_end(key)
    except KeyError:
        checker = build(tool.input_schema or _ANYTHING)
        with _making:
            _checkers[key] = checker
            while len(_checkers) > COMPILED_SCHEMAS:
                _checkers.popitem(last=False)
    return checker


def _problems(checker: Checker, arguments: dict[str, Any]) -> tuple[Problem, ...]:
    try:
        if checker.validator is None or checker.root is None or checker.validator.is_valid(arguments):
            return ()
        found = Inspection(checker.draft, checker.load).run(checker.root, arguments)
    except ValueError:  # a lone surrogate, a name that is no text: what no JSON text can carry
        return (Problem("", "the arguments are not JSON"),)
    problems = tuple(Problem(each.path, each.message) for each in found)
    return problems or (Problem("", "the arguments do not fit the tool's input schema"),)
