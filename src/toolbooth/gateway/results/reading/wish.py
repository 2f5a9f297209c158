"""What a reader wants of a kept result."""

from dataclasses import dataclass

from toolbooth.limits import READ_BYTES


@dataclass(frozen=True)
class Wish:
    """`query` looks within what `path` leads to, and both within the lines from `start`."""

    ref: str
    path: str = ""
    query: str = ""
    start: int = 1
    lines: int | None = None
    max_bytes: int = READ_BYTES
