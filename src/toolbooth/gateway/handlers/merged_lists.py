"""One list from many servers: requested at once and joined in the order of the config; failed servers are left out."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import anyio

from toolbooth import errors, limits
from toolbooth.gateway.calls.upstream_call import passed_on
from toolbooth.gateway.session import Caller
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream


class ListedItem(NamedTuple):
    """An entry, and the server it comes from."""

    upstream: Upstream
    item: dict[str, Any]


async def gather(
    view: View, caller: Caller, capability: str, method: str, key: str, params: Mapping[str, Any]
) -> list[ListedItem]:
    """Every entry of every server that offers such a list and answers in time."""
    upstreams = view.scope.offering(capability)
    found: dict[str, list[ListedItem]] = {}

    async def ask(upstream: Upstream) -> None:
        # The server's state says why; it must not hide or delay the others
        with suppress(errors.BackendFault):
            found[upstream.name] = await _pages(view, upstream, caller, capability, method, key, params)

    with anyio.move_on_after(limits.FIRST_LIST_WAIT):
        async with anyio.create_task_group() as tasks:
            for upstream in upstreams:
                tasks.start_soon(ask, upstream)
    return [each for upstream in upstreams for each in found.get(upstream.name, ())]


async def _pages(
    view: View,
    upstream: Upstream,
    caller: Caller,
    capability: str,
    method: str,
    key: str,
    params: Mapping[str, Any],
) -> list[ListedItem]:
    connection = await upstream.connection_for(caller.session, caller.client_identity)
    declared = connection.peer.protocol.capabilities
    view.gateway.capabilities[upstream.name] = declared
    if declared is not None and capability not in declared:
        return []
    found: list[ListedItem] = []
    cursor: str | None = None
    for _page in range(limits.MAX_PAGES):
        asked = passed_on(params, **({"cursor": cursor} if cursor else {}))
        result = await upstream.request_dict(caller, method, asked or None)
        entries = result.get(key)
        found += [ListedItem(upstream, each) for each in entries or () if isinstance(each, dict)]
        following = result.get("nextCursor")
        if not isinstance(following, str) or following == cursor or len(found) > limits.MAX_TOOLS:
            break
        cursor = following
    return found


def listed(caller: Caller, key: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """A whole list in the format of the caller's protocol version."""
    if caller.modern:
        return {"resultType": "complete", key: entries, "ttlMs": 0, "cacheScope": "private"}
    return {key: entries}
