"""The search for what is wrong with a refused call, place by place, in words that a model can act on.

The engine is asked part by part, a bounded number of times; `rules.py` registers what looks into each keyword.
The words quote what the caller sent and what the server wrote, cleaned: they are for the caller alone, never
for a log or the ledger.
"""

import json
import math
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import jsonschema_rs as engine

from toolbooth import limits, safetext, schema
from toolbooth.gateway.arguments.bounding import ArgumentsSize, Workload, measure_arguments, patterns_of
from toolbooth.gateway.arguments.schema_reading import compiled
from toolbooth.registry import Registry

MAX_SHOWN_PATH = 120  # characters of a place; a longer one is cut in the middle of nowhere anyway
MAX_VALUE, MAX_CHOICES, MAX_CHOICE_TEXT = 40, 12, 200

# The words of the signatures that a model reads, so that both say the same.
TYPE_WORDS = {
    "string": "str",
    "integer": "int",
    "number": "num",
    "boolean": "bool",
    "null": "null",
    "array": "list",
    "object": "object",
}
_KINDS = ((bool, "bool"), (int, "int"), (float, "num"), (str, "str"), (list, "list"), (dict, "object"))
_WORD = re.compile(r"[^\W\d][\w.:/+@-]*")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. `path` is like `labels[2].name`, empty for the whole."""

    path: str
    message: str


class Mismatch(NamedTuple):
    """A problem on its way, with what a union needs to know to choose or to join: the values it wants."""

    path: str
    message: str
    types: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def member(path: str, name: str) -> str:
    """The place of a member of an object."""
    if name.isidentifier():
        clean = safetext.for_terminal(name, MAX_SHOWN_PATH)
        return safetext.for_terminal(f"{path}.{clean}" if path else clean, MAX_SHOWN_PATH)
    return safetext.for_terminal(
        f"{path}[{json.dumps(name[:MAX_SHOWN_PATH], ensure_ascii=False)}]", MAX_SHOWN_PATH
    )


def item(path: str, index: int) -> str:
    """The place of an item of a list."""
    return f"{path}[{index}]"


def called(path: str) -> str:
    """How a place is named in a sentence."""
    if not path:
        return "the arguments"
    if '"' not in path:
        return f'"{path}"'
    return path[1:-1] if path.startswith("[") and path.count("[") == 1 else path


def kind_of(value: Any) -> str:
    """The type of a value in a word."""
    return next((word for kind, word in _KINDS if isinstance(value, kind)), "null")


def shown(value: Any) -> str:
    """A value as it is named in a sentence: short, clean, one line."""
    if isinstance(value, str):
        text = value[: MAX_VALUE * 8]
        plain = _WORD.fullmatch(text) and text not in ("true", "false", "null")
        return safetext.for_terminal(text if plain else json.dumps(text, ensure_ascii=False), MAX_VALUE)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        short = not isinstance(value, int) or abs(value) < 10**30
        return str(value) if short and math.isfinite(value) else "…"
    empty, full = ("{}", "{…}") if isinstance(value, dict) else ("[]", "[…]")
    return full if value else empty


def sent(value: Any) -> str:
    """The type of a value, and the value itself where that helps: `str "5"`."""
    kind = kind_of(value)
    if isinstance(value, str):
        return f"{kind} {safetext.for_terminal(json.dumps(value[:MAX_VALUE], ensure_ascii=False), MAX_VALUE)}"
    return f"{kind} {shown(value)}" if kind in ("int", "num", "bool") else kind


def wrong_type(path: str, types: Iterable[str], value: Any) -> Mismatch:
    """`"limit" must be int, not str "5"`."""
    wanted = tuple(dict.fromkeys(types))
    words = "|".join(TYPE_WORDS[each] for each in wanted)
    as_text = (
        isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and {"object", "array"} & set(wanted)
    )
    hint = "; send JSON, not text" if as_text else ""
    return Mismatch(path, f"{called(path)} must be {words}, not {sent(value)}{hint}", types=wanted)


def wrong_choice(path: str, choices: Iterable[str]) -> Mismatch:
    """`"state" must be one of open|closed`."""
    wanted = tuple(dict.fromkeys(choices))
    if len(wanted) == 1:
        return Mismatch(path, f"{called(path)} must be {wanted[0]}", choices=wanted)
    more = f"|…+{len(wanted) - MAX_CHOICES}" if len(wanted) > MAX_CHOICES else ""
    listed = safetext.for_terminal("|".join(wanted[:MAX_CHOICES]), MAX_CHOICE_TEXT)
    return Mismatch(path, f"{called(path)} must be one of {listed}{more}", choices=wanted)


_HUGE = ArgumentsSize(limits.MAX_ARGUMENTS, 0, 1)
_PATTERN = 10  # a pattern takes up to 0.1 ms to compile, any other schema 0.01
_MAX_NESTED = 100  # schemas in schemas that are looked into; a Python frame or four each


class Enough(Exception):
    """No more questions: enough is found, or enough was asked."""


class Inspection:
    """One search for problems; `found` holds what is known even when it ends early."""

    def __init__(self, dialect: schema.Dialect, load: Workload) -> None:
        self.dialect, self.load = dialect, load
        self.found: list[Mismatch] = []
        self.questions = self.work = 0
        self._unwritten = limits.MAX_CHECKED_VALUES
        self._nested = 0
        self._patterns: dict[str, schema.Node] = {}
        self._sizes: dict[int, ArgumentsSize] = {}
        self._validators: dict[tuple[schema.Node, tuple[str, ...]], engine.Validator | None] = {}

    def run(self, root: schema.Node, value: Any) -> list[Mismatch]:
        """Everything that is found wrong, in the order of the schema."""
        with suppress(Enough):
            self._look(root, value, "")
        return list(dict.fromkeys(self.found))

    def visit(self, node: schema.Node | bool, value: Any, path: str) -> None:
        """Look for what is wrong with one value by one schema."""
        if node is False:
            self.report(Mismatch(path, f"{called(path)} must not be given"))
        if not (isinstance(node, bool) or self._nested >= _MAX_NESTED or self.fits(node, value)):
            self._look(node, value, path)

    def _look(self, node: schema.Node, value: Any, path: str) -> None:
        self._nested += 1
        for word in RULES:
            if word in node.keywords and RULES[word](self, node, value, path) is STOP:
                break
        self._nested -= 1

    def trial(self, node: schema.Node | bool, value: Any, path: str) -> list[Mismatch]:
        """What would be wrong by one of several schemas, without saying it."""
        kept, self.found = self.found, []
        try:
            self.visit(node, value, path)
        finally:
            tried, self.found = self.found, kept
        return tried

    def report(self, mismatch: Mismatch) -> None:
        """Note a problem; raises Enough when there are as many as anybody wants to read."""
        self.found.append(mismatch)
        if len(self.found) >= limits.MAX_PROBLEMS:
            raise Enough

    def fits(self, node: schema.Node | bool, value: Any) -> bool:
        """Whether a value fits a schema."""
        return node if isinstance(node, bool) else self.keeps(node, tuple(node.keywords), value)

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a name matches a pattern."""
        return self.fits(self._patterns.setdefault(pattern, schema.Node({"pattern": pattern})), name)

    def keeps(self, node: schema.Node, words: tuple[str, ...], value: Any) -> bool:
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
        if self.questions > limits.MAX_EXPLAINING or self.work > limits.MAX_EXPLAIN_WORK:
            raise Enough

    def _size(self, value: Any) -> ArgumentsSize:
        if not isinstance(value, dict | list):
            return ArgumentsSize(1, len(value) if isinstance(value, str) else 0, 1)
        if id(value) not in self._sizes:
            self._sizes[id(value)] = measure_arguments(value, limits.MAX_ARGUMENTS) or _HUGE
        return self._sizes[id(value)]

    def _compile(self, node: schema.Node, words: tuple[str, ...]) -> engine.Validator | None:
        part = schema.Node({word: node.keywords[word] for word in words if word in node.keywords})
        self._unwritten -= sum(1 + _PATTERN * patterns_of(each) for each in schema.reachable(part))
        if self._unwritten < 0:
            raise Enough
        return compiled(part, self.dialect)


Rule = Callable[[Inspection, schema.Node, Any, str], object]
STOP = object()  # returned by a rule after which the others have nothing to say
RULES = Registry[Rule]("keyword")  # keywords are looked into in the order of registration
rule = RULES.register
