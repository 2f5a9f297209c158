"""One file a rule, or a small family; importing this fills the table."""

from toolbooth.contracts.scan.rules import (
    across_servers,
    addresses,
    annotations,
    authority,
    data_that_leaves,
    encoded,
    hidden_characters,
    misleading_text,
    overrides,
    secrets,
    sensitive_files,
)

__all__ = [
    "across_servers",
    "addresses",
    "annotations",
    "authority",
    "data_that_leaves",
    "encoded",
    "hidden_characters",
    "misleading_text",
    "overrides",
    "secrets",
    "sensitive_files",
]
