"""Values that fit × what was typed so far → the answer of `completion/complete`."""

from collections.abc import Iterable
from typing import Any

from toolbooth.limits import MAX_ASKED_NAME, MAX_COMPLETIONS


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Those that begin so, then those that hold it; capitals do not matter."""
    wanted = typed[:MAX_ASKED_NAME].casefold()
    holding = [value for value in values if wanted in value.casefold()]
    ordered = sorted(holding, key=lambda value: not value.casefold().startswith(wanted))
    shown = ordered[:MAX_COMPLETIONS]
    return {"values": shown, "total": len(ordered), "hasMore": len(ordered) > len(shown)}
