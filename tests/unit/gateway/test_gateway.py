"""What all sessions of a config share: one failure is nobody else's, news goes to those whom it concerns."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.subscriptions import ServerEvent

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.catalog.config import AnswerCaps, GatewaySettings
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, ClientIdentity, NegotiatedProtocol, Notice
from toolbooth.errors import UserMistake
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.offer_cache import CacheFolder, OfferCache
from toolbooth.gateway.session import Session
from toolbooth.gateway.upstreams.upstream import Upstream

pytestmark = pytest.mark.anyio
CHANGED = "notifications/tools/list_changed"
PROTOCOL = NegotiatedProtocol("2025-11-25", {"tools": {}})


class GatewayFixture:
    """A gateway whose servers are never started, and two sessions in front of it."""

    def __init__(self, folder: Path, tasks: anyio.abc.TaskGroup) -> None:
        self._tasks = tasks
        offer_cache = OfferCache(CacheFolder(folder))
        settings = GatewaySettings(warm_up=False)
        upstreams = [self.upstream("a"), self.upstream("b")]
        self.gateway = Gateway(settings, AnswerCaps(), upstreams, offer_cache, tasks, self.registered)
        self.lists, self.fixed = Heard(), Heard()
        self.gateway.enter(Session("1", "", False, ClientIdentity({}, {}), self.lists))
        self.gateway.enter(Session("2", "", False, ClientIdentity({}, {}), self.fixed, fixed_menu=True))

    def upstream(self, name: str) -> Upstream:
        return Upstream(ServerSpec(name, "stdio", "x"), {}, 0, self._tasks)

    def registered(self, name: str, _entry: Mapping[str, Any]) -> Upstream:
        return self.upstream(name)


class Heard(list[str]):
    """A client that only listens."""

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:  # noqa: ARG002
        self.append(method)

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: ARG002
        raise AssertionError("nobody is asked here")

    def let_go(self) -> None:
        return


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[GatewayFixture]:
    async with anyio.create_task_group() as tasks:
        yield GatewayFixture(folder, tasks)


def offer(*names: str) -> ServerTools:
    return ServerTools("a", tuple(Tool.from_raw("a", {"name": name}) for name in names))


async def test_what_fails_in_the_background_ends_nobody_and_reveals_no_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(word: str) -> None:
        raise RuntimeError(word)

    with caplog.at_level(logging.WARNING):
        async with opened(tmp_path) as idle_gateway:
            idle_gateway.gateway.spawn(fail, "canary")
    (record,) = caplog.records
    assert "RuntimeError at test_gateway.py" in record.getMessage()
    assert "canary" not in caplog.text


@pytest.mark.promise("reload:quiet")
async def test_nobody_is_notified_of_a_list_that_did_not_change(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        gateway = idle_gateway.gateway
        for names in (("x",), ("x",), ("x", "y"), ("x", "y")):
            gateway.tools_listed(gateway.upstreams["a"], offer(*names), PROTOCOL, TOOLBOOTH_IDENTITY)
            gateway.noticed(gateway.upstreams["a"], Notice(CHANGED, None), LOCAL_USER)
        assert idle_gateway.lists == [CHANGED, CHANGED]
        assert idle_gateway.fixed == []
        gateway.noticed(
            gateway.upstreams["a"], Notice("notifications/prompts/list_changed", None), LOCAL_USER
        )
        assert idle_gateway.fixed == ["notifications/prompts/list_changed"]


async def test_stateless_clients_hear_of_it_on_their_stream(tmp_path: Path) -> None:
    heard: list[ServerEvent] = []
    async with opened(tmp_path) as idle_gateway:
        idle_gateway.gateway.notices.bus(LOCAL_USER).subscribe(heard.append)
        idle_gateway.gateway.notify_clients(CHANGED)
    assert [type(each).__name__ for each in heard] == ["ToolsListChanged"]


@pytest.mark.promise("serve-http:principals")
async def test_what_comes_on_a_connection_is_told_to_its_own_principal_only(tmp_path: Path) -> None:
    someone, theirs = Principal("key-1"), Heard()
    heard: dict[str, list[ServerEvent]] = {"local": [], "key-1": []}
    async with opened(tmp_path) as idle_gateway:
        gateway = idle_gateway.gateway
        identity = ClientIdentity({}, {})
        gateway.enter(Session("3", "", False, identity, theirs, subscribed={"file:///x"}, principal=someone))
        for principal in (LOCAL_USER, someone):
            gateway.notices.bus(principal).subscribe(heard[principal.id].append)
        for method in ("notifications/prompts/list_changed", "notifications/resources/updated"):
            gateway.noticed(gateway.upstreams["a"], Notice(method, {"uri": "file:///x"}), someone)
    assert theirs == ["notifications/prompts/list_changed", "notifications/resources/updated"]
    assert (idle_gateway.lists, idle_gateway.fixed, heard["local"]) == ([], [], [])
    assert [type(each).__name__ for each in heard["key-1"]] == ["PromptsListChanged", "ResourceUpdated"]


async def test_a_server_that_is_no_longer_served_says_nothing_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        gateway = idle_gateway.gateway
        gone = gateway.upstreams["a"]
        gateway.tools_listed(gone, offer("x"), PROTOCOL, TOOLBOOTH_IDENTITY)
        gateway.uris.owners["file:///x"] = gateway.uris.templates["file:///{y}"] = "a"
        gateway.use([idle_gateway.upstream("a"), gateway.upstreams["b"]])
        assert "a" not in gateway.registry.servers
        assert (gateway.capabilities, gateway.uris.owners, gateway.uris.templates) == ({}, {}, {})
        gateway.tools_listed(gone, offer("y"), PROTOCOL, TOOLBOOTH_IDENTITY)
        assert "a" not in gateway.registry.servers
        assert gone.listeners == []


async def test_a_name_that_is_taken_cannot_be_registered(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        with pytest.raises(UserMistake, match="there is already a server a"):
            idle_gateway.gateway.register("a", {"command": "x"})
        idle_gateway.gateway.deregister("a")
        assert idle_gateway.gateway.register("a", {"command": "x"}) == "a"
        assert list(idle_gateway.gateway.upstreams) == ["b", "a"]


async def test_the_config_wins_over_what_was_registered_under_its_name(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        idle_gateway.gateway.register("c", {"command": "x"})
        own = idle_gateway.upstream("c")
        idle_gateway.gateway.use([own])
        assert idle_gateway.gateway.upstreams == {"c": own}


async def test_a_plain_client_takes_no_tools_from_one_that_can_be_asked(tmp_path: Path) -> None:
    able, plain = (
        ClientIdentity({"name": "a", "version": "1"}, {"sampling": {}}),
        ClientIdentity({"name": "b", "version": "1"}, {}),
    )
    async with opened(tmp_path) as idle_gateway:
        gateway, server = idle_gateway.gateway, idle_gateway.gateway.upstreams["a"]
        gateway.tools_listed(server, offer("x", "ask"), PROTOCOL, able)
        gateway.tools_listed(server, offer("x"), PROTOCOL, plain)
        asks = gateway.registry.find("a.ask")
        assert isinstance(asks, Tool)
        assert gateway.shows(asks, Session("1", "", False, able))
        assert not gateway.shows(asks, Session("2", "", False, plain))
        gateway.tools_listed(server, offer("x"), PROTOCOL, able)
        assert not isinstance(gateway.registry.find("a.ask"), Tool), "no list holds it any more"


@pytest.mark.promise("gateway:tasks")
async def test_a_tool_that_needs_tasks_is_offered_like_any_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        gateway = idle_gateway.gateway
        raw = {"name": "slow", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
        tools = ServerTools("a", (Tool.from_raw("a", raw), *offer("x").tools))
        gateway.tools_listed(gateway.upstreams["a"], tools, PROTOCOL, TOOLBOOTH_IDENTITY)
        assert [tool.name for tool in gateway.registry.servers["a"].tools] == ["slow", "x"]
        assert gateway.left_out == []


async def test_the_same_uri_of_two_servers_stays_two_resources(tmp_path: Path) -> None:
    async with opened(tmp_path) as idle_gateway:
        gateway = idle_gateway.gateway
        gateway.uris.owners["memory://graph"] = "a"
        assert gateway.uris.shown("a", "memory://graph") == "memory://graph"
        alias = gateway.uris.shown("b", "memory://graph")
        assert alias == "b+memory://graph"
        assert (gateway.uris.alias_owner(alias), gateway.uris.there(alias)) == ("b", "memory://graph")
        assert (gateway.uris.alias_owner("x://y"), gateway.uris.there("x://y")) == (None, "x://y")
