"""The side door to suite files: they are found, read, checked and begun, and nothing is run."""

from toolbooth.suite.agents.model_name import check_models
from toolbooth.suite.find import find_suites
from toolbooth.suite.first_suite import FirstSuite, first_suite, servers_of
from toolbooth.suite.servers import Servers
from toolbooth.suite.spec.keys import suite_schema
from toolbooth.suite.spec.load import SUFFIX, load_suite
from toolbooth.suite.spec.suite import Suite

__all__ = [
    "SUFFIX",
    "FirstSuite",
    "Servers",
    "Suite",
    "check_models",
    "find_suites",
    "first_suite",
    "load_suite",
    "servers_of",
    "suite_schema",
]
