"""Whatever an authorizer decides, what it forbids is named on no path: not in a list, an answer, a page or an error."""

import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from itertools import cycle, product
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings, strategies as st
from tests.unit.gateway.in_memory_channel import InMemoryChannel

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import ServerTools, Tool
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.errors import BackendFault
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer, greeting
from toolbooth.gateway.ledger import EndedCall, Ledger
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.gateway.session import Caller, Refusal, Session
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports import http_api

# Words that occur nowhere else, some spelled so alike that one is the nearest name of the other.
WORDS = {
    "kestrelia": ("zorbifax", "zorbifux", "quimblet"),
    "marmotica": ("quimblot", "vexorine", "vexorane"),
    "ocelotia": ("thrumpet", "thrumpot", "plinkard"),
}
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": False}
SERVERS = tuple(
    ServerTools(
        server,
        tuple(Tool(server, word, f"Makes a {word}ade of things.", dict(SCHEMA)) for word in words),
        description=f"Things for {server}ists: {', '.join(words)}.",
    )
    for server, words in WORDS.items()
)
TOOLS = {tool.id: tool for server in SERVERS for tool in server.tools}
SURFACES = ("search", "full", "code", "direct")
NEVER = "xylophant"  # no tool, server or word has this name
PRINCIPALS = (LOCAL_USER, Principal("key-1", "ONE"))
allowed_sets = st.frozensets(st.sampled_from(sorted(TOOLS)))


