"""A menu: the same bytes in the same order, however its servers came up."""

import importlib
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.catalog.config import OFFERED_SURFACES, AnswerCaps, GatewaySettings
from toolbooth.errors import UserMistake
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache
from toolbooth.gateway.server_states import NO_SERVERS
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream
from toolbooth.limits import LISTED_AT_ONCE
from toolbooth.tokens import count

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def gateway(folder: Path, *servers: str, **settings: Any) -> AsyncIterator[Gateway]:
    async with anyio.create_task_group() as tasks:
        upstreams = [Upstream(ServerSpec(name, "stdio", "x"), {}, 0, tasks) for name in servers]

        def none(_name: str, _entry: object) -> Upstream:
            raise AssertionError("nobody registers a server")

        offer_cache = OfferCache(CacheFolder(folder))
        yield Gateway(GatewaySettings(**settings), AnswerCaps(), upstreams, offer_cache, tasks, none)


def offer(server: str, *names: str) -> ServerTools:
    raw_tools: list[dict[str, Any]] = [
        {"name": name, "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}} for name in names
    ]
    return ServerTools(server, tuple(Tool.from_raw(server, raw) for raw in raw_tools))


def menu(view: View, *, legacy: bool = True) -> str:
    return json.dumps(view.tools(legacy=legacy))


@pytest.mark.parametrize("surface", OFFERED_SURFACES)
async def test_the_order_in_which_servers_come_up_does_not_show(surface: str, tmp_path: Path) -> None:
    offered = [offer("b", "z", "y"), offer("a", "x")]
    menus = set()
    for order in (offered, offered[::-1]):
        async with gateway(tmp_path, "b", "a", always_visible=("a.x", "b.z")) as made:
            view = View(made, surface)
            for each in order:
                made.registry.put(each)
            menus |= {menu(view), menu(view), menu(View(made, surface))}
            made.registry.put(offered[0])
            menus.add(menu(view))
    assert len(menus) == 1
    assert "x" in menus.pop()


async def test_a_menu_follows_the_registry_and_the_settings(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a", "b") as made:
        view = View(made, "search")
        made.registry.put(offer("a", "x"))
        assert not view.changes
        assert "a__x" not in menu(view)
        made.settings = replace(made.settings, always_visible=("a.x",))
        assert view.changes
        assert "a__x" in menu(view)
        assert view.pinned("a__x") is not None
        made.registry.put(offer("a", "other"))
        assert "a__x" not in menu(view)
        assert view.pinned("a__x") is None


async def test_each_protocol_version_gets_a_menu_that_it_accepts(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.registry.put(offer("a", "x"))
        view = View(made, "direct")
        assert "outputSchema" in menu(view, legacy=False)
        assert "outputSchema" not in menu(view)


async def test_a_large_menu_is_prepared_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work = set[int]()

    def watched(work: Any) -> Any:
        def noted(*given: Any) -> Any:
            at_work.add(threading.get_ident())
            return work(*given)

        return noted

    for place, name in (("economics", "slim"), ("search", "search_hint")):
        work = getattr(importlib.import_module(f"toolbooth.{place}"), name)
        monkeypatch.setattr(f"toolbooth.{place}.{name}", watched(work))
    async with gateway(tmp_path, "a") as made:
        made.registry.put(offer("a", *(f"create_{number}_issue" for number in range(LISTED_AT_ONCE + 1))))
        view = View(made, "direct")
        await view.prepare()
        prepared = set(at_work)
        assert "anthropic/searchHint" in menu(view)
    assert at_work == prepared
    assert threading.get_ident() not in at_work


async def test_without_servers_the_instructions_say_what_to_do(tmp_path: Path) -> None:
    async with gateway(tmp_path) as made:
        assert View(made, "search").instructions() == NO_SERVERS
    assert count(NO_SERVERS) <= 120
    async with gateway(tmp_path, "a") as made:
        assert "Servers: a" in View(made, "search").instructions()


@pytest.mark.parametrize("surface", ["x", ""])
async def test_a_surface_that_is_not_offered_is_refused(surface: str, tmp_path: Path) -> None:
    async with gateway(tmp_path) as made:
        with pytest.raises(UserMistake, match="choose search, full, code, direct or auto"):
            View(made, surface)
