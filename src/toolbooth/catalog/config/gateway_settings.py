"""The gateway keys of `toolbooth.yaml` files, first file first → one set of settings."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from toolbooth.catalog.config.enforcement import Enforcement, absolute
from toolbooth.catalog.config.reduction import Reduction
from toolbooth.limits import CODE_CALLS, CODE_SECONDS, DAEMON_IDLE, IDLE_STOP

OFFERED_SURFACES: Final = ("search", "full", "code", "direct")
_COUNTED: Final = frozenset({"code_calls"})  # all other numbers are seconds


@dataclass(frozen=True)
class GatewaySettings:
    """How `toolbooth serve` behaves. `idle_stop` and `daemon_idle` are seconds, and 0 is never.

    `scripts` is an absolute path; without it, `default_scripts_folder` says where saved scripts lie.
    """

    surface: str = "search"
    always_visible: tuple[str, ...] = ()
    slim: bool = True
    idle_stop: float = IDLE_STOP
    daemon_idle: float = DAEMON_IDLE
    warm_up: bool = True
    manage_servers: bool = False
    code_timeout: float = CODE_SECONDS
    code_calls: int = CODE_CALLS
    scripts: str | None = None
    reduce: Reduction = field(default_factory=Reduction)
    contracts: Enforcement = field(default_factory=Enforcement)

    @classmethod
    def of(cls, files: Iterable[Mapping[str, Any]]) -> Self:
        """Join what files set: for each key the first file that sets it wins."""
        return cls(**ChainMap(*map(dict, files)))


def gateway_keys(value: Mapping[str, Any]) -> dict[str, Any]:
    """What one checked `toolbooth.yaml` sets, by the name of the setting; a key with nothing after it sets nothing."""
    written = {key: value.get(key) for key in ("surface", "always_visible", "slim", "scripts")} | (
        value.get("gateway") or {}
    )
    settings = {key: _setting(key, entry) for key, entry in written.items() if entry is not None}
    if value.get("reduce") is not None:
        settings["reduce"] = Reduction().changed(value["reduce"])
    if value.get("contracts") is not None:
        settings["contracts"] = Enforcement.of(value["contracts"])
    return settings


def placed(settings: Mapping[str, Any], base: Path, home: Path) -> Mapping[str, Any]:
    """The same with absolute paths: a relative one starts at `base`, and `~` is `home`."""
    found = dict(settings)
    if "scripts" in found:
        found["scripts"] = absolute(found["scripts"], base, home)
    if "contracts" in found:
        found["contracts"] = found["contracts"].placed(base, home)
    return found


def _setting(key: str, entry: Any) -> Any:
    if isinstance(entry, list):
        return tuple(map(str, entry))
    if isinstance(entry, int) and not isinstance(entry, bool) and key not in _COUNTED:
        return float(entry)
    return entry
