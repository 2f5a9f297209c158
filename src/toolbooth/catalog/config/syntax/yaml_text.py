"""YAML → value with the mark of every key and value; bombs are refused before they are built."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import yaml

from toolbooth.catalog.config.syntax.registry import Mark, Parsed, SyntaxFault, place, syntax
from toolbooth.limits import MAX_YAML_BYTES, MAX_YAML_DEPTH, MIB

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE: Final = re.compile("[^\\t\\n\\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTED_TEXT: Final = re.compile(r"'[^'<][^']+'")

# The core of YAML 1.2: `no`, `08`, `1_000`, `12:30` and dates stay the text that was written.
_PLAIN: Final[tuple[tuple[re.Pattern[str], Callable[[str], object]], ...]] = (
    (re.compile(r"~|null|"), lambda _: None),
    (re.compile(r"true|false"), lambda text: text == "true"),
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}"), float),
)
_Path = tuple[str | int, ...]


@syntax("yaml", ".yaml", ".yml")
def parse_yaml(text: str) -> Parsed:
    """Build the value straight from parser events: no alias, anchor, tag or second document gets through."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_YAML_BYTES:
        raise SyntaxFault(f"is larger than {MAX_YAML_BYTES // MIB} MiB, the limit for YAML")
    if found := _UNPRINTABLE.search(text):
        raise SyntaxFault("broken YAML: a control character", *place(text, found.start()))
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
    """Walks the events once; depth is bounded, so recursion is."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.keys: dict[_Path, Mark] = {}
        self.values: dict[_Path, Mark] = {}
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
            raise SyntaxFault("broken YAML: a second document; one file holds one", *_mark(another))
        return Parsed(value, self.keys, self.values)

    def next(self) -> Any:
        return next(self.events)

    def node(self, event: Any, at: _Path) -> Any:
        mark = _mark(event)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise SyntaxFault("anchors and aliases are not allowed here; write the value out", *mark)
        if event.tag is not None:
            raise SyntaxFault("tags are not allowed here; write plain values", *mark)
        if len(at) > MAX_YAML_DEPTH:
            raise SyntaxFault(f"is nested deeper than {MAX_YAML_DEPTH} levels", *mark)
        self.values[at] = mark
        return self.build[type(event)](event, at)

    def scalar(self, event: Any, _at: _Path) -> object:
        text = str(event.value)
        if event.style:  # quoted or block text stays text
            return text
        return next((read(text) for pattern, read in _PLAIN if pattern.fullmatch(text)), text)

    def mapping(self, _event: Any, at: _Path) -> dict[str, Any]:
        built: dict[str, Any] = {}
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key = self.key(event)
            if key in built:
                raise SyntaxFault(f"the key {key!r} stands here a second time", *_mark(event))
            self.keys[*at, key] = _mark(event)
            built[key] = self.node(self.next(), (*at, key))
        return built

    def key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor or event.tag:
            raise SyntaxFault("a key must be plain text", *_mark(event))
        return str(event.value)

    def sequence(self, _event: Any, at: _Path) -> list[Any]:
        built: list[Any] = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            built.append(self.node(event, (*at, len(built))))
        return built


def _mark(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)
