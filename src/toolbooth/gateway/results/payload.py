"""The text of an answer → the JSON it holds, where it holds any."""

from typing import Any, Final, NamedTuple

from toolbooth.catalog import NotJson, decode

_OPENINGS: Final = ("{", "[")


class Payload(NamedTuple):
    """A text, and its value where it is JSON: one document, or one on every line (then the value is a list)."""

    text: str
    value: Any = None

    @property
    def is_json(self) -> bool:
        """Whether it can be reached into by a path; a bare number or string is text."""
        return self.value is not None


def payload(text: str) -> Payload:
    """Read a text; what is not wholly JSON is plain text."""
    if not text.lstrip()[:1].startswith(_OPENINGS):
        return Payload(text)
    whole = _container(text)
    return Payload(text, whole if whole is not None else _one_a_line(text))


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
