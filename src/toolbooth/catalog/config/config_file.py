"""The data of one config file, in two stages.

`RawConfig` and `RawServer` hold what the reader of a format finds, unchecked. `ConfigFile` holds the checked servers,
the same for every client.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbooth.catalog.config.gateway_settings import AnswerCaps
from toolbooth.catalog.server_spec import ServerSpec


@dataclass(frozen=True, repr=False)
class RawServer:
    """One server as the file has it, unchecked; timeouts are in seconds.

    `project` is the only folder that it is for; `disabled_in` are folders in which it is disabled.
    """

    name: str
    command: object = None
    args: object = None
    env: object = None
    env_file: object = None
    forward: tuple[str, ...] = ()
    cwd: object = None
    url: object = None
    headers: object = None
    transport: object = None
    timeout: object = None
    call_timeout: object = None
    idle_stop: float | None = None
    concurrency: int | None = None
    disabled: bool = False
    disabled_in: tuple[Path, ...] = ()
    project: Path | None = None
    unusable: str = ""


@dataclass(frozen=True, repr=False)
class RawConfig:
    """Everything that a format's reader found in one file; `gateway` holds the settings that the file sets.

    `disables` are servers of other files that this file disables: the path of the file, and the name in it.
    """

    servers: tuple[RawServer, ...]
    inputs: Mapping[str, str | None] = field(default_factory=dict)
    bare_dollar: bool = False
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: Mapping[str, Any] = field(default_factory=dict)
    base: Path | None = None
    disables: frozenset[tuple[Path, str]] = frozenset()


def mappings(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The entries of a mapping that are mappings themselves."""
    if isinstance(value, Mapping):
        yield from ((str(key), entry) for key, entry in value.items() if isinstance(entry, Mapping))


def switched_off(entry: Mapping[str, object]) -> bool:
    """Whether an entry is disabled, in the notation of any client."""
    return entry.get("disabled") is True or entry.get("enabled") is False or entry.get("isActive") is False


def texts_of_list(value: object) -> frozenset[str]:
    """The texts in a list of server names."""
    return (
        frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()
    )


@dataclass(frozen=True)
class ServerProblem:
    """A server that cannot be used, and why; the others of its file can."""

    server: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.server}: {self.reason}"


@dataclass(frozen=True)
class ConfigFile:
    """One checked file. `notes` say which servers have another name here than in the file.

    `gateway` holds the gateway settings that this file sets, by name. `disables` are servers of other files that this
    file disables: the path of the file, and the name of the server.
    """

    path: Path
    client: str
    servers: tuple[ServerSpec, ...] = ()
    problems: tuple[ServerProblem, ...] = ()
    disabled: tuple[str, ...] = ()
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: Mapping[str, Any] = field(default_factory=dict, hash=False)
    notes: tuple[str, ...] = ()
    disables: frozenset[tuple[Path, str]] = frozenset()
