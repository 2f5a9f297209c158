"""Suite files before anything runs: find, load and check them, or write a first one. A public entry point."""

from typing import TYPE_CHECKING, Any, Final

from toolbooth.suite.agents.model_name import check_models
from toolbooth.suite.spec.keys import suite_schema
from toolbooth.suite.spec.load import SUFFIX, find_suites, load_suite
from toolbooth.suite.spec.servers import SuiteServers
from toolbooth.suite.spec.suite import Suite

if TYPE_CHECKING:
    from toolbooth.suite.first_suites import FirstSuite, first_suite, suite_server_entries

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

# Only `init` writes a first suite; `test` and `validate` do not load that part.
_FIRST_SUITE: Final = frozenset({"FirstSuite", "first_suite", "suite_server_entries"})


def __getattr__(name: str) -> Any:
    if name not in _FIRST_SUITE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from toolbooth.suite import first_suites as module

    return getattr(module, name)
