"""Tables of the keys that a YAML file of ours may have.

A table finds the mistakes in a file, with line and column, and produces a JSON Schema for editors.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from toolbooth import errors, safetext, suggest
from toolbooth.catalog.config.config_file import Document

__all__ = [
    "COUNT",
    "FILLED",
    "FLAG",
    "SECONDS",
    "SECONDS_OR_NEVER",
    "TEXT",
    "Each",
    "Items",
    "Key",
    "KeyPath",
    "KeyRule",
    "Keys",
    "Leaf",
    "Mistakes",
    "Schema",
    "Switch",
    "WordOrKeys",
    "dotted",
    "one_of",
]

KeyPath = tuple[str | int, ...]
Schema = dict[str, Any]


class KeyRule(Protocol):
    """A rule for one value: `check` raises ConfigError, and `schema` is the same rule for an editor."""

    def check(self, document: Document, value: object, at: KeyPath) -> None: ...

    def schema(self) -> Schema: ...


@dataclass
class Mistakes:
    """Collects the mistakes of several entries, so that one does not hide the others; they are raised together."""

    found: list[errors.ConfigError] = field(default_factory=list)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Collect the mistakes that are raised in this block."""
        try:
            yield
        except errors.ConfigError as error:
            self.found += [error, *error.more]

    def raise_found(self) -> None:
        """Raise the first mistake with the others in `more`, if there is any."""
        if self.found:
            first, *others = self.found
            first.more = tuple(others)
            raise first


class Key(NamedTuple):
    """One row of a table: the rule, and the description that an editor shows."""

    rule: KeyRule
    says: str

    def schema(self) -> Schema:
        return {"description": self.says, **self.rule.schema()}


@dataclass(frozen=True)
class Leaf:
    """One plain value; `words` describe valid values."""

    words: str
    fits: Callable[[object], bool]
    like: Mapping[str, Any]

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if not self.fits(value):
            raise document.mistake(f"{dotted(at)} must be {self.words}", at)

    def schema(self) -> Schema:
        return dict(self.like)


@dataclass(frozen=True)
class Keys:
    """A map with exactly these keys, each optional."""

    table: Mapping[str, Key]

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        mistakes = Mistakes()
        for key, entry in _entries(document, value, at):
            with mistakes.kept():
                if key not in self.table:
                    raise document.mistake(self.unknown(key, at), (*at, key), key=True)
                self.table[key].rule.check(document, entry, (*at, key))
        mistakes.raise_found()

    def unknown(self, key: str, at: KeyPath) -> str:
        where = f" in {dotted(at)}" if at else ""
        hint = suggest.did_you_mean(key, self.table, f"known are {', '.join(self.table)}", form="'{}'")
        return f"unknown key {safetext.for_terminal(key, 60)!r}{where}; {hint}"

    def schema(self) -> Schema:
        properties = {name: key.schema() for name, key in self.table.items()}
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


@dataclass(frozen=True)
class Switch:
    """True or false for the whole, or a map of keys."""

    keys: Keys

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if not isinstance(value, bool):
            self.keys.check(document, value, at)

    def schema(self) -> Schema:
        schema = self.keys.schema()
        return {**schema, "type": ["boolean", *schema["type"]]}


@dataclass(frozen=True)
class WordOrKeys:
    """One word for the whole, or a map of keys."""

    word: Leaf
    keys: Keys

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if value is None or isinstance(value, Mapping):
            self.keys.check(document, value, at)
        elif not self.word.fits(value):
            raise document.mistake(f"{dotted(at)} must be {self.word.words}, or a map of keys", at)

    def schema(self) -> Schema:
        schema = self.keys.schema()
        return {
            **schema,
            "type": [*schema["type"], "string"],
            "anyOf": [self.word.schema(), {"type": schema["type"]}],
        }


@dataclass(frozen=True)
class Each:
    """A map with any keys and one rule for every value."""

    rule: KeyRule

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        mistakes = Mistakes()
        for key, entry in _entries(document, value, at):
            with mistakes.kept():
                if not key.strip():
                    raise document.mistake(f"a name in {dotted(at)} is empty", (*at, key), key=True)
                self.rule.check(document, entry, (*at, key))
        mistakes.raise_found()

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"],
            "propertyNames": {"pattern": r"\S"},
            "additionalProperties": self.rule.schema(),
        }


@dataclass(frozen=True)
class Items:
    """A list with one rule for every item."""

    rule: KeyRule

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if value is not None and not isinstance(value, list):
            raise document.mistake(f"{dotted(at)} must be a list", at)
        mistakes = Mistakes()
        for index, item in enumerate(value or ()):
            with mistakes.kept():
                self.rule.check(document, item, (*at, index))
        mistakes.raise_found()

    def schema(self) -> Schema:
        return {"type": ["array", "null"], "items": self.rule.schema()}


def dotted(at: KeyPath) -> str:
    """A path as a person writes it: `servers.github.args[1]`."""
    written = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at)
    return safetext.for_terminal(written.lstrip("."), 120)


def _entries(document: Document, value: object, at: KeyPath) -> list[tuple[str, object]]:
    if value is None:  # a key without a value
        return []
    if not isinstance(value, Mapping):
        raise document.mistake(f"{dotted(at) or 'the file'} must be a map of keys", at)
    return [(str(key), entry) for key, entry in value.items()]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# A fraction is refused where text is expected: 1.10 would silently become 1.1.
TEXT: Final = Leaf(
    "text; put it in quotes",
    lambda value: isinstance(value, str | int),
    {"type": ["string", "integer", "boolean"]},
)
FILLED: Final = Leaf(
    "text, and not empty",
    lambda value: isinstance(value, str) and value.strip() != "",
    {"type": "string", "pattern": r"\S"},
)
FLAG: Final = Leaf("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
COUNT: Final = Leaf(
    "a whole number above 0",
    lambda value: _is_number(value) and isinstance(value, int) and value > 0,
    {"type": "integer", "minimum": 1},
)
SECONDS: Final = Leaf(
    "a number of seconds above 0",
    lambda value: _is_number(value) and float(str(value)) > 0,
    {"type": "number", "exclusiveMinimum": 0},
)
SECONDS_OR_NEVER: Final = Leaf(
    "a number of seconds, or 0 for never",
    lambda value: _is_number(value) and float(str(value)) >= 0,
    {"type": "number", "minimum": 0},
)


def one_of(*words: str) -> Leaf:
    """A leaf with a fixed set of words."""
    return Leaf(f"one of {', '.join(words)}", lambda value: value in words, {"enum": list(words)})
