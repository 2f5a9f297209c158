"""Catalogs of tools: reading config files, connecting to servers, and saving what they offer."""

from toolbooth.catalog.catalog_files import looks_like_catalog, read_catalog
from toolbooth.catalog.result_text import block_line, block_text, blocks_in, texts_in
from toolbooth.catalog.secrets import (
    HIDDEN,
    KEY_SHAPES,
    SHORTEST_NAMED_SECRET,
    SHORTEST_SECRET,
    KeyShape,
    given_secrets,
    given_values,
    is_secret_variable,
    redact_known_keys,
    redact_secrets,
    redact_server_tools,
    redact_text,
    redact_wire,
    sounds_secret,
)
from toolbooth.catalog.server_spec import ServerSpec, started_in
from toolbooth.catalog.snapshot import save_snapshot, snapshot_bytes
from toolbooth.catalog.strict_json import NotJson, canonical, decode, encode_line
from toolbooth.catalog.tool import Catalog, Json, MalformedTool, ServerTools, SetAside, Tool, sort_entries

__all__ = [
    "HIDDEN",
    "KEY_SHAPES",
    "SHORTEST_NAMED_SECRET",
    "SHORTEST_SECRET",
    "Catalog",
    "Json",
    "KeyShape",
    "MalformedTool",
    "NotJson",
    "ServerSpec",
    "ServerTools",
    "SetAside",
    "Tool",
    "block_line",
    "block_text",
    "blocks_in",
    "canonical",
    "decode",
    "encode_line",
    "given_secrets",
    "given_values",
    "is_secret_variable",
    "looks_like_catalog",
    "read_catalog",
    "redact_known_keys",
    "redact_secrets",
    "redact_server_tools",
    "redact_text",
    "redact_wire",
    "save_snapshot",
    "snapshot_bytes",
    "sort_entries",
    "sounds_secret",
    "started_in",
    "texts_in",
]
