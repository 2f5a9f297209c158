"""One server as a file writes it, before checking: every format's reader makes these."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbooth.catalog.config.answer_caps import AnswerCaps


@dataclass(frozen=True, repr=False)
class RawServer:
    """The fields are whatever the file holds, unchecked; timeouts are in seconds.

    `project` is the only folder that it is for, `disabled_in` are folders where it is switched off.
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
class Reading:
    """All that a format's reader found in one file; `gateway` holds the settings that the file sets.

    `disables` are servers of other files that are switched off here: the path of the file, the name in it.
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
    """Every client's way to say that a server is not to be used."""
    return entry.get("disabled") is True or entry.get("enabled") is False or entry.get("isActive") is False


def names_in(value: object) -> frozenset[str]:
    """The texts of a list, for lists of server names."""
    return (
        frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()
    )
