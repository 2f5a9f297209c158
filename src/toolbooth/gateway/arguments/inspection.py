"""A refused call → what is wrong with it: the engine is asked part by part, a bounded number of times."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import jsonschema_rs as engine

from toolbooth.gateway.arguments.keywords import Draft
from toolbooth.gateway.arguments.node import Node, reachable
from toolbooth.gateway.arguments.problem import Finding, called
from toolbooth.gateway.arguments.size import Size, measure
from toolbooth.gateway.arguments.workload import Workload, patterns_of
from toolbooth.gateway.arguments.write import compiled
from toolbooth.limits import (
    MAX_ARGUMENTS,
    MAX_CHECKED_VALUES,
    MAX_EXPLAIN_WORK,
    MAX_EXPLAINING,
    MAX_PROBLEMS,
)

_HUGE = Size(MAX_ARGUMENTS, 0, 1)
_PATTERN = 10  # a pattern takes up to 0.1 ms to compile, any other schema 0.01
_MAX_NESTED = 100  # schemas in schemas that are looked into; a Python frame or four each


class Enough(Exception):
    """No more questions: enough is found, or enough was asked."""


class Inspection:
    """One search for problems; `found` holds what is known even when it ends early."""

    def __init__(self, draft: Draft, load: Workload) -> None:
        self.draft, self.load = draft, load
        self.found: list[Finding] = []
        self.questions = self.work = 0
        self._unwritten = MAX_CHECKED_VALUES
        self._nested = 0
        self._patterns: dict[str, Node] = {}
        self._sizes: dict[int, Size] = {}
        self._validators: dict[tuple[Node, tuple[str, ...]], engine.Validator | None] = {}

    def run(self, root: Node, value: Any) -> list[Finding]:
        """Everything that is found wrong, in the order of the schema."""
        with suppress(Enough):
            self._look(root, value, "")
        return list(dict.fromkeys(self.found))

    def visit(self, node: Node | bool, value: Any, path: str) -> None:
        """Look for what is wrong with one value by one schema."""
        if node is False:
            self.report(Finding(path, f"{called(path)} must not be given"))
        if not (isinstance(node, bool) or self._nested >= _MAX_NESTED or self.fits(node, value)):
            self._look(node, value, path)

    def _look(self, node: Node, value: Any, path: str) -> None:
        self._nested += 1
        for word in RULES:
            if word in node.words and RULES[word](self, node, value, path) is STOP:
                break
        self._nested -= 1

    def trial(self, node: Node | bool, value: Any, path: str) -> list[Finding]:
        """What would be wrong by one of several schemas, without saying it."""
        kept, self.found = self.found, []
        try:
            self.visit(node, value, path)
        finally:
            tried, self.found = self.found, kept
        return tried

    def report(self, finding: Finding) -> None:
        """Note a problem; raises Enough when there are as many as anybody wants to read."""
        self.found.append(finding)
        if len(self.found) >= MAX_PROBLEMS:
            raise Enough

    def fits(self, node: Node | bool, value: Any) -> bool:
        """Whether a value fits a schema."""
        return node if isinstance(node, bool) else self.keeps(node, tuple(node.words), value)

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a name matches a pattern."""
        return self.fits(self._patterns.setdefault(pattern, Node({"pattern": pattern})), name)

    def keeps(self, node: Node, words: tuple[str, ...], value: Any) -> bool:
        """Whether a value keeps to some keywords of a schema, all others apart."""
        self._charge(value)
        key = (node, words)
        if key not in self._validators:
            self._validators[key] = self._compile(node, words)
        validator = self._validators[key]
        return validator is None or validator.is_valid(value)

    def _charge(self, value: Any) -> None:
        self.questions += 1
        self.work += self.load.cost(self._size(value))
        if self.questions > MAX_EXPLAINING or self.work > MAX_EXPLAIN_WORK:
            raise Enough

    def _size(self, value: Any) -> Size:
        if not isinstance(value, dict | list):
            return Size(1, len(value) if isinstance(value, str) else 0, 1)
        if id(value) not in self._sizes:
            self._sizes[id(value)] = measure(value, MAX_ARGUMENTS) or _HUGE
        return self._sizes[id(value)]

    def _compile(self, node: Node, words: tuple[str, ...]) -> engine.Validator | None:
        part = Node({word: node.words[word] for word in words if word in node.words})
        self._unwritten -= sum(1 + _PATTERN * patterns_of(each) for each in reachable(part))
        if self._unwritten < 0:
            raise Enough
        return compiled(part, self.draft)


Rule = Callable[[Inspection, Node, Any, str], object]
STOP = object()  # returned by a rule after which the others have nothing to say
RULES: dict[str, Rule] = {}


def rule(*words: str) -> Callable[[Rule], Rule]:
    """Register what looks into a keyword; the order of registration is the order of looking."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(words, function))
        return function

    return register
