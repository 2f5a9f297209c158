"""Suites of agent tests: YAML files whose gates on tool selection, tokens and dollars pass or fail."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.suite.authoring import (
        FirstSuite as FirstSuite,
        Suite as Suite,
        SuiteServers as SuiteServers,
        check_models as check_models,
        find_suites as find_suites,
        first_suite as first_suite,
        load_suite as load_suite,
        suite_schema as suite_schema,
        suite_server_entries as suite_server_entries,
    )
    from toolbooth.suite.metrics import (
        Efficiency as Efficiency,
        Selection as Selection,
        score_selection as score_selection,
        token_efficiency as token_efficiency,
    )
    from toolbooth.suite.runner import (
        CellFilter as CellFilter,
        PlannedRun as PlannedRun,
        RunOptions as RunOptions,
        SuiteRun as SuiteRun,
        Watcher as Watcher,
        plan as plan,
    )
    from toolbooth.suite.score import (
        Check as Check,
        KnownTools as KnownTools,
        Score as Score,
        Trace as Trace,
        overlaps as overlaps,
        read_expect_line as read_expect_line,
        read_traces as read_traces,
        score_traces as score_traces,
        trace_document as trace_document,
        traces_of as traces_of,
        without_a_known_tool as without_a_known_tool,
    )
else:
    __getattr__, __all__ = exports(
        __name__,
        {
            "authoring": "FirstSuite Suite SuiteServers check_models find_suites first_suite load_suite "
            "suite_schema suite_server_entries",
            "metrics": "Efficiency Selection score_selection token_efficiency",
            "runner": "CellFilter PlannedRun RunOptions SuiteRun Watcher plan",
            "score": "Check KnownTools Score Trace overlaps read_expect_line read_traces score_traces "
            "trace_document traces_of without_a_known_tool",
        },
    )
