"""The description of one server, the same for every client's config format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from toolbooth import limits
from toolbooth.catalog.tool_filter import EVERY_TOOL, ToolFilter

TransportKind = Literal["stdio", "http", "sse", "auto"]
"""`auto` is for a bare URL: Streamable HTTP is tried first, then SSE, which old servers need."""


@dataclass(frozen=True)
class ServerSpec:
    """How to reach one server. The values of `env` and `headers` are secrets and are never shown.

    Without a `cwd` its process runs in the working folder of whoever starts it; see `started_in`. `timeout` is for
    connecting and listing. Without an `idle_stop` the gateway's setting is used; 0 means never. `tools` are those
    that the config lets through: they belong to the config, not to the process.
    """

    name: str
    transport: TransportKind
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    cwd: Path | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    timeout: float = limits.CONNECT_TIMEOUT
    source: str = ""
    concurrency: int = limits.CALLS_AT_ONCE
    call_timeout: float = limits.CALL_TIMEOUT
    idle_stop: float | None = None
    tools: ToolFilter = EVERY_TOOL
    written: str = field(default="", compare=False)  # its name in the file, where that differs
    loaded: bool = field(default=False, compare=False)  # its client is told to defer none of its tools
    whole_environment: bool = False  # only for our own gateway, which fills in the variables of its configs


def started_in(folder: Path, spec: ServerSpec) -> ServerSpec:
    """The spec for a process that starts in the client's folder: the daemon's own working folder is `/`."""
    if spec.transport != "stdio":
        return spec
    return replace(spec, cwd=folder.absolute() / (spec.cwd or ""))


def tool_filters(servers: Iterable[ServerSpec]) -> dict[str, ToolFilter]:
    """The filters of these servers by name; servers that let every tool through are left out."""
    return {spec.name: spec.tools for spec in servers if spec.tools != EVERY_TOOL}
