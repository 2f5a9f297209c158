"""`contracts:` of a `toolbooth.yaml` → whether a gateway keeps to a lock, and to which."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Self

MODES: Final = ("enforce", "warn", "off")
LOCK_FILE: Final = "toolbooth.lock"
_VARIABLE: Final = "env:"


@dataclass(frozen=True)
class Enforcement:
    """`lock` and `verify_key` are absolute paths; a key may be `env:NAME` instead, and None is no signature needed."""

    mode: Literal["enforce", "warn", "off"] = "off"
    lock: str | None = None
    verify_key: str | None = None

    @classmethod
    def of(cls, written: str | Mapping[str, Any]) -> Self:
        """A word, or a map of keys; who names a lock and no mode wants it to be kept."""
        if isinstance(written, Mapping):
            return cls(**{"mode": "enforce", **written})
        return cls(mode=written)  # type: ignore[arg-type]  # the key table lets only modes through

    def placed(self, base: Path, home: Path) -> Self:
        """With absolute paths: the lock lies beside the file that sets this, unless it says where."""
        key = self.verify_key
        if key is not None and not key.startswith(_VARIABLE):
            key = absolute(key, base, home)
        return replace(self, lock=absolute(self.lock or LOCK_FILE, base, home), verify_key=key)


def absolute(written: str, base: Path, home: Path) -> str:
    """A relative path starts at `base`, and `~` is `home`."""
    path = Path(written)
    start = home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else base / path
    return str(start.absolute())
