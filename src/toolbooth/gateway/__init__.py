"""The running MCP server in front of all others. Importing it loads nothing: the bridge, which starts with every
client, passes through here."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.gateway.calls.call_targets import View as View, call_targets as call_targets
    from toolbooth.gateway.daemon.bridge import bridge as bridge
    from toolbooth.gateway.daemon.client import (
        ask_status as ask_status,
        send_forget as send_forget,
        stop_daemon as stop_daemon,
    )
    from toolbooth.gateway.daemon.service import (
        Hello as Hello,
        open_gateways as open_gateways,
        run_daemon as run_daemon,
    )
    from toolbooth.gateway.in_process import (
        GatewayRefused as GatewayRefused,
        InProcessClient as InProcessClient,
        ToolAnswer as ToolAnswer,
        in_process_client as in_process_client,
    )
    from toolbooth.gateway.ledger.distributions import percentiles as percentiles
    from toolbooth.gateway.ledger.storage import (
        BUILTIN_SERVER as BUILTIN_SERVER,
        LedgerReader as LedgerReader,
        Row as Row,
        ServerStats as ServerStats,
        Sizes as Sizes,
        Stats as Stats,
        ToolStats as ToolStats,
        Totals as Totals,
        moment as moment,
    )
    from toolbooth.gateway.offline import (
        OfflineGateway as OfflineGateway,
        SearchAnswer as SearchAnswer,
        ToolRegistry as ToolRegistry,
        keep_catalog as keep_catalog,
        pin_problems as pin_problems,
        recalled_registry as recalled_registry,
        remembered as remembered,
    )
    from toolbooth.gateway.process import load as load, run as run
    from toolbooth.gateway.runtime import (
        GatewayRequest as GatewayRequest,
        Runtime as Runtime,
        open_runtime as open_runtime,
    )
    from toolbooth.gateway.transports.http import serve_http as serve_http
    from toolbooth.gateway.transports.stdio import serve_stdio as serve_stdio
else:
    __getattr__, __all__ = exports(
        __name__,
        {
            "calls.call_targets": "View call_targets",
            "daemon.bridge": "bridge",
            "daemon.client": "ask_status send_forget stop_daemon",
            "daemon.service": "Hello open_gateways run_daemon",
            "in_process": "GatewayRefused InProcessClient ToolAnswer in_process_client",
            "ledger.distributions": "percentiles",
            "ledger.storage": "BUILTIN_SERVER LedgerReader Row ServerStats Sizes Stats ToolStats Totals moment",
            "offline": "OfflineGateway SearchAnswer ToolRegistry keep_catalog pin_problems recalled_registry "
            "remembered",
            "process": "load run",
            "runtime": "GatewayRequest Runtime open_runtime",
            "transports.http": "serve_http",
            "transports.stdio": "serve_stdio",
        },
    )
