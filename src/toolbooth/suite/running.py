"""The side door to suites that are read, planned and run: it re-exports what the command line needs of them."""

from toolbooth.suite.find import find_suites
from toolbooth.suite.first_suite import FirstSuite, first_suite, servers_of
from toolbooth.suite.live import Job
from toolbooth.suite.plan import Cell, Choice, plan
from toolbooth.suite.runner import Options, SuiteRun, Watcher
from toolbooth.suite.servers import Servers
from toolbooth.suite.spec.keys import suite_schema
from toolbooth.suite.spec.load import SUFFIX, load_suite
from toolbooth.suite.spec.suite import Suite

__all__ = [
    "SUFFIX",
    "Cell",
    "Choice",
    "FirstSuite",
    "Job",
    "Options",
    "Servers",
    "Suite",
    "SuiteRun",
    "Watcher",
    "find_suites",
    "first_suite",
    "load_suite",
    "plan",
    "servers_of",
    "suite_schema",
]
