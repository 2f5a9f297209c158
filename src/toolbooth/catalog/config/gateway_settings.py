"""The gateway keys of `toolbooth.yaml` files, first file first → one set of settings."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from toolbooth.catalog.config.reduction import Reduction
from toolbooth.limits import CODE_CALLS, CODE_SECONDS, DAEMON_IDLE, IDLE_STOP

OFFERED_SURFACES: Final = ("search", "full", "direct")  # `code` is refused until there is a sandbox


@dataclass(frozen=True)
class GatewaySettings:
    """How `toolbooth serve` behaves. `idle_stop` and `daemon_idle` are seconds, and 0 is never."""

    surface: str = "search"
    always_visible: tuple[str, ...] = ()
    slim: bool = True
    idle_stop: float = IDLE_STOP
    daemon_idle: float = DAEMON_IDLE
    warm_up: bool = True
    manage_servers: bool = False
    code_timeout: float = CODE_SECONDS
    code_calls: int = CODE_CALLS
    reduce: Reduction = field(default_factory=Reduction)

    @classmethod
    def of(cls, files: Iterable[Mapping[str, Any]]) -> Self:
        """Join what files set: for each key the first file that sets it wins."""
        return cls(**ChainMap(*map(dict, files)))


def gateway_keys(value: Mapping[str, Any]) -> dict[str, Any]:
    """What one checked `toolbooth.yaml` sets, by the name of the setting; a key with nothing after it sets nothing."""
    written = {key: value.get(key) for key in ("surface", "always_visible", "slim")} | (
        value.get("gateway") or {}
    )
    settings = {key: _setting(entry) for key, entry in written.items() if entry is not None}
    if value.get("reduce") is not None:
        settings["reduce"] = Reduction().changed(value["reduce"])
    return settings


def _setting(entry: Any) -> Any:
    if isinstance(entry, list):
        return tuple(map(str, entry))
    return float(entry) if isinstance(entry, int) and not isinstance(entry, bool) else entry
