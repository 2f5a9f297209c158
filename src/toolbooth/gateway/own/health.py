"""The gateway → `toolbooth://health`: how it and its servers are, in the words of the health check over HTTP."""

import json
from collections.abc import Mapping
from typing import Any

from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.resource import JSON, OwnResource
from toolbooth.gateway.surfaces import pin_problems
from toolbooth.gateway.view import View
from toolbooth.safetext import for_terminal


async def _read(view: View, _session: Session, _value: str) -> str:
    """Of this gateway alone: others of the same process belong to other configs."""
    gateway = view.gateway
    state = {
        "status": "ok",
        "sessions": len(gateway.sessions),
        "servers": [_cleaned(row) for row in gateway.status()],
        "absent": [
            {"server": for_terminal(name), "why": for_terminal(why)}
            for name, why in gateway.book.absent.items()
        ],
        "notes": [*gateway.notes, *pin_problems(gateway.book, gateway.settings)],
    }
    return json.dumps(state, separators=(",", ":"))


def _cleaned(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: for_terminal(value) if isinstance(value, str) else value for key, value in row.items()}


HEALTH = OwnResource("health", "Health", "How the gateway and its servers are, as JSON.", _read, JSON)
