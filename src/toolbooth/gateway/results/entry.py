"""What is put on disk, and what is found there."""

from typing import NamedTuple


class Entry(NamedTuple):
    """One text of one session, and when it was kept (seconds since 1970)."""

    ref: str
    session: str
    text: str
    kept: float


class Found(NamedTuple):
    """What the file has under a ref; without a text where the result is too old, or had to make room."""

    text: str | None
    kept: float
