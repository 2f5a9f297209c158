"""What the benchmark measures without servers is what a running gateway says to its clients."""

from pathlib import Path

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.config import OFFERED_SURFACES
from toolbooth.catalog.loading import Sources, load
from toolbooth.demo import demo_command
from toolbooth.gateway.in_process import in_process_client
from toolbooth.gateway.offline import OfflineGateway
from toolbooth.gateway.runtime import GatewayRequest, open_runtime
from toolbooth.tokens import weigh

SERVERS = ("tickets", "weather", "notes")
QUERIES = (
    "open a ticket about the login page",
    "will it rain tomorow",  # misspelled
    "tickets.create_ticket",  # a tool's own name
    "forecast",
    "fold a paper crane",  # no tool does
)


@pytest.mark.promise("bench:builders")
@pytest.mark.anyio
async def test_a_running_gateway_shows_and_answers_the_same(tmp_path: Path) -> None:
    commands = {name: demo_command(name) for name in SERVERS}
    specs = tuple(ServerSpec(name, "stdio", command[0], command[1:]) for name, command in commands.items())
    sources = Sources(servers=specs)
    offline = OfflineGateway((await load(sources)).catalog)
    environ = {"XDG_CACHE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    async with open_runtime(environ, tmp_path) as runtime:
        async with in_process_client(
            runtime, GatewayRequest((), "search", tmp_path, {}, given=sources)
        ) as first:
            await first.call("search_tools", {"query": "anything"})  # now all servers are up and known
        for surface in OFFERED_SURFACES:
            async with in_process_client(
                runtime, GatewayRequest((), surface, tmp_path, {}, given=sources)
            ) as client:
                menu = (await client.ask("tools/list", {}))["tools"]
                assert menu == offline.menu(surface, legacy=True)
                assert weigh(menu).total_tokens == weigh(offline.menu(surface)).total_tokens
                assert client.hello["instructions"] == offline.instructions(surface)
                for query in QUERIES if surface != "direct" else ():
                    answer = await client.call("search_tools", {"query": query})
                    assert answer.text == offline.search(surface, query).text
