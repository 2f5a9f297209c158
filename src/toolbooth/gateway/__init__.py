"""The running MCP server in front of all others. Importing it loads nothing: the bridge, which starts with every
client, passes through here."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.gateway.calls.call_targets import call_targets as call_targets
    from toolbooth.gateway.daemon.bridge import bridge as bridge
    from toolbooth.gateway.daemon.client import (
        ask_status as ask_status,
        send_forget as send_forget,
        stop_daemon as stop_daemon,
    )
    from toolbooth.gateway.daemon.service import open_gateways as open_gateways, run_daemon as run_daemon
    from toolbooth.gateway.daemon.session import Hello as Hello
    from toolbooth.gateway.embedded import (
        EmbeddedGateway as EmbeddedGateway,
        GatewayConfig as GatewayConfig,
        MenuTool as MenuTool,
        open as open,  # noqa: A004 - as in `gzip`; our modules write `gateway.open`
    )
    from toolbooth.gateway.in_process import (
        GatewayRefused as GatewayRefused,
        InProcessClient as InProcessClient,
        ToolAnswer as ToolAnswer,
        in_process_client as in_process_client,
    )
    from toolbooth.gateway.news import announce_sign_in as announce_sign_in
    from toolbooth.gateway.offline import (
        OfflineGateway as OfflineGateway,
        SearchAnswer as SearchAnswer,
        keep_catalog as keep_catalog,
        recalled_registry as recalled_registry,
        remembered as remembered,
    )
    from toolbooth.gateway.process import load as load, log_to_stderr as log_to_stderr, run as run
    from toolbooth.gateway.runtime import (
        GatewayRequest as GatewayRequest,
        Runtime as Runtime,
        open_runtime as open_runtime,
    )
    from toolbooth.gateway.surfaces.choice import (
        CatalogWeight as CatalogWeight,
        SurfaceChoice as SurfaceChoice,
        choose_surface as choose_surface,
    )
    from toolbooth.gateway.surfaces.surface import pin_problems as pin_problems
    from toolbooth.gateway.surfaces.view import View as View
    from toolbooth.gateway.tool_registry import ToolRegistry as ToolRegistry
    from toolbooth.gateway.transports.http import serve_http as serve_http
    from toolbooth.gateway.transports.stdio import serve_stdio as serve_stdio
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "calls.call_targets": "call_targets",
            "daemon.bridge": "bridge",
            "daemon.client": "ask_status send_forget stop_daemon",
            "daemon.service": "open_gateways run_daemon",
            "daemon.session": "Hello",
            "embedded": "EmbeddedGateway GatewayConfig MenuTool open",
            "in_process": "GatewayRefused InProcessClient ToolAnswer in_process_client",
            "news": "announce_sign_in",
            "offline": "OfflineGateway SearchAnswer keep_catalog recalled_registry remembered",
            "process": "load log_to_stderr run",
            "runtime": "GatewayRequest Runtime open_runtime",
            "surfaces.choice": "CatalogWeight SurfaceChoice choose_surface",
            "surfaces.surface": "pin_problems",
            "surfaces.view": "View",
            "tool_registry": "ToolRegistry",
            "transports.http": "serve_http",
            "transports.stdio": "serve_stdio",
        },
    )
