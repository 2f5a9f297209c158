"""A report → the text of `run.json`."""

from toolbooth.suite.report import Report
from toolbooth.suite.reporters.registry import reporter
from toolbooth.suite.run_json import run_bytes


@reporter("json", "run.json: everything, for programs, for --baseline and to be rendered again")
def write(report: Report) -> str:
    """As `toolbooth report` reads it."""
    return run_bytes(report).decode("ascii")
