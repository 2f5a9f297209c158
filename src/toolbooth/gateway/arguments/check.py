"""The check of a call's arguments before any upstream is asked.

A schema is compiled once; the work of a check is bounded call by call. Where only the server can judge, the
call passes.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Literal

import jsonschema_rs as engine

from toolbooth import catalog, limits, safetext, search
from toolbooth.gateway.arguments import bounding, inspection, rules, schema_reading  # noqa: F401  (they register what they look into)
from toolbooth.schema import Dialect, Node

SHOWN_PROBLEMS = 6  # more would not be read before the next try


def explain_bad_call(tool: catalog.Tool, problems: Sequence[inspection.Problem], name: str = "") -> str:
    """One line for each problem, then the signature to write the next call from, under the name that was called."""
    lines = [f"- {problem.message}" for problem in problems[:SHOWN_PROBLEMS]]
    hidden = len(problems) - SHOWN_PROBLEMS
    if hidden > 0:
        lines.append(f"- …+{hidden}")
    called = search.signature(tool)
    shown = f"{safetext.for_terminal(name)}({called.partition('(')[2]}" if name else called
    return "\n".join(("Not called:", *lines, f"Call it as {shown}"))


Judged = Literal["full", "partly", "not"]
NO_LOAD = bounding.Workload(visits=1, patterns=0)


@dataclass(frozen=True)
class Checker:
    """One schema, ready. `judged` says how much of it is checked; `validator` is None where nothing is."""

    judged: Judged
    validator: engine.Validator | None = None
    root: Node | None = None
    dialect: Dialect = Dialect.D2020
    load: bounding.Workload = NO_LOAD
    schema: Mapping[str, Any] | None = None  # kept only where there is another way to read it

    @cached_property
    def without_patterns(self) -> "Checker":
        """A check without patterns, for texts that are too long to match them."""
        return build(self.schema or {}, patterns=False)

    def for_call(self, arguments: dict[str, Any]) -> "Checker | None":
        """What checks these arguments in bounded work; None where only the server can judge them."""
        size = bounding.measure_arguments(arguments, limits.MAX_ARGUMENTS)
        if size is None or self.validator is None or size.depth * self.load.visits > limits.MAX_CHECK_FRAMES:
            return None
        if self.load.cost(size) <= limits.MAX_CHECK_WORK:
            return self
        return self.without_patterns.for_call(arguments) if self.load.patterns else None


def build(schema: Mapping[str, Any], patterns: bool = True) -> Checker:
    """Judge and compile a schema; one that cannot be checked gives a checker that lets every call through."""
    try:
        ready = bounding.bound_schema(schema, patterns)
    except schema_reading.NotCheckable:
        return Checker("not")
    root, dialect = ready.graph.root, ready.graph.dialect
    validator = schema_reading.compiled(root, dialect)
    if validator is None or not (root.keywords or ready.whole):
        return Checker("not")
    judged: Judged = "full" if ready.whole else "partly"
    return Checker(judged, validator, root, dialect, ready.load, schema if ready.load.patterns else None)


_ANYTHING: Mapping[str, Any] = {}

# By digest, and whether there is a schema: a description may end like another tool's schema.
_checkers: OrderedDict[tuple[bytes, bool], Checker] = OrderedDict()
_making = Lock()


def check_arguments(tool: catalog.Tool, arguments: object) -> tuple[inspection.Problem, ...]:
    """What is wrong with a call; empty if nothing is, or if only the server can tell. None stands for no arguments."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        hint = "; send JSON, not text" if isinstance(arguments, str) else ""
        return (
            inspection.Problem("", f"the arguments must be object, not {inspection.sent(arguments)}{hint}"),
        )
    try:
        checker = _checker(tool).for_call(arguments)
    except bounding.ArgumentsTooDeep as error:
        return (inspection.Problem("", str(error)),)
    return _problems(checker, arguments) if checker else ()


def judged(tool: catalog.Tool) -> Judged:
    """How much of a tool's input schema is checked before a call: all, what is bounded, or nothing.

    The first question of a definition takes 0.1 to 30 ms; asked early, from a thread, no call waits for it.
    """
    return _checker(tool).judged


def _checker(tool: catalog.Tool) -> Checker:
    key = (tool.digest, bool(tool.input_schema))
    try:
        checker = _checkers[key]
        _checkers.move_to_end(key)
    except KeyError:
        checker = build(tool.input_schema or _ANYTHING)
        with _making:
            _checkers[key] = checker
            while len(_checkers) > limits.COMPILED_SCHEMAS:
                _checkers.popitem(last=False)
    return checker


def _problems(checker: Checker, arguments: dict[str, Any]) -> tuple[inspection.Problem, ...]:
    try:
        if checker.validator is None or checker.root is None or checker.validator.is_valid(arguments):
            return ()
        found = inspection.Inspection(checker.dialect, checker.load).run(checker.root, arguments)
    except ValueError:  # a lone surrogate, a name that is no text: what no JSON text can carry
        return (inspection.Problem("", "the arguments are not JSON"),)
    problems = tuple(inspection.Problem(each.path, each.message) for each in found)
    return problems or (inspection.Problem("", "the arguments do not fit the tool's input schema"),)
