"""Persistent state behind protocols: ledger, results, usage, limits, and news between processes.

SQLite files implement all of them; importing this package, or a protocol, does not import SQLite.
"""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.store.distributions import (
        AnswerSizes as AnswerSizes,
        Percentiles as Percentiles,
        percentiles as percentiles,
    )
    from toolbooth.store.embedded import (
        LEDGER_FILE as LEDGER_FILE,
        LEDGER_VARIABLE as LEDGER_VARIABLE,
        RESULTS_FILE as RESULTS_FILE,
        STATE_FILE as STATE_FILE,
        State as State,
        is_switched_off as is_switched_off,
        open_ledger as open_ledger,
        open_results as open_results,
        open_state as open_state,
        read_ledger as read_ledger,
    )
    from toolbooth.store.protocols import (
        FoundResult as FoundResult,
        LedgerStore as LedgerStore,
        LimitCheck as LimitCheck,
        LimitStore as LimitStore,
        NewsBatch as NewsBatch,
        NewsItem as NewsItem,
        NewsStore as NewsStore,
        ReadableLedger as ReadableLedger,
        ResultEntry as ResultEntry,
        ResultsStore as ResultsStore,
        UsageStore as UsageStore,
    )
    from toolbooth.store.rows import (
        ANSWERS as ANSWERS,
        BUILTIN_SERVER as BUILTIN_SERVER,
        CALL as CALL,
        CODE as CODE,
        CODE_CALL as CODE_CALL,
        LIST as LIST,
        LOCAL_PRINCIPAL as LOCAL_PRINCIPAL,
        MEASURED as MEASURED,
        MENU as MENU,
        QUESTION as QUESTION,
        REJECTED as REJECTED,
        Row as Row,
        RowFilter as RowFilter,
        moment as moment,
        session_digest as session_digest,
        storable as storable,
    )
    from toolbooth.store.statistics import (
        PrincipalStats as PrincipalStats,
        ServerStats as ServerStats,
        Sizes as Sizes,
        Stats as Stats,
        ToolStats as ToolStats,
        Totals as Totals,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "distributions": "AnswerSizes Percentiles percentiles",
            "embedded": (
                "LEDGER_FILE LEDGER_VARIABLE RESULTS_FILE STATE_FILE State is_switched_off open_ledger "
                "open_results open_state read_ledger"
            ),
            "protocols": (
                "LimitCheck FoundResult LedgerStore LimitStore NewsBatch NewsItem NewsStore ReadableLedger ResultEntry "
                "ResultsStore UsageStore"
            ),
            "rows": (
                "ANSWERS BUILTIN_SERVER CALL CODE CODE_CALL LIST LOCAL_PRINCIPAL MEASURED MENU QUESTION REJECTED Row "
                "RowFilter moment session_digest storable"
            ),
            "statistics": "PrincipalStats ServerStats Sizes Stats ToolStats Totals",
        },
    )
