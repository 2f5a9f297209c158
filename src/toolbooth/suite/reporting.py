"""The side door to reports: kept ones are read and compared, and any is rendered, without what it takes to run one."""

from toolbooth.suite.compare import compare, with_baseline
from toolbooth.suite.report import CellReport, Report
from toolbooth.suite.reporters import REPORTERS, render, show
from toolbooth.suite.run_json import read_run, run_bytes
from toolbooth.suite.shards import join_reports

__all__ = [
    "REPORTERS",
    "CellReport",
    "Report",
    "compare",
    "join_reports",
    "read_run",
    "render",
    "run_bytes",
    "show",
    "with_baseline",
]
