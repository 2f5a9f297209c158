"""The register of reporters: a name → what turns a report into text."""

from collections.abc import Callable
from typing import NamedTuple

from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.report import Report

Write = Callable[[Report], str]


class Reporter(NamedTuple):
    """One format; `says` is what it is for."""

    name: str
    says: str
    write: Write


REPORTERS: dict[str, Reporter] = {}


def reporter(name: str, says: str) -> Callable[[Write], Write]:
    """Register a reporter under its name. The same report must always give it the same text."""

    def register(write: Write) -> Write:
        REPORTERS[name] = Reporter(name, says, write)
        return write

    return register


def render(report: Report, name: str) -> str:
    """The report in that format, with a newline at its end."""
    if name not in REPORTERS:
        known = ", ".join(sorted(REPORTERS))
        raise UserMistake(f"there is no reporter {for_terminal(name, 40)!r}; there are {known}")
    return REPORTERS[name].write(report)
