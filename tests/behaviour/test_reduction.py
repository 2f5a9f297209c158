"""Long answers through a real gateway: what a client is shown, and how it reads the rest."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.fat_server import LINK, LOG, ORDERS, PAGE, PICTURE, RESULTS
from tests.behaviour.gateway_client import EVERYTHING, GatewayClient, isolated_environ
from tests.behaviour.gateway_process import gateway_process, until

FAT = {"command": sys.executable, "args": [str(Path(__file__).with_name("fat_server.py"))]}
REF = re.compile(r"ref='([\w-]{22})'")


class Agent:
    """Calls tools of the fat server as a model does, and reads on."""

    def __init__(self, client: GatewayClient) -> None:
        self.client = client

    def call(self, tool: str, **more: Any) -> dict[str, Any]:
        arguments = {"name": f"fat.{tool}", "arguments": {}, **more}
        return self.client.bare(
            self.client.result("tools/call", {"name": "call_tool", "arguments": arguments})
        )

    def text(self, tool: str, **more: Any) -> str:
        return "\n".join(
            item["text"] for item in self.call(tool, **more)["content"] if item["type"] == "text"
        )

    def read(self, ref: str, **how: Any) -> dict[str, Any]:
        arguments = {"ref": ref, **how}
        return self.client.bare(
            self.client.result("tools/call", {"name": "read_result", "arguments": arguments})
        )

    def reads(self, ref: str, **how: Any) -> str:
        (item,) = self.read(ref, **how)["content"]
        return str(item["text"])


def write(home: Path, **settings: Any) -> Path:
    """As editors do: beside it, and renamed. JSON is YAML."""
    beside = home / "toolbooth.yaml.new"
    beside.write_text(json.dumps({"servers": {"fat": FAT}, **settings}), encoding="utf-8")
    return beside.replace(home / "toolbooth.yaml")


@contextmanager
def agent(home: Path, protocol: str = "old", surface: str = "search", **settings: Any) -> Iterator[Agent]:
    words = ["serve", "--no-daemon", "--config", str(write(home, **settings)), "--surface", surface]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=isolated_environ(home),
        cwd=home,
    )
    client = GatewayClient(process, surface, protocol, EVERYTHING)
    try:
        client.introduce()
        yield Agent(client)
    finally:
        said = client.close()
        assert "Traceback" not in said, said


def ref_in(text: str) -> str:
    """The ref of the last line."""
    return str(REF.findall(text)[-1])


@pytest.fixture(scope="module", params=["old", "new"])
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with agent(tmp_path_factory.mktemp("home"), request.param) as found:
        yield found


@pytest.mark.promise("reduce:gateway")
def test_a_long_list_is_shown_by_its_first_items_and_a_summary(one: Agent) -> None:
    first, line = (item["text"] for item in one.call("orders")["content"])
    shown = json.loads(first)
    assert shown["orders"][:3] == ORDERS[:3]
    assert "247 of 250 items" in shown["orders"][3]["not_shown"]
    assert shown["next"] is None
    assert len(first) < len(json.dumps(PAGE)) / 8
    assert re.fullmatch(
        r"\[[\d.]+ KB of [\d.]+ KB, [\d,]+ of [\d,]+ tokens shown, [\d.]+% less\. For more: .*\]", line
    )


@pytest.mark.promise("reduce:gateway")
def test_the_rest_is_read_by_path_by_query_and_by_lines(one: Agent) -> None:
    text = one.text("orders")
    (call,) = re.findall(r"path='(orders\[3:\])'", text)
    ref = ref_in(text)
    assert json.loads(one.reads(ref, path=call, lines=500, max_bytes=500_000)) == ORDERS[3:]
    assert json.loads(one.reads(ref, path="orders[137]")) == ORDERS[137]
    assert "orders[137]" in one.reads(ref, query="refund")
    log = ref_in(one.text("log"))
    assert one.reads(log, start=778, lines=1).startswith(LOG.splitlines()[777])
    assert "the disk is full" in one.reads(log, query="disk full")


@pytest.mark.promise("reduce:gateway")
def test_an_intent_shows_what_bears_on_it(one: Agent) -> None:
    assert "the disk is full" not in one.text("log")
    assert "the disk is full" in one.text("log", intent="why is the disk full")
    shown = json.loads(one.call("orders", intent="orders with a refund")["content"][0]["text"])
    assert ORDERS[137] in shown["orders"]


@pytest.mark.promise("reduce:gateway")
@pytest.mark.parametrize("fields", [["orders[].id", "orders[].total"], "orders[].id, orders[].total"])
def test_fields_are_all_that_is_shown(one: Agent, fields: Any) -> None:
    shown = json.loads(one.call("orders", fields=fields, reduce={"collapse": False})["content"][0]["text"])
    assert shown == {"orders": [{"id": each["id"], "total": each["total"]} for each in ORDERS]}


def test_fields_that_cannot_be_read_cost_a_note_and_not_the_answer(one: Agent) -> None:
    result = one.call("orders", fields=["orders[0].id"])
    assert "isError" not in result or not result["isError"]
    assert "write fields like items[].id" in result["content"][-1]["text"]
    assert json.loads(result["content"][0]["text"])["orders"][:3] == ORDERS[:3]


@pytest.mark.promise("reduce:gateway")
def test_without_reduction_all_comes_as_it_was(one: Agent) -> None:
    for tool in ("orders", "log", "mixed", "twice", "failed"):
        assert one.call(tool, reduce=False) == RESULTS[tool]


@pytest.mark.promise("reduce:passes")
def test_what_is_no_text_passes(one: Agent) -> None:
    mixed = one.call("mixed")
    assert mixed["content"][0] == PICTURE
    assert mixed["content"][2] == LINK
    assert mixed["ownField"] == {"a": 1}
    failed = one.call("failed")
    assert failed["isError"] is True
    assert failed["_meta"] == {"example.org/trace": "t1"}
    assert one.call("log")["content"][0]["annotations"] == {"audience": ["assistant"]}
    assert one.call("small") == RESULTS["small"]


@pytest.mark.promise("reduce:json-stays-json")
def test_the_structure_is_cut_as_the_text_is(one: Agent) -> None:
    twice = one.call("twice")
    assert twice["structuredContent"] == json.loads(twice["content"][0]["text"])
    assert len(json.dumps(twice)) < len(json.dumps(PAGE)) / 3


@pytest.mark.promise("reduce:gateway")
def test_a_ref_that_nobody_was_given_is_not_found(one: Agent) -> None:
    answer = one.read("x" * 22)
    assert answer["isError"] is True
    assert "there is no result" in answer["content"][0]["text"]


@pytest.mark.promise("reduce:config")
def test_every_tool_can_be_cut_in_its_own_way(tmp_path: Path) -> None:
    tools = {
        "fat.*": {"reduce": {"metadata": False}},
        "fat.orders": {"limit": 1},
        "fat.log": {"max_bytes": 2_000},
        "fat.twice": {"reduce": False},
    }
    with agent(tmp_path, tools=tools, reduce={"max_bytes": 5_000}) as one:
        (orders,) = one.call("orders")["content"]
        assert [each.get("id") for each in json.loads(orders["text"])["orders"]] == [0, None]
        (log,) = one.call("log")["content"]
        assert len(log["text"]) <= 2_000
        for options in ({"max_bytes": 100_000}, {"truncate": False}, {"over": 10**9}, False):
            assert len(one.text("log", reduce=options)) <= 2_000, "no call gets more than the operator allows"
        assert 3_000 < len(one.call("mixed")["content"][1]["text"]) <= 5_000
        assert 5_000 < len(one.call("mixed", reduce={"max_bytes": 9_000})["content"][1]["text"]) <= 9_000
        assert one.call("twice") == RESULTS["twice"]


@pytest.mark.promise("reduce:config")
def test_an_edit_of_the_config_takes_effect_at_once(tmp_path: Path) -> None:
    with agent(tmp_path) as one:
        assert len(one.text("log")) < 20_000
        write(tmp_path, reduce=False)
        until(lambda: one.call("log") == RESULTS["log"], "nothing is reduced")
        write(tmp_path, tools={"fat.log": {"max_bytes": 1_500}})
        until(lambda: len(one.call("log")["content"][0]["text"]) <= 1_500, "the tool has its cap")
        assert json.loads(one.call("orders")["content"][0]["text"])["orders"][:3] == ORDERS[:3]


@pytest.mark.promise("reduce:gateway")
def test_over_http_a_ref_is_one_sessions_own(tmp_path: Path) -> None:
    with gateway_process(tmp_path, "--no-key", "--config", write(tmp_path)) as gateway:
        mine, other = gateway.client(), gateway.client()
        call = {"name": "call_tool", "arguments": {"name": "fat.orders", "arguments": {}}}
        content = mine.ask("tools/call", call).json["result"]["content"]
        ref = ref_in(content[-1]["text"])
        reading = {"name": "read_result", "arguments": {"ref": ref, "path": "orders[137].note"}}
        assert mine.ask("tools/call", reading).text == ORDERS[137]["note"]
        foreign = other.ask("tools/call", reading).json["result"]
        assert foreign["isError"] is True
        assert "there is no result" in foreign["content"][0]["text"]