class Allows:
    """An authorizer that allows these tools."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(allowed)

    def may(self, principal: Principal, tool: Tool) -> bool:  # noqa: ARG002
        return tool.id in self._allowed

    @property
    def forbidden(self) -> set[str]:
        """Every word that may not be said."""
        tools = {tool.name for tool in TOOLS.values() if tool.id not in self._allowed}
        here = {tool.server for tool in TOOLS.values() if tool.id in self._allowed}
        whole = {each.server for each in SERVERS if not tools & {tool.name for tool in each.tools}}
        return {*tools, *(WORDS.keys() - here), *(f"{server}ists" for server in WORDS.keys() - whole)}


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[dict[str, View]]:
    """Every surface of one gateway, whose servers are never up."""
    config = home / "toolbooth.yaml"
    servers = {each.server: {"command": "no-such-command-here"} for each in SERVERS}
    options = {"warm_up": False, "manage_servers": True}
    document = {"servers": servers, "gateway": options, "always_visible": sorted(TOOLS)[::2]}
    config.write_text(json.dumps(document), encoding="utf-8")
    environ = {
        **dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(home)),
        "PATH": "/usr/bin:/bin",
    }
    async with open_runtime(environ, home) as runtime:
        first = await runtime.enter(GatewayRequest((str(config),), "search", home, environ))
        for each in SERVERS:
            first.gateway.registry.put(each)
            first.gateway.capabilities[each.server] = {"tools": {}}
        first.gateway.ledger = ledger = Ledger(None)
        for tool, who in product(TOOLS.values(), PRINCIPALS):
            ledger.record(EndedCall(tool.server, tool.name, "s", "call", 1.0, "ok", principal=who.id))
        yield {name: runtime.view(first.gateway, name) for name in SURFACES}


class Client:
    """A client of one principal, which keeps all that it is sent."""

    def __init__(self, view: View, principal: Principal) -> None:
        identity = ClientIdentity({"name": "memory", "version": "1"}, {})
        self._view = view
        session = Session("s", "2025-11-25", False, identity, principal=principal)
        self._caller = Caller(session, identity, InMemoryChannel())
        self.heard: list[str] = []

    async def ask(self, method: str, **params: Any) -> str:
        try:
            answered: Any = await answer(self._view, self._caller, method, params)
        except Refusal as refusal:
            answered = refusal.error_object
        except BackendFault as fault:
            answered = str(fault)
        said = answered.value if isinstance(answered, ToolResult) else answered
        self.heard.append(json.dumps(said, ensure_ascii=False))
        return self.heard[-1]

    async def call(self, name: str, /, **arguments: Any) -> str:
        return await self.ask("tools/call", name=name, arguments=arguments)

    async def ask_everything(self) -> None:
        """Every list and page, and misspelled or unknown names in every place where a name can stand."""
        seen = self._view.seen_by(self._caller.session.principal)
        self.heard.append(json.dumps(greeting(seen)))
        self.heard.append(json.dumps(http_api._tools(seen)))
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            await self.ask(method)
        for path in (
            "overview",
            "servers",
            "tools",
            "recent",
            "stats",
            "health",
            f"server/{NEVER}",
            f"tool/{NEVER}",
        ):
            await self.ask("resources/read", uri=f"toolbooth://{path}")
        for prompt in ("discover", "server_status"):
            await self.ask("prompts/get", name=prompt)
        await self._complete()
        await self.call("list_tools")
        await self.call("manage_servers", action="status")
        await self.call("manage_servers", action="status", server=NEVER)
        for server in WORDS if self._caller.session.principal != LOCAL_USER else ():
            await self.call("manage_servers", action="register", server=server, config={"command": "none"})
            await self.call("manage_servers", action="deregister", server=server)
        wrong = [NEVER, *map(misspelled, TOOLS.values())]
        for name in wrong if self._view.name == "full" else wrong[:3]:
            await self._ask_about(name, seen)

    async def _complete(self) -> None:
        variables = {"tool": "name", "server": "name"}
        for page, variable in variables.items():
            ref = {"type": "ref/resource", "uri": f"toolbooth://{page}/{{{variable}}}"}
            await self.ask("completion/complete", ref=ref, argument={"name": variable, "value": ""})
        ref = {"type": "ref/prompt", "name": "find_tool"}
        await self.ask("completion/complete", ref=ref, argument={"name": "task", "value": ""})

    async def _ask_about(self, wrong: str, seen: View) -> None:
        server, _, bare = wrong.rpartition(".")
        await self.ask("prompts/get", name="find_tool", arguments={"task": bare})
        await self.call("search_tools", query=bare)
        await self.call("search_tools", query=f"make a {bare}ade", brief=False)
        await self.call("search_tools", query="things", server=server or NEVER)
        for name in (wrong, bare, wrong.replace(".", "__")):
            await self.call(name)
            await self.call("tool_info", name=name)
            await self.call("call_tool", name=name)
            await self.ask("resources/read", uri=f"toolbooth://tool/{name}")
        await self.ask("resources/read", uri=f"toolbooth://server/{server}")
        self.heard.append(json.dumps(await http_api._search(seen, bare, 8)))


def misspelled(tool: Tool) -> str:
    return f"{tool.server[:-1]}.{tool.name[:3]}{tool.name[4:]}"


def named_in(heard: Iterable[str], words: Iterable[str]) -> dict[str, str]:
    """The words that were said, each with the first answer that says it."""
    said = [each.casefold() for each in heard]
    return {
        word: next(each for each in said if word in each)
        for word in words
        if any(word in each for each in said)
    }


@pytest.mark.promise("access:may")
@settings(max_examples=6)
@given(st.lists(allowed_sets, min_size=2, max_size=3))
def test_no_path_names_what_is_forbidden(
    tmp_path_factory: pytest.TempPathFactory, decisions: list[frozenset[str]]
) -> None:
    """The decisions follow each other on one gateway, as edits of a config would."""

    async def drive() -> None:
        async with opened(tmp_path_factory.mktemp("access")) as views:
            for allowed in decisions:
                authorizer = Allows(allowed)
                for view, principal in zip(views.values(), cycle(PRINCIPALS), strict=False):
                    view.gateway.authorizer = authorizer
                    client = Client(view, principal)
                    await client.ask_everything()
                    assert named_in(client.heard, authorizer.forbidden) == {}

    anyio.run(drive)


@pytest.mark.promise("access:may")
@settings(max_examples=6)
@given(allowed_sets, st.sampled_from(sorted(TOOLS)))
def test_a_forbidden_tool_is_answered_as_one_that_never_was(
    tmp_path_factory: pytest.TempPathFactory, allowed: frozenset[str], forbidden: str
) -> None:
    """By its exact name, on every surface, and from code."""
    allowed -= {forbidden}

    async def drive() -> None:
        async with opened(tmp_path_factory.mktemp("access")) as views:
            for view in views.values():
                view.gateway.authorizer = Allows(allowed)
                client = Client(view, PRINCIPALS[1])
                answered, expected = [await about(client, name) for name in (forbidden, unlike(forbidden))]
                assert answered == expected

    anyio.run(drive)


def unlike(tool_id: str) -> str:
    """A name that is as near to every other name, for it shares a letter with none."""
    return re.sub(r"[^.]", "0", tool_id)


async def about(client: Client, name: str) -> Mapping[str, str]:
    """All that is answered about a name, without the name itself and without names that are near to it."""
    public, bare = name.replace(".", "__"), name.partition(".")[2]
    call = json.dumps({"tool": name, "arguments": {}})
    answers = {
        "direct": await client.call(public, text="x"),
        "call_tool": await client.call("call_tool", name=name, arguments={"text": "x"}),
        "bare": await client.call("call_tool", name=bare, arguments={"text": "x"}),
        "code": await client.call("call_tool_chain", code=call),
        "info": await client.call("tool_info", name=name),
        "page": await client.ask("resources/read", uri=f"toolbooth://tool/{name}"),
    }
    for key, text in answers.items():
        for each in (name, public, bare):
            text = text.replace(each, "NAME")
        answers[key] = _NEAREST.sub("", text)
    return answers


_NEAREST = re.compile(r" Nearest: [\w., ]*?\.(?= |\"|$)")
