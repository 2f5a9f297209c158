"""One list of many servers: asked at once, joined in the order of the config; who fails is left out."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import anyio

from toolbooth.errors import BackendFault
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.questions import passed_on
from toolbooth.gateway.view import View
from toolbooth.limits import FIRST_LIST_WAIT, MAX_PAGES, MAX_TOOLS


class Item(NamedTuple):
    """An entry, and the server it comes from."""

    backend: Backend
    item: dict[str, Any]


async def gather(
    view: View, caller: Caller, capability: str, method: str, key: str, params: Mapping[str, Any]
) -> list[Item]:
    """Every entry of every server that offers such a list and answers within the time that a list waits."""
    backends = view.gateway.offering(capability)
    found: dict[str, list[Item]] = {}

    async def ask(backend: Backend) -> None:
        with suppress(BackendFault):  # the server's state says why; it must not hide or delay the others
            found[backend.name] = await _pages(view, backend, caller, capability, method, key, params)

    with anyio.move_on_after(FIRST_LIST_WAIT):
        async with anyio.create_task_group() as tasks:
            for backend in backends:
                tasks.start_soon(ask, backend)
    return [each for backend in backends for each in found.get(backend.name, ())]


async def _pages(
    view: View,
    backend: Backend,
    caller: Caller,
    capability: str,
    method: str,
    key: str,
    params: Mapping[str, Any],
) -> list[Item]:
    line = await backend.line_for(caller.session, caller.face)
    declared = line.link.era.capabilities
    view.gateway.capabilities[backend.name] = declared
    if declared is not None and capability not in declared:
        return []
    found: list[Item] = []
    cursor: str | None = None
    for _page in range(MAX_PAGES):
        asked = passed_on(params, **({"cursor": cursor} if cursor else {}))
        result = await backend.request_dict(caller, method, asked or None)
        entries = result.get(key)
        found += [Item(backend, each) for each in entries or () if isinstance(each, dict)]
        following = result.get("nextCursor")
        if not isinstance(following, str) or following == cursor or len(found) > MAX_TOOLS:
            break
        cursor = following
    return found


def listed(caller: Caller, key: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """A whole list as this caller's era words it."""
    if caller.modern:
        return {"resultType": "complete", key: entries, "ttlMs": 0, "cacheScope": "private"}
    return {key: entries}
