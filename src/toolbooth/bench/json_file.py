"""JSON files that a user named, read with one line about what is wrong."""

from pathlib import Path
from typing import Any

from toolbooth import catalog, errors, limits
from toolbooth.catalog.config import read_regular


def read_json(path: Path) -> Any:
    """Read and parse a file; raises ConfigError."""
    try:
        return catalog.decode(read_regular(path, limits.MAX_CATALOG_BYTES))
    except catalog.NotJson as error:
        raise errors.ConfigError(f"this is not JSON: {error}", path) from None
