"""The text of an answer → the JSON it holds, where it holds any."""

import re
from typing import Any, Final, NamedTuple

from toolbooth.catalog import NotJson, decode

_OPENINGS: Final = ("{", "[")
_INTRODUCTION: Final = 2_000  # characters before JSON: "Found 250 issues:" and the like
_BEGINNING: Final = re.compile(r"^[\[{]", re.MULTILINE)
_FENCE: Final = re.compile(r"\n```\s*\Z")


class Payload(NamedTuple):
    """A text, and its value where it is JSON: one document, or one on every line (then the value is a list).

    `before` and `after` are the words around the document; `one_a_line` says which of the two it is.
    """

    text: str
    value: Any = None
    before: str = ""
    after: str = ""
    one_a_line: bool = False

    @property
    def is_json(self) -> bool:
        """Whether it can be reached into by a path; a bare number or string is text."""
        return self.value is not None


def payload(text: str) -> Payload:
    """Read a text; what holds more than one document and a few words is plain text."""
    if not text.lstrip()[:1].startswith(_OPENINGS):
        return _introduced(text)
    whole = _container(text)
    return Payload(text, whole) if whole is not None else Payload(text, _one_a_line(text), one_a_line=True)


def _container(text: str) -> Any:
    try:
        value = decode(text.encode())
    except (NotJson, UnicodeEncodeError):  # half a surrogate pair is no JSON text, either
        return None
    return value if isinstance(value, (dict, list)) else None


def _one_a_line(text: str) -> list[Any] | None:
    """JSON lines: two or more, every one of them an object or a list."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith(_OPENINGS) for line in lines):
        return None
    values = []
    for line in lines:
        value = _container(line)
        if value is None:
            return None
        values.append(value)
    return values


def _introduced(text: str) -> Payload:
    """A few words, then one document to the end, perhaps in a Markdown fence."""
    begun = _BEGINNING.search(text, 0, _INTRODUCTION)
    if begun is None:
        return Payload(text)
    before, rest = text[: begun.start()], text[begun.start() :]
    fence = _FENCE.search(rest) if "```" in before else None
    document = rest[: fence.start()] if fence else rest
    value = _container(document)
    return Payload(text) if value is None else Payload(text, value, before, rest[len(document) :])
