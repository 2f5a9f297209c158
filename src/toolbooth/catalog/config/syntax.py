"""The parsers of configs: JSON (also with comments and trailing commas), TOML and YAML.

A parser returns a value and, for YAML, the positions of keys and values. An error has its line and column and never
quotes the text, which may hold secrets. YAML bombs are refused before they are built.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import yaml

from toolbooth import limits
from toolbooth.registry import Registry


class TextPosition(NamedTuple):
    """A position in a text; both numbers count from 1."""

    line: int
    column: int


class SyntaxFault(ValueError):
    """The text breaks its syntax; `reason` never quotes it, because it may hold secrets."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        self.reason, self.line, self.column = reason, line, column
        super().__init__(reason)


@dataclass(frozen=True)
class Parsed:
    """A value and, by path, the positions of its keys and values if the parser reports them."""

    value: Any = field(repr=False)
    keys: Mapping[tuple[str | int, ...], TextPosition] = field(default_factory=dict, repr=False)
    values: Mapping[tuple[str | int, ...], TextPosition] = field(default_factory=dict, repr=False)


Parser = Callable[[str], Parsed]
SYNTAXES: Final = Registry[Parser]("syntax")
SUFFIXES: Final[dict[str, str]] = {}


def syntax(name: str, *suffixes: str) -> Callable[[Parser], Parser]:
    """Register a parser under its name, and the suffixes that hint at it."""
    SUFFIXES.update(dict.fromkeys(suffixes, name))
    return SYNTAXES.register(name)


def position_at(text: str, offset: int) -> TextPosition:
    """Line and column of a character."""
    return TextPosition(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


_STRING: Final = r'"(?:[^"\\\n]++|\\.)*+"?'
_COMMENT: Final = re.compile(rf"({_STRING})|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(\*/)?")
# A comma with nothing before it (`[,]`, `[1,,]`) is not a trailing comma: the parser reports it.
_TRAILING: Final = re.compile(rf"({_STRING}|[\[{{,:]\s*+,(?=\s*+[\]}}]))|,(?=\s*+[\]}}])")
_NOT_BREAK: Final = re.compile(r"[^\r\n]")


@syntax("json", ".json", ".jsonc", ".json5", ".code-workspace")
def parse_json(text: str) -> Parsed:
    """Parse plain JSON; if that fails, blank comments and trailing commas and parse again.

    Measured on 24 MB: 0.1 s plain, 0.8 s with a comment; the json5 package takes 2.7 s for 0.2 MB.
    """
    try:
        return Parsed(_loads(text))
    except json.JSONDecodeError:
        return Parsed(_tolerant(text))


def blank(text: str) -> str:
    """Replace comments and trailing commas by spaces, so that every other character keeps its position."""
    return _TRAILING.sub(lambda found: found[1] or " ", blank_comments(text))


def blank_comments(text: str) -> str:
    """Replace comments by blanks, and leave trailing commas."""
    return _COMMENT.sub(lambda found: _space(found, text), text)


def _space(found: re.Match[str], text: str) -> str:
    if found[1]:
        return found[1]
    comment = found[0]
    if comment.startswith("/*") and not found[2]:
        raise SyntaxFault("this comment is not closed; end it with */", *position_at(text, found.start()))
    return _NOT_BREAK.sub(" ", comment)


def _tolerant(text: str) -> Any:
    try:
        return _loads(blank(text))
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"broken JSON: {error.msg}", error.lineno, error.colno) from None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (json.JSONDecodeError, SyntaxFault):
        raise
    except ValueError:
        raise SyntaxFault("broken JSON: a number has too many digits") from None


def _refuse_constant(constant: str) -> None:
    raise SyntaxFault(f"broken JSON: {constant} is not a valid number")


_POSITION: Final = re.compile(
    r"(?<!\s)\s*+\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$"
)


