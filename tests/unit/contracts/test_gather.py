"""Contracts of live servers and catalogs: complete, weighed, and without gaps that look like removals."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerSpec, sort_entries
from toolbooth.contracts import Economics
from toolbooth.contracts.gather import contracts_of, gather_contracts
from toolbooth.errors import BackendNotFound, BackendProtocolError, BackendRefused, UserMistake
from toolbooth.tokens import weigh

pytestmark = pytest.mark.anyio
CHANGING = Path(__file__).parents[2] / "changing_server.py"

LIMITED = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 20}}}
ROW = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
ROWS = {"type": "array", "items": ROW}
FIND = {"name": "find", "description": "Finds rows.", "inputSchema": LIMITED, "outputSchema": ROWS}
DROP = {"name": "drop", "description": "Drops a row.", "_meta": {"x": 2**70}}


def server(folder: Path, name: str = "rows", env: dict[str, str] | None = None, **offered: Any) -> ServerSpec:
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"tools": [], **offered}))
    return ServerSpec(name, "stdio", sys.executable, (str(CHANGING), str(file)), env=env or {})


def test_without_servers_the_sdk_is_not_imported() -> None:
    code = (
        "import sys, anyio; from toolbooth.contracts.gather import gather_contracts\n"
        "gathered = anyio.run(gather_contracts, [])\n"
        "assert not gathered.contracts.servers and 'mcp' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


async def test_everything_that_a_server_offers_is_in_its_contract(tmp_path: Path) -> None:
    resources = [{"uri": f"note://{number}", "name": "note"} for number in range(5)]
    spec = server(
        tmp_path,
        tools=[FIND, DROP],
        instructions="Ask first.",
        version="1.4",
        prompts=[{"name": "b"}, {"name": "a"}, "no prompt"],
        resources=resources[::-1],
        templates=[{"uriTemplate": "note://{id}", "name": "note"}],
        page=2,
    )
    gathered = await gather_contracts([spec])
    rows = gathered.contracts.servers["rows"]
    assert (gathered.faults, gathered.notes) == ((), ())
    assert (rows.instructions, rows.title, rows.version) == ("Ask first.", "Changing", "1.4")
    assert rows.prompts == ({"name": "a"}, {"name": "b"})
    assert list(rows.resources) == resources
    assert rows.templates == ({"uriTemplate": "note://{id}", "name": "note"},)
    assert {name: tool.raw for name, tool in rows.tools.items()} == {"find": FIND, "drop": DROP}
    assert [tool.tokens for tool in rows.tools.values()] == [each.tokens for each in weigh([FIND, DROP])]


async def test_economics_come_from_the_definition_alone(tmp_path: Path) -> None:
    tools = contracts_of(Catalog((sort_entries("rows", [FIND, DROP]),))).servers["rows"].tools
    assert tools["find"].economics == Economics(risk="low", bounded=True, fields=2, overhead=34)
    assert tools["drop"].economics == Economics()


async def test_undeclared_lists_are_not_requested(tmp_path: Path) -> None:
    spec = server(tmp_path, tools=[DROP], refuse=["prompts/list", "resources/list"])
    gathered = await gather_contracts([spec])
    assert not gathered.faults
    assert gathered.contracts.servers["rows"].prompts == ()


async def test_a_server_without_templates_is_not_a_fault(tmp_path: Path) -> None:
    gathered = await gather_contracts([server(tmp_path, resources=[])])
    assert not gathered.faults


async def test_a_refused_list_is_a_fault_of_that_server_alone(tmp_path: Path) -> None:
    broken = server(tmp_path, "broken", prompts=[], refuse=["prompts/list"])
    gathered = await gather_contracts([broken, server(tmp_path, tools=[DROP])])
    (fault,) = gathered.faults
    assert isinstance(fault, BackendRefused)
    assert fault.server == "broken"
    assert list(gathered.contracts.servers) == ["rows"]


@pytest.mark.promise("contracts:server-down")
async def test_a_server_that_is_down_is_a_fault_and_not_an_empty_contract() -> None:
    gathered = await gather_contracts([ServerSpec("gone", "stdio", "no-such-command-here")])
    (fault,) = gathered.faults
    assert isinstance(fault, BackendNotFound)
    assert fault.server == "gone"
    assert not gathered.contracts.servers


async def test_an_incomplete_list_of_tools_is_a_fault(tmp_path: Path) -> None:
    spec = server(tmp_path, tools=[{"name": f"t{number}"} for number in range(102)], page=1)
    (fault,) = (await gather_contracts([spec])).faults
    assert isinstance(fault, BackendProtocolError)
    assert "more than 100 pages" in fault.message


async def test_an_incomplete_list_of_resources_is_left_out_with_a_note(tmp_path: Path) -> None:
    spec = server(tmp_path, resources=[{"uri": f"a:{number}"} for number in range(102)], page=1)
    gathered = await gather_contracts([spec])
    assert gathered.contracts.servers["rows"].resources == ()
    (note,) = gathered.notes
    assert note.startswith("rows: its resources are left out")


async def test_malformed_and_too_deep_tools_are_left_out_with_a_note(
    tmp_path: Path,
) -> None:
    deep: Any = {}
    for _ in range(194):
        deep = {"a": deep}
    spec = server(tmp_path, tools=[DROP, {"title": "?"}, {"name": "deep", "inputSchema": deep}])
    gathered = await gather_contracts([spec])
    assert list(gathered.contracts.servers["rows"].tools) == ["drop"]
    assert [note.partition(":")[2] for note in gathered.notes] == [
        " tool (no name) is left out: an entry has no name",
        " tool deep is left out: it is nested too deeply for a lock",
    ]


@pytest.mark.promise("contracts:no-secrets")
async def test_secrets_of_a_server_are_redacted_from_its_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARENT_TOKEN", "canary-parent-77aa1")
    leaky = {
        "name": "leak",
        "description": "Uses $API_KEY and $PARENT_TOKEN.",
        "_meta": {"$API_KEY": ["$API_KEY"]},
    }
    spec = server(
        tmp_path,
        env={"API_KEY": "canary-env-5ad9c1", "NODE_ENV": "production"},
        tools=[leaky, {"name": "deploy", "description": "To production."}],
        instructions="You are $API_KEY",
        resources=[{"uri": "db://$API_KEY@host"}],
    )
    rows = (await gather_contracts([spec])).contracts.servers["rows"]
    assert rows.tools["leak"].raw["description"] == "Uses ••• and $PARENT_TOKEN.", (
        "it was not given the second"
    )
    assert rows.tools["deploy"].raw["description"] == "To production."
    assert "canary" not in json.dumps([rows.instructions, rows.resources, rows.tools["leak"].raw])


async def test_two_servers_with_one_name_are_refused(tmp_path: Path) -> None:
    spec = server(tmp_path)
    with pytest.raises(UserMistake, match="two servers are named rows"):
        await gather_contracts([spec, spec])
    with pytest.raises(UserMistake, match="two servers are named rows"):
        contracts_of(Catalog((sort_entries("rows", []), sort_entries("rows", []))))
