"""Suite files before anything runs: find, load and check them, or write a first one. A public entry point."""

from toolbooth.suite.agents.model_name import check_models
from toolbooth.suite.first_suite import FirstSuite, first_suite, suite_server_entries
from toolbooth.suite.spec.keys import suite_schema
from toolbooth.suite.spec.load import SUFFIX, find_suites, load_suite
from toolbooth.suite.spec.servers import SuiteServers
from toolbooth.suite.spec.suite import Suite

__all__ = [
    "SUFFIX",
    "FirstSuite",
    "Suite",
    "SuiteServers",
    "check_models",
    "find_suites",
    "first_suite",
    "load_suite",
    "suite_schema",
    "suite_server_entries",
]
