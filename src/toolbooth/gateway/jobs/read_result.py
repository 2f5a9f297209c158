"""`read_result`: a ref and a range of lines → that part of a result that was too long to be shown whole."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.job import NUMBER, TEXT, Job
from toolbooth.gateway.results import ResultStore, read_lines
from toolbooth.limits import MAX_LINE_NUMBER, READ_LINES

NAME: Final = "read_result"
_PARAMETERS: Final = {"ref": TEXT, "start": NUMBER, "lines": NUMBER}


def read(store: ResultStore, session: str, given: Mapping[str, Any], cap: int) -> str:
    """The lines asked for, at most `cap` characters; a foreign or forgotten ref raises `WrongArguments`."""
    arguments = Arguments(NAME, given, _PARAMETERS)
    ref = arguments.text("ref", '"…"')
    start = arguments.whole("start", 1, 1, MAX_LINE_NUMBER)
    lines = arguments.whole("lines", READ_LINES, 1, MAX_LINE_NUMBER)
    return read_lines(store, session, ref, start, lines, cap)


JOB: Final = Job(
    NAME,
    "Read more of a long result: lines from `start`, by the `ref` it was cut with.",
    _PARAMETERS,
    ("ref",),
)
