"""One file a rule, or a small family; importing this fills the table."""

from toolbooth.contracts.scan.rules import (
    across_servers,
    addresses,
    annotations,
    asks_for_context,
    authority,
    encoded,
    hidden_characters,
    misleading_text,
    overrides,
    secrets,
    sends_away,
    sensitive_files,
)

__all__ = [
    "across_servers",
    "addresses",
    "annotations",
    "asks_for_context",
    "authority",
    "encoded",
    "hidden_characters",
    "misleading_text",
    "overrides",
    "secrets",
    "sends_away",
    "sensitive_files",
]
