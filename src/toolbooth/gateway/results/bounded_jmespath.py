"""JMESPath expressions that a model wrote, evaluated with bounds on time and memory.

The library itself has no bounds: `[@,@][] | [@,@][] | …` doubles a list with every step.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from jmespath.functions import Functions, signature  # type: ignore[import-untyped]
from jmespath.parser import Parser  # type: ignore[import-untyped]
from jmespath.visitor import TreeInterpreter  # type: ignore[import-untyped]

from toolbooth import limits
from toolbooth.gateway.results.payload import as_text

_LETTERS_A_STEP: Final = 64  # scanning so many letters of a text takes no longer than one step
_WRITTEN: Final = 4  # one of so many steps may end in a value that is written
_JOINING: Final = ("join", "sort", "max", "min")  # functions that read every letter of a list of texts


class PathTooCostly(Exception):
    """The expression builds or visits more than any answer needs."""


class Evaluated(NamedTuple):
    """A value, whether parts of it may be the same object many times over, and the steps that it was allowed."""

    value: Any
    shares: bool
    steps: int


@lru_cache(maxsize=256)
def parse(expression: str) -> dict[str, Any]:
    """The tree of an expression; raises ValueError or RecursionError if it is invalid."""
    tree: dict[str, Any] = Parser()._parse(expression).parsed
    return tree


def evaluate(tree: dict[str, Any], value: Any, length: int) -> Evaluated:
    """Evaluate on JSON of `length` characters. Raises PathTooCostly, ValueError (wrong use of a function) or
    RecursionError.
    """
    steps = min(limits.MAX_PATH_STEPS, limits.LEAST_PATH_STEPS + length)
    interpreter = _Interpreter(_StepBudget(steps))
    found = interpreter.visit(tree, value)
    return Evaluated(found, interpreter.shares, steps)


def bounded_text(found: Evaluated) -> str:
    """As compact JSON. Two lists of two of two of … are small in memory, and endless when written."""
    if found.shares:
        _StepBudget(found.steps // _WRITTEN).count(found.value)
    return as_text(found.value)


class _StepBudget:
    """Steps that may still be taken."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise PathTooCostly

    def spend_on(self, value: Any) -> None:
        """A list or an object that was made or found costs as many steps as it has members."""
        if isinstance(value, (list, dict)):
            self.spend(len(value) + 1)
        else:
            self.spend(len(value) // _LETTERS_A_STEP + 1 if isinstance(value, str) else 1)

    def count(self, value: Any) -> None:
        """Pay for a value and all that is in it, each time it occurs."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            self.spend_on(each)
            if isinstance(each, dict):
                waiting += each.values()
            elif isinstance(each, list):
                waiting += each

    def equal(self, one: Any, other: Any) -> bool:
        """As JMESPath compares: numbers are not booleans. Members that are the same object are not visited."""
        waiting = [(one, other)]
        while waiting:
            left, right = waiting.pop()
            self.spend_on(left)
            if left is right:
                continue
            if isinstance(left, bool) != isinstance(right, bool):
                return False
            if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
                waiting += zip(left, right, strict=True)
            elif isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
                waiting += ((value, right[key]) for key, value in left.items())
            elif isinstance(left, (list, dict)) or isinstance(right, (list, dict)) or left != right:
                return False
        return True


class _Functions(Functions):  # type: ignore[misc]
    """The functions of JMESPath, each paid for before it runs."""

    def __init__(self, budget: _StepBudget) -> None:
        self._budget = budget

    def call_function(self, function_name: str, resolved_args: list[Any]) -> Any:
        for given in resolved_args:
            self._budget.spend_on(given)
            if function_name in _JOINING and isinstance(given, list):
                self._budget.spend(
                    sum(len(each) // _LETTERS_A_STEP for each in given if isinstance(each, str))
                )
        return super().call_function(function_name, resolved_args)

    @signature({"types": []})  # type: ignore[untyped-decorator]
    def _func_to_string(self, arg: Any) -> str:
        if isinstance(arg, str):
            return arg
        self._budget.count(arg)
        return as_text(arg)

    @signature({"types": ["array", "string"]}, {"types": []})  # type: ignore[untyped-decorator]
    def _func_contains(self, subject: Any, search: Any) -> bool:
        if isinstance(subject, str):
            return isinstance(search, str) and search in subject
        return any(self._budget.equal(each, search) for each in subject)


class _Interpreter(TreeInterpreter):  # type: ignore[misc]
    """Pays for every node it visits, and for the result."""

    def __init__(self, budget: _StepBudget) -> None:
        super().__init__()
        self._budget, self._functions = budget, _Functions(budget)
        self.shares = False

    def visit(self, node: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        found = super().visit(node, *args, **kwargs)
        self._budget.spend_on(found)
        return found

    def visit_projection(self, node: dict[str, Any], value: Any) -> Any:
        if node["children"][1]["type"] != "identity":
            return super().visit_projection(node, value)
        base = self.visit(node["children"][0], value)
        return [item for item in base if item is not None] if isinstance(base, list) else None

    def visit_flatten(self, node: dict[str, Any], value: Any) -> Any:
        base = self.visit(node["children"][0], value)
        if not isinstance(base, list):
            return None
        self._budget.spend(sum(len(each) for each in base if isinstance(each, list)))
        return [each for item in base for each in (item if isinstance(item, list) else (item,))]

    def visit_comparator(self, node: dict[str, Any], value: Any) -> Any:
        if node["value"] not in ("eq", "ne"):
            return super().visit_comparator(node, value)
        left, right = (self.visit(child, value) for child in node["children"])
        return self._budget.equal(left, right) is (node["value"] == "eq")

    def visit_multi_select_list(self, node: dict[str, Any], value: Any) -> Any:
        self.shares = True
        return super().visit_multi_select_list(node, value)

    def visit_multi_select_dict(self, node: dict[str, Any], value: Any) -> Any:
        self.shares = True
        return super().visit_multi_select_dict(node, value)
