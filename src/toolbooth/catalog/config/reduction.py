"""The `reduce:` keys of `toolbooth.yaml`, or of one call → how an answer is cut to what an agent needs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

from toolbooth.catalog.config.answer_caps import Cap
from toolbooth.limits import (
    CHUNK_BYTES,
    CHUNK_OVER,
    COLLAPSE_OVER,
    INTENT_OVER,
    REDUCE_OVER,
    SHOWN_ANSWER,
)


@dataclass(frozen=True)
class Reduction:
    """A switch for each step, and its numbers: bytes, but for `collapse_over` and `limit`, which count items.

    `cap` is what the operator allows one tool at most: no call can ask for more.
    """

    on: bool = True
    over: int = REDUCE_OVER
    compact: bool = True
    blobs: bool = True
    intent: bool = True
    intent_over: int = INTENT_OVER
    collapse: bool = True
    collapse_over: int = COLLAPSE_OVER
    chunks: bool = True
    chunk_over: int = CHUNK_OVER
    chunk_bytes: int = CHUNK_BYTES
    truncate: bool = True
    max_bytes: int = SHOWN_ANSWER
    metadata: bool = True
    limit: int | None = None
    cap: int | None = None

    def changed(self, changes: Mapping[str, Any] | bool | None) -> Self:
        """With these keys instead; false turns all of it off, and true on."""
        if isinstance(changes, bool):
            return replace(self, on=changes)
        known = {key: value for key, value in (changes or {}).items() if key in KEYS and value is not None}
        if self.cap is not None:
            known |= {key: min(known[key], self.cap) for key in ("max_bytes", "over") if key in known}
            known.pop("truncate", None)
        return replace(self, **{**known, "on": True}) if known else self

    def capped(self, cap: Cap) -> Self:
        """As one tool's caps want it."""
        changed = replace(self.changed(cap.reduce), limit=cap.limit)
        if cap.max_bytes is None:
            return changed
        return replace(changed, max_bytes=cap.max_bytes, cap=cap.max_bytes)


KEYS: Final = frozenset(each.name for each in fields(Reduction)) - {"on", "limit", "cap"}
