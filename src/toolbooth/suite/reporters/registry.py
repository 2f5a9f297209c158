"""The registry of reporters, which render a report as text."""

from collections.abc import Callable
from typing import Final, NamedTuple

from toolbooth import errors, registry, safetext
from toolbooth.suite.report import SuiteReport

Write = Callable[[SuiteReport], str]


class Reporter(NamedTuple):
    """One format; `says` describes what it is for."""

    name: str
    says: str
    write: Write


REPORTERS: Final = registry.Registry[Reporter]("reporter")


def reporter(name: str, says: str) -> Callable[[Write], Write]:
    """Register a reporter under its name. The same report must always give the same text."""

    def register(write: Write) -> Write:
        REPORTERS.add(name, Reporter(name, says, write))
        return write

    return register


def render(report: SuiteReport, name: str) -> str:
    """The report in that format, with a newline at the end."""
    if name not in REPORTERS:
        known = ", ".join(sorted(REPORTERS))
        raise errors.UserMistake(
            f"unknown reporter {safetext.for_terminal(name, 40)!r}; choose one of {known}"
        )
    return REPORTERS[name].write(report)
