"""What a config says about one server, in one shape for every client's format."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from toolbooth.limits import CALL_TIMEOUT, CALLS_AT_ONCE, CONNECT_TIMEOUT

TransportKind = Literal["stdio", "http", "sse", "auto"]
"""`auto` is a bare URL: Streamable HTTP first, then SSE, as old servers need it."""


@dataclass(frozen=True)
class ServerSpec:
    """How to reach one server. Values of `env` and `headers` are secrets: they never leave this object.

    Without a `cwd` its process runs in the working folder of whoever starts it, see `started_in`.
    `timeout` is for connecting and listing. Without an `idle_stop` of its own the gateway's counts; 0 is never.
    """

    name: str
    transport: TransportKind
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    cwd: Path | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    timeout: float = CONNECT_TIMEOUT
    source: str = ""
    concurrency: int = CALLS_AT_ONCE
    call_timeout: float = CALL_TIMEOUT
    idle_stop: float | None = None
    whole_environment: bool = (
        False  # only for our own gateway: it fills in the variables of its configs itself
    )


def started_in(folder: Path, spec: ServerSpec) -> ServerSpec:
    """The spec for a process that another one starts: a daemon stands in `/`, and its client does not."""
    if spec.transport != "stdio":
        return spec
    return replace(spec, cwd=folder.absolute() / (spec.cwd or ""))
