"""The settings of a `toolbooth.yaml`: caps on answers, their reduction, the enforced lock, the gateway's behaviour.

For each setting, the first file that sets it is used. Caps are patterns over `server.tool`; for each field, the most
exact pattern that sets it is used.
"""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

from toolbooth import limits
from toolbooth.files import from_home

Changes = Mapping[str, Any] | bool


class Cap(NamedTuple):
    """The limits of one tool's answers; None means no limit. `reduce` changes how its answers are reduced."""

    max_bytes: int | None = None
    limit: int | None = None
    reduce: Changes | None = None

    @property
    def cuts(self) -> bool:
        """Whether it may cut answers that are otherwise whole."""
        return self.max_bytes is not None or self.limit is not None or bool(self.reduce)

    def overridden(self, by: "Cap") -> "Cap":
        """This cap with every field that the other one sets; the keys of `reduce` are merged one by one."""
        return Cap(
            self.max_bytes if by.max_bytes is None else by.max_bytes,
            self.limit if by.limit is None else by.limit,
            _joined(self.reduce, by.reduce),
        )


def _joined(old: Changes | None, new: Changes | None) -> Changes | None:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**old, **new}
    return old if new is None else new


class CapRule(NamedTuple):
    """A pattern over tool ids (`*` allowed) and the cap it sets."""

    pattern: str
    cap: Cap


@dataclass(frozen=True)
class AnswerCaps:
    """All rules, the least exact first: a later one overrides an earlier one, field by field."""

    rules: tuple[CapRule, ...] = ()

    @classmethod
    def of(cls, tools: Mapping[str, Mapping[str, Any] | None]) -> Self:
        """Read the checked `tools:` map."""
        return cls().plus(*(CapRule(pattern, Cap(**(cap or {}))) for pattern, cap in tools.items()))

    def plus(self, *rules: CapRule) -> Self:
        """These and further rules; of equally exact patterns, the further ones are used."""
        return type(self)(tuple(sorted((*self.rules, *rules), key=_exactness)))

    def cap_for(self, tool_id: str) -> Cap:
        """The cap of one tool, each field from the most exact pattern that sets it."""
        cap = Cap()
        for pattern, set_here in self.rules:
            if fnmatchcase(tool_id, pattern):
                cap = cap.overridden(set_here)
        return cap


def _exactness(rule: CapRule) -> tuple[bool, int]:
    wild = sum(rule.pattern.count(character) for character in "*?[")
    return (wild == 0, len(rule.pattern) - wild)


@dataclass(frozen=True)
class Reduction:
    """A switch for each step, and its numbers: items for `collapse_over` and `limit`, and bytes for all others.

    `cap` is the operator's maximum for one tool; no call can ask for more.
    """

    on: bool = True
    over: int = limits.REDUCE_OVER
    compact: bool = True
    blobs: bool = True
    intent: bool = True
    intent_over: int = limits.INTENT_OVER
    collapse: bool = True
    collapse_over: int = limits.COLLAPSE_OVER
    chunks: bool = True
    chunk_over: int = limits.CHUNK_OVER
    chunk_bytes: int = limits.CHUNK_BYTES
    truncate: bool = True
    max_bytes: int = limits.SHOWN_ANSWER
    metadata: bool = True
    limit: int | None = None
    cap: int | None = None

    @property
    def cuts(self) -> bool:
        """Whether an answer may be shown in part."""
        return self.on or self.cap is not None or self.limit is not None

    def changed(self, changes: Mapping[str, Any] | bool | None) -> Self:
        """A copy with these keys changed; False switches the whole reduction off, and True on."""
        if isinstance(changes, bool):
            return replace(self, on=changes)
        known = {
            key: value
            for key, value in (changes or {}).items()
            if key in REDUCTION_KEYS and value is not None
        }
        if self.cap is not None:
            known |= {key: min(known[key], self.cap) for key in ("max_bytes", "over") if key in known}
            known.pop("truncate", None)
        return replace(self, **{**known, "on": True}) if known else self

    def capped(self, cap: Cap) -> Self:
        """A copy with the caps of one tool."""
        changed = replace(self.changed(cap.reduce), limit=cap.limit)
        if cap.max_bytes is None:
            return changed
        return replace(changed, max_bytes=cap.max_bytes, cap=cap.max_bytes)


