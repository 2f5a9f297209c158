"""A refused call → what is wrong with it: the engine is asked part by part, a bounded number of times."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import jsonschema_rs as engine

from toolbooth.gateway.arguments.keywords import Draft
from toolbooth.gateway.arguments.node import Node, reachable
from toolbooth.gateway.arguments.problem import Finding, called
from toolbooth.gateway.arguments.write import compiled
from toolbooth.limits import MAX_CHECKED_VALUES, MAX_EXPLAINING, MAX_PROBLEMS

_MAX_NESTED = 100  # schemas in schemas that are looked into; a Python frame or four each


class Enough(Exception):
    """No more questions: enough is found, or enough was asked."""


class Inspection:
    """One search for problems; `found` holds what is known even when it ends early."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.found: list[Finding] = []
        self.questions = 0
        self._unwritten = MAX_CHECKED_VALUES
        self._nested = 0
        self._validators: dict[tuple[Node, tuple[str, ...]], engine.Validator | None] = {}

    def run(self, root: Node, value: Any) -> list[Finding]:
        """Everything that is found wrong, in the order of the schema."""
        with suppress(Enough):
            self.visit(root, value, "")
        return list(dict.fromkeys(self.found))

    def visit(self, node: Node | bool, value: Any, path: str) -> None:
        """Look for what is wrong with one value by one schema."""
        if node is False:
            self.report(Finding(path, f"{called(path)} is not allowed"))
        if isinstance(node, bool) or self._nested >= _MAX_NESTED or self.fits(node, value):
            return
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

    def keeps(self, node: Node, words: tuple[str, ...], value: Any) -> bool:
        """Whether a value keeps to some keywords of a schema, all others apart."""
        self.questions += 1
        if self.questions > MAX_EXPLAINING:
            raise Enough
        key = (node, words)
        if key not in self._validators:
            self._validators[key] = self._compile(node, words)
        validator = self._validators[key]
        return validator is None or validator.is_valid(value)

    def _compile(self, node: Node, words: tuple[str, ...]) -> engine.Validator | None:
        part = Node({word: node.words[word] for word in words if word in node.words})
        self._unwritten -= len(reachable(part))
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
