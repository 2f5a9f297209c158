"""Values that fit × what was typed so far → the answer of `completion/complete`."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from toolbooth.limits import MAX_ASKED_NAME, MAX_COMPLETIONS


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Those that begin so, then those with a part that does, then those that hold it; capitals do not matter."""
    wanted = typed[:MAX_ASKED_NAME].casefold()
    ranked = [(_rank(value.casefold(), wanted), value) for value in values]
    fitting = [value for rank, value in sorted(ranked, key=itemgetter(0)) if rank < _HOLDS_NOT]
    shown = fitting[:MAX_COMPLETIONS]
    return {"values": shown, "total": len(fitting), "hasMore": len(fitting) > len(shown)}


def _rank(value: str, wanted: str) -> int:
    ways = (value.startswith(wanted), f".{wanted}" in value or f" {wanted}" in value, wanted in value)
    return next((rank for rank, fits in enumerate(ways) if fits), _HOLDS_NOT)


_HOLDS_NOT = 3
