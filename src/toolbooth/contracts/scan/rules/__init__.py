"""The scan rules, one file for each family; importing this package fills the tables."""

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
