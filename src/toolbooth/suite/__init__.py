"""Suites of agent tests: YAML files whose gates on tool selection, tokens and dollars pass or fail."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.suite.adapters.tool_names import KnownTools as KnownTools
    from toolbooth.suite.adapters.trace_file import (
        read_traces as read_traces,
        trace_document as trace_document,
        traces_of as traces_of,
    )
    from toolbooth.suite.agents.model_name import check_models as check_models
    from toolbooth.suite.cells import PlannedRun as PlannedRun
    from toolbooth.suite.first_suite_servers import suite_server_entries as suite_server_entries
    from toolbooth.suite.first_suites import FirstSuite as FirstSuite, first_suite as first_suite
    from toolbooth.suite.gates.classes import overlaps as overlaps
    from toolbooth.suite.metrics import (
        Efficiency as Efficiency,
        Selection as Selection,
        score_selection as score_selection,
        token_efficiency as token_efficiency,
    )
    from toolbooth.suite.planning import CellFilter as CellFilter, plan as plan
    from toolbooth.suite.runner import RunOptions as RunOptions, SuiteRun as SuiteRun, Watcher as Watcher
    from toolbooth.suite.score import (
        Score as Score,
        read_expect_line as read_expect_line,
        score_traces as score_traces,
        without_a_known_tool as without_a_known_tool,
    )
    from toolbooth.suite.spec.keys import suite_schema as suite_schema
    from toolbooth.suite.spec.load import find_suites as find_suites, load_suite as load_suite
    from toolbooth.suite.spec.servers import SuiteServers as SuiteServers
    from toolbooth.suite.spec.suite import Suite as Suite
    from toolbooth.suite.trace import Trace as Trace
    from toolbooth.suite.verdict import Check as Check
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "adapters.tool_names": "KnownTools",
            "adapters.trace_file": "read_traces trace_document traces_of",
            "agents.model_name": "check_models",
            "cells": "PlannedRun",
            "first_suite_servers": "suite_server_entries",
            "first_suites": "FirstSuite first_suite",
            "gates.classes": "overlaps",
            "metrics": "Efficiency Selection score_selection token_efficiency",
            "planning": "CellFilter plan",
            "runner": "RunOptions SuiteRun Watcher",
            "score": "Score read_expect_line score_traces without_a_known_tool",
            "spec.keys": "suite_schema",
            "spec.load": "find_suites load_suite",
            "spec.servers": "SuiteServers",
            "spec.suite": "Suite",
            "trace": "Trace",
            "verdict": "Check",
        },
    )