REDUCTION_KEYS: Final = frozenset(each.name for each in fields(Reduction)) - {"on", "limit", "cap"}


ENFORCEMENT_MODES: Final = ("enforce", "warn", "off")
LOCK_FILE: Final = "toolbooth.lock"
_ENVIRONMENT_KEY: Final = "env:"


@dataclass(frozen=True)
class Enforcement:
    """How a lock is enforced. `lock` and `verify_key` are absolute paths; a key can also be `env:NAME`.

    Without a key, no signature is needed.
    """

    mode: Literal["enforce", "warn", "off"] = "off"
    lock: str | None = None
    verify_key: str | None = None

    @classmethod
    def of(cls, written: str | Mapping[str, Any]) -> Self:
        """From a mode or a map of keys; the mode of a map is `enforce` unless it says otherwise."""
        if isinstance(written, Mapping):
            return cls(**{"mode": "enforce", **written})
        return cls(mode=written)  # type: ignore[arg-type]  # the key table lets only modes through

    def placed(self, base: Path, home: Path) -> Self:
        """A copy with absolute paths; without a path, the lock is beside the file that sets this."""
        key = self.verify_key
        if key is not None and not key.startswith(_ENVIRONMENT_KEY):
            key = absolute(key, base, home)
        return replace(self, lock=absolute(self.lock or LOCK_FILE, base, home), verify_key=key)


def absolute(written: str, base: Path, home: Path) -> str:
    """The absolute path: a relative one starts at `base`, and `~` is `home`."""
    return str((base / from_home(Path(written), home)).absolute())


OFFERED_SURFACES: Final = ("search", "full", "code", "direct")
AUTO_SURFACE: Final = "auto"  # one of them for each client (docs/design/gateway.md)
SURFACE_NAMES: Final = (*OFFERED_SURFACES, AUTO_SURFACE)  # what a user may write
_COUNTED: Final = frozenset({"code_calls"})  # all other numbers are seconds


@dataclass(frozen=True)
class GatewaySettings:
    """How `toolbooth serve` behaves. `idle_stop` and `daemon_idle` are seconds; 0 means never.

    `scripts` is an absolute path; without it, saved scripts are in `default_scripts_folder`.
    """

    surface: str = "search"
    always_visible: tuple[str, ...] = ()
    slim: bool = True
    idle_stop: float = limits.IDLE_STOP
    daemon_idle: float = limits.DAEMON_IDLE
    warm_up: bool = True
    manage_servers: bool = False
    code_timeout: float = limits.CODE_SECONDS
    code_calls: int = limits.CODE_CALLS
    scripts: str | None = None
    ledger: Literal["on", "off"] = "on"
    approvals: Literal["together", "split"] = "together"
    reduce: Reduction = field(default_factory=Reduction)
    contracts: Enforcement = field(default_factory=Enforcement)

    @property
    def split(self) -> bool:
        """Whether a tool of its own calls those that only read, those that write and those that destroy."""
        return self.approvals == "split"

    @classmethod
    def of(cls, files: Iterable[Mapping[str, Any]]) -> Self:
        """Join the settings of several files: for each key, the first file that sets it is used."""
        return cls(**ChainMap(*map(dict, files)))


def gateway_keys(value: Mapping[str, Any]) -> dict[str, Any]:
    """The settings in one checked `toolbooth.yaml`, by name; a key without a value sets nothing."""
    written = {key: value.get(key) for key in ("surface", "always_visible", "slim", "scripts")} | (
        value.get("gateway") or {}
    )
    settings = {key: _setting(key, entry) for key, entry in written.items() if entry is not None}
    if value.get("reduce") is not None:
        settings["reduce"] = Reduction().changed(value["reduce"])
    if value.get("contracts") is not None:
        settings["contracts"] = Enforcement.of(value["contracts"])
    return settings


def with_absolute_paths(settings: Mapping[str, Any], base: Path, home: Path) -> Mapping[str, Any]:
    """The settings with absolute paths: a relative one starts at `base`, and `~` is `home`."""
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