@syntax("toml", ".toml")
def parse_toml(text: str) -> Parsed:
    """Parse TOML with the standard library, whose messages have a position but never quote a value."""
    try:
        return Parsed(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _toml_fault(str(error), text) from None
    except ValueError:
        raise SyntaxFault("broken TOML: a number has too many digits") from None


def _toml_fault(message: str, text: str) -> SyntaxFault:
    found = _POSITION.search(message)
    reason = f"broken TOML: {_POSITION.sub('', message)}"
    if found and found["line"]:
        return SyntaxFault(reason, int(found["line"]), int(found["column"]))
    return SyntaxFault(reason, *position_at(text, len(text)))


_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE: Final = re.compile("[^\\t\\n\\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTED_TEXT: Final = re.compile(r"'[^'<][^']+'")

# The core schema of YAML 1.2: `no`, `08`, `1_000`, `12:30` and dates stay text.
_PLAIN: Final[tuple[tuple[re.Pattern[str], Callable[[str], object]], ...]] = (
    (re.compile(r"~|null|"), lambda _: None),
    (re.compile(r"true|false"), lambda text: text == "true"),
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}"), float),
)
_KeyPath = tuple[str | int, ...]


@syntax("yaml", ".yaml", ".yml")
def parse_yaml(text: str) -> Parsed:
    """Build the value from parser events; aliases, anchors, tags and a second document are refused."""
    if len(text.encode("utf-8", "surrogatepass")) > limits.MAX_YAML_BYTES:
        raise SyntaxFault(f"is larger than {limits.MAX_YAML_BYTES // limits.MIB} MiB, the limit for YAML")
    if found := _UNPRINTABLE.search(text):
        raise SyntaxFault("broken YAML: a control character", *position_at(text, found.start()))
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.reader.ReaderError:
        raise SyntaxFault("broken YAML: a character that is not allowed") from None
    except yaml.MarkedYAMLError as error:
        reason = _QUOTED_TEXT.sub("text", error.problem or "unreadable")
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise SyntaxFault(f"broken YAML: {reason}", line, column) from None


class _Builder:
    """Builds a value from the events in one pass; its depth, and so the recursion, is bounded."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.keys: dict[_KeyPath, TextPosition] = {}
        self.values: dict[_KeyPath, TextPosition] = {}
        self.build = {
            yaml.ScalarEvent: self.scalar,
            yaml.MappingStartEvent: self.mapping,
            yaml.SequenceStartEvent: self.sequence,
        }

    def document(self) -> Parsed:
        self.next(), self.next()  # the starts of stream and document
        value = self.node(self.next(), ())
        self.next()
        if isinstance(another := self.next(), yaml.DocumentStartEvent):
            raise SyntaxFault("broken YAML: a second document; a file can have only one", *_position(another))
        return Parsed(value, self.keys, self.values)

    def next(self) -> Any:
        return next(self.events)

    def node(self, event: Any, at: _KeyPath) -> Any:
        mark = _position(event)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise SyntaxFault("anchors and aliases are not allowed here; write the value out", *mark)
        if event.tag is not None:
            raise SyntaxFault("tags are not allowed here; write plain values", *mark)
        if len(at) > limits.MAX_YAML_DEPTH:
            raise SyntaxFault(f"is nested deeper than {limits.MAX_YAML_DEPTH} levels", *mark)
        self.values[at] = mark
        return self.build[type(event)](event, at)

    def scalar(self, event: Any, _at: _KeyPath) -> object:
        text = str(event.value)
        if event.style:  # quoted and block values are always text
            return text
        return next((read(text) for pattern, read in _PLAIN if pattern.fullmatch(text)), text)

    def mapping(self, _event: Any, at: _KeyPath) -> dict[str, Any]:
        built: dict[str, Any] = {}
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key = self.key(event)
            if key in built:
                raise SyntaxFault(f"duplicate key {key!r}", *_position(event))
            self.keys[*at, key] = _position(event)
            built[key] = self.node(self.next(), (*at, key))
        return built

    def key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor or event.tag:
            raise SyntaxFault("a key must be plain text", *_position(event))
        return str(event.value)

    def sequence(self, _event: Any, at: _KeyPath) -> list[Any]:
        built: list[Any] = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            built.append(self.node(event, (*at, len(built))))
        return built


def _position(event: Any) -> TextPosition:
    return TextPosition(event.start_mark.line + 1, event.start_mark.column + 1)
