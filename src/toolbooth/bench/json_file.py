"""JSON files that a user named, read with one line about what is wrong."""

from pathlib import Path
from typing import Any

from toolbooth import catalog, errors, limits


def read_json(path: Path, what: str) -> Any:
    """Read and parse a file; `what` names it in messages: "a corpus", "a baseline"."""
    try:
        if path.stat().st_size > limits.MAX_CATALOG_BYTES:
            raise errors.ConfigError(f"the file is too large for {what}", path)
        return catalog.decode(path.read_bytes())
    except OSError as error:
        raise errors.ConfigError(f"cannot be read: {error.strerror or error}", path) from None
    except catalog.NotJson as error:
        raise errors.ConfigError(f"this is not JSON: {error}", path) from None
