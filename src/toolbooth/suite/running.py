"""The side door to suites that are run: cells are planned, run and reported."""

from toolbooth.suite.live import Job
from toolbooth.suite.plan import Cell, Choice, plan
from toolbooth.suite.runner import Options, SuiteRun, Watcher

__all__ = ["Cell", "Choice", "Job", "Options", "SuiteRun", "Watcher", "plan"]
