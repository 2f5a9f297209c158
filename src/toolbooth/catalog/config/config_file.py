"""What one config file holds, in one shape for every client."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbooth.catalog.config.answer_caps import AnswerCaps
from toolbooth.catalog.server_spec import ServerSpec


@dataclass(frozen=True)
class ServerProblem:
    """A server that cannot be used as it stands, and why; the others of its file stay."""

    server: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.server}: {self.reason}"


@dataclass(frozen=True)
class ConfigFile:
    """One file, read. `notes` say which servers go by another name here than in the file.

    `gateway` holds the gateway settings that this file sets, by name, and no others.
    `disables` are servers of other files that are switched off in this one: path of the file, name of the server.
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
