"""Reporters: one per format, each of which registers itself.

A public entry point: it reads, compares, joins and renders stored reports without the code that runs suites.
"""

from toolbooth.suite.compare import compare, with_baseline
from toolbooth.suite.report import CellReport, SuiteReport, join_reports
from toolbooth.suite.reporters import agent, github, html, machine_formats, markdown, terminal
from toolbooth.suite.reporters.registry import REPORTERS, Reporter, render
from toolbooth.suite.reporters.terminal import show
from toolbooth.suite.run_json import read_run, run_bytes

__all__ = [
    "REPORTERS",
    "CellReport",
    "Reporter",
    "SuiteReport",
    "agent",
    "compare",
    "github",
    "html",
    "join_reports",
    "machine_formats",
    "markdown",
    "read_run",
    "render",
    "run_bytes",
    "show",
    "terminal",
    "with_baseline",
]
