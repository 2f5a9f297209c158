"""What concerns a whole session: the answer to `initialize` and `server/discover`, and `logging/setLevel`."""

from typing import Any

import anyio

from toolbooth.gateway.methods import Params, Result, answers
from toolbooth.gateway.session import INVALID_PARAMS, LEVELS, Caller, Refusal
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.tasks_in_flight import TASKS_EXTENSION


def capabilities(view: View) -> dict[str, Any]:
    """All capabilities of the gateway and its servers; for an unknown server, all that a server may have."""
    known = [view.gateway.capabilities.get(name) for name in view.upstreams]
    declared = [each for each in known if each is not None]
    unsure = len(declared) < len(known)
    offered: dict[str, Any] = {"tools": {"listChanged": True} if view.changes else {}}
    for name, features in _PASSED.items():
        if name in _OWN or unsure or any(name in each for each in declared):
            offered[name] = {
                feature: True
                for feature in features
                if unsure or any((each.get(name) or {}).get(feature) for each in declared)
            }
    return offered


_PASSED: dict[str, tuple[str, ...]] = {
    "resources": ("subscribe", "listChanged"),
    "prompts": ("listChanged",),
    "completions": (),
    "logging": (),
}
_OWN = {"resources", "prompts", "completions"}  # the gateway has some itself; they never change


def greeting(view: View, modern: bool = False) -> dict[str, Any]:
    """The part that `initialize` and `server/discover` share, and how clients of each get tasks."""
    text, offered = view.instructions(), capabilities(view)
    if view.changes and modern:
        offered["extensions"] = {**offered.get("extensions", {}), TASKS_EXTENSION: {}}
    elif view.changes:
        offered["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
    return {"capabilities": offered, **({"instructions": text} if text else {})}


@answers("logging/setLevel")
async def set_level(view: View, caller: Caller, params: Params) -> Result:
    """Applies to servers that run now and to those that start later."""
    level = params.get("level")
    if level not in LEVELS:
        raise Refusal(INVALID_PARAMS, f"level must be one of {', '.join(LEVELS)}")
    caller.session.log_level = str(level)
    async with anyio.create_task_group() as tasks:  # a server that does not answer must not delay the others
        for upstream in view.upstreams.values():
            tasks.start_soon(upstream.set_log_level, caller.session, str(level))
    return {}
