"""JSON files that a user named, read with one line about what is wrong."""

from pathlib import Path
from typing import Any

from toolbooth.catalog import NotJson, decode
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_CATALOG_BYTES


def read_json(path: Path, what: str) -> Any:
    """Read and parse a file; `what` names it in messages: "a corpus", "a baseline"."""
    try:
        if path.stat().st_size > MAX_CATALOG_BYTES:
            raise ConfigError(f"the file is too large for {what}", path)
        return decode(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", path) from None
    except NotJson as error:
        raise ConfigError(f"this is not JSON: {error}", path) from None
