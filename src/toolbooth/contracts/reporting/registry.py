"""The register of formats: a name → what turns a report into text."""

from collections.abc import Callable
from typing import NamedTuple

from toolbooth.contracts.reporting.report import Report
from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal

Write = Callable[[Report], str]


class Format(NamedTuple):
    """One format; `says` is what it is for."""

    name: str
    says: str
    write: Write


FORMATS: dict[str, Format] = {}


def reporter(name: str, says: str) -> Callable[[Write], Write]:
    """Register a format under its name. The same report must always give it the same text."""

    def register(write: Write) -> Write:
        FORMATS[name] = Format(name, says, write)
        return write

    return register


def render(report: Report, name: str) -> str:
    """The report in that format, with a newline at its end."""
    if name not in FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise UserMistake(f"there is no format {for_terminal(name, 40)!r}; there are {known}")
    return FORMATS[name].write(report)
