"""Every regular expression of the product, found in its source."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

SOURCE = Path(__file__).parents[1] / "src"
_FUNCTIONS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
_AT_THE_BEGINNING = {"match", "fullmatch"}


class Found(NamedTuple):
    where: str
    pattern: "re.Pattern[Any] | None"  # None: it is put together while the program runs
    source: str
    once: bool  # it is only ever tried at the beginning of a text


def modules() -> Iterator[tuple[ModuleType, ast.Module, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if parts[-1] != "__main__":
            tree = ast.parse(path.read_text())
            yield importlib.import_module(name), tree, str(path.relative_to(SOURCE))


def every_pattern() -> list[Found]:
    """In the order of the files; `re.compile` and the functions of `re` that take a pattern."""
    return [found for module, tree, where in modules() for found in _in(module, tree, where)]


def _in(module: ModuleType, tree: ast.Module, where: str) -> Iterator[Found]:
    assigned = {id(value): name for node in ast.walk(tree) for name, value in _assigned(node)}
    uses = _uses(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (function := _of_re(node.func)):
            ways = {function}
            if function == "compile":
                name = assigned.get(id(node))
                ways = uses.get(name, set()) if name else set()
            once = bool(ways) and ways <= _AT_THE_BEGINNING
            yield Found(f"{where}:{node.lineno}", _value(module, node), ast.unparse(node.args[0]), once)


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield node.targets[0].id, node.value


def _uses(tree: ast.Module) -> dict[str, set[str]]:
    """How each name is used: a method of it, or `passed on`."""
    ways: dict[str, set[str]] = defaultdict(set)
    methods = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            ways[node.id].add(methods.get(id(node), "passed on"))
    return ways


def _of_re(function: ast.expr) -> str | None:
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
    ):
        return function.attr if function.attr in _FUNCTIONS else None
    return None


def _value(module: ModuleType, call: ast.Call) -> "re.Pattern[Any] | None":
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    if ast.unparse(call.func) == "re.compile":
        flags += call.args[1:]
    try:
        pattern = _evaluated(module, call.args[0])
        given = [_evaluated(module, flag) for flag in flags]
    except NameError:
        return None
    return re.compile(pattern, *given)


def _evaluated(module: ModuleType, source: ast.expr) -> Any:
    return eval(compile(ast.Expression(source), "", "eval"), vars(module))  # noqa: S307  our own source


def held_by(module: ModuleType) -> Iterator["re.Pattern[Any]"]:
    """Patterns among the module's values, and inside its tuples, lists, dictionaries and records."""
    waiting, seen = [value for name, value in vars(module).items() if not name.startswith("__")], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, str | bytes | int | float | ModuleType):
            continue
        seen.add(id(value))
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += value
        elif type(value).__module__.startswith("toolbooth") and hasattr(value, "__dict__"):
            waiting += vars(value).values()
