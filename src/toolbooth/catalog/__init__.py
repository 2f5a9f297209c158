"""Catalogs of tools: reading config files, connecting to servers, and saving what they offer."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.catalog.catalog_files import (
        looks_like_catalog as looks_like_catalog,
        read_catalog as read_catalog,
    )
    from toolbooth.catalog.client_profiles import (
        PROFILES as PROFILES,
        UNKNOWN_CLIENT as UNKNOWN_CLIENT,
        ClientProfile as ClientProfile,
        profile_named as profile_named,
        profile_of_identity as profile_of_identity,
        result_bytes as result_bytes,
        version_numbers as version_numbers,
    )
    from toolbooth.catalog.client_view import (
        FirstTurn as FirstTurn,
        SentText as SentText,
        SentTool as SentTool,
        first_turn as first_turn,
    )
    from toolbooth.catalog.gateway_entries import (
        ClientServers as ClientServers,
        GatewayEntry as GatewayEntry,
        joined_filters as joined_filters,
    )
    from toolbooth.catalog.http_clients import (
        BodyTooLarge as BodyTooLarge,
        ResponseRefused as ResponseRefused,
        http_client as http_client,
    )
    from toolbooth.catalog.loading import (
        LoadedCatalog as LoadedCatalog,
        config_sources as config_sources,
        find_sources as find_sources,
        gateway_sources as gateway_sources,
        load as load,
        written_sources as written_sources,
    )
    from toolbooth.catalog.result_text import (
        block_line as block_line,
        block_text as block_text,
        blocks_in as blocks_in,
        texts_in as texts_in,
    )
    from toolbooth.catalog.secrets import (
        HIDDEN as HIDDEN,
        KEY_SHAPES as KEY_SHAPES,
        SHORTEST_NAMED_SECRET as SHORTEST_NAMED_SECRET,
        SHORTEST_SECRET as SHORTEST_SECRET,
        given_secrets as given_secrets,
        given_values as given_values,
        is_secret_variable as is_secret_variable,
        redact_known_keys as redact_known_keys,
        redact_raw as redact_raw,
        redact_secrets as redact_secrets,
        redact_server_tools as redact_server_tools,
        redact_text as redact_text,
        sounds_secret as sounds_secret,
    )
    from toolbooth.catalog.server_spec import (
        ServerSpec as ServerSpec,
        started_in as started_in,
        tool_filters as tool_filters,
    )
    from toolbooth.catalog.snapshot import save_snapshot as save_snapshot, snapshot_bytes as snapshot_bytes
    from toolbooth.catalog.sources import SourceError as SourceError, Sources as Sources
    from toolbooth.catalog.strict_json import (
        NotJson as NotJson,
        canonical as canonical,
        decode as decode,
        encode_line as encode_line,
    )
    from toolbooth.catalog.tool import (
        Catalog as Catalog,
        Json as Json,
        MalformedTool as MalformedTool,
        ServerTools as ServerTools,
        SetAside as SetAside,
        Tool as Tool,
        sort_entries as sort_entries,
    )
    from toolbooth.catalog.tool_filter import EVERY_TOOL as EVERY_TOOL, ToolFilter as ToolFilter
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "catalog_files": "looks_like_catalog read_catalog",
            "client_profiles": "PROFILES UNKNOWN_CLIENT ClientProfile profile_named profile_of_identity "
            "result_bytes version_numbers",
            "client_view": "FirstTurn SentText SentTool first_turn",
            "gateway_entries": "ClientServers GatewayEntry joined_filters",
            "http_clients": "BodyTooLarge ResponseRefused http_client",
            "loading": "LoadedCatalog config_sources find_sources gateway_sources load written_sources",
            "result_text": "block_line block_text blocks_in texts_in",
            "secrets": "HIDDEN KEY_SHAPES SHORTEST_NAMED_SECRET SHORTEST_SECRET given_secrets "
            "given_values is_secret_variable redact_known_keys redact_secrets "
            "redact_server_tools redact_text redact_raw sounds_secret",
            "server_spec": "ServerSpec started_in tool_filters",
            "snapshot": "save_snapshot snapshot_bytes",
            "sources": "SourceError Sources",
            "strict_json": "NotJson canonical decode encode_line",
            "tool": "Catalog Json MalformedTool ServerTools SetAside Tool sort_entries",
            "tool_filter": "EVERY_TOOL ToolFilter",
        },
    )
