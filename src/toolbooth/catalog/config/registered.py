"""A server entry as an agent gives it (`mcpServers` style) → its spec."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolbooth.catalog.config.names import clean_name
from toolbooth.catalog.config.raw_server import RawServer
from toolbooth.catalog.config.server_entry import Unusable, server_spec
from toolbooth.catalog.config.variables import Scope
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import ConfigError

_KEYS = ("command", "args", "env", "cwd", "url", "headers")


def spec_of_entry(name: str, entry: Mapping[str, Any], environ: Mapping[str, str], cwd: Path) -> ServerSpec:
    """Check one entry; variables in it are filled in from this environment. Raises ConfigError."""
    given: dict[str, Any] = {key: entry.get(key) for key in _KEYS}
    raw = RawServer(clean_name(name), transport=entry.get("type") or entry.get("transport"), **given)
    if not raw.name:
        raise ConfigError("the server needs a name of letters, digits, - and _")
    try:
        return server_spec(raw, raw.name, Scope(environ=environ, home=Path.home(), workspace=cwd), "")
    except Unusable as error:
        raise ConfigError(f"{raw.name}: {error}") from None
