"""Reading, writing and destroying through tools of their own, so that a client can allow one and ask for the rest."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.gateway_client import EVERYTHING, GatewayClient, isolated_environ
from tests.behaviour.gateway_process import gateway_process

SERVER = {"command": sys.executable, "args": [str(Path(__file__).with_name("hinted_server.py"))]}
SPLIT: dict[str, Any] = {"gateway": {"approvals": "split"}}
VARIANTS = ["call_read_tool", "call_write_tool", "call_destructive_tool"]
RIGHT = {"look": VARIANTS[0], "add": VARIANTS[1], "plain": VARIANTS[1], "drop": VARIANTS[2]}


def write(home: Path, **settings: Any) -> Path:
    config = home / "toolbooth.yaml"
    config.write_text(json.dumps({"servers": {"t": SERVER}, **settings}), encoding="utf-8")
    return config


class Client:
    """Calls built-in tools by name."""

    def __init__(self, raw: GatewayClient) -> None:
        self.raw = raw

    def menu(self) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.raw.result("tools/list")["tools"]}

    def call(self, name: str, /, **arguments: Any) -> tuple[str, bool]:
        result = self.raw.result("tools/call", {"name": name, "arguments": arguments})
        return result["content"][0]["text"], result.get("isError", False)


@contextmanager
def client(home: Path, protocol: str, surface: str = "search", **settings: Any) -> Iterator[Client]:
    words = ["serve", "--no-daemon", "--config", str(write(home, **settings)), "--surface", surface]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=isolated_environ(home),
        cwd=home,
    )
    raw = GatewayClient(process, surface, protocol, EVERYTHING)
    try:
        raw.introduce()
        yield Client(raw)
    finally:
        said = raw.close()
        assert "Traceback" not in said, said


@pytest.fixture(scope="module", params=["old", "new"])
def split(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with client(tmp_path_factory.mktemp("home"), request.param, **SPLIT) as made:
        yield made


@pytest.mark.promise("approvals:split")
def test_each_variant_says_what_a_call_of_it_may_do(split: Client) -> None:
    menu = split.menu()
    assert list(menu) == ["search_tools", *VARIANTS, "read_result"]
    assert [menu[name]["annotations"] for name in VARIANTS] == [
        {"readOnlyHint": True},
        {"readOnlyHint": False, "destructiveHint": False},
        {"readOnlyHint": False, "destructiveHint": True},
    ]


@pytest.mark.promise("approvals:split")
def test_a_milder_variant_is_refused_and_nothing_is_sent(split: Client) -> None:
    before = int(split.call("call_read_tool", name="t.look")[0].split()[1])
    refused = []
    for tool, right in RIGHT.items():
        for variant in VARIANTS[: VARIANTS.index(right)]:
            said, failed = split.call(variant, name=f"t.{tool}", intent="looked at slowly")
            plainly, failed_too = split.call(variant, name=f"t.{tool}")
            assert (said, failed, failed_too) == (plainly, True, True)
            assert said.endswith(f": call it with {right}. Nothing was sent.")
            assert "\n" not in said
            refused.append(tool)
    assert refused == ["add", "plain", "drop", "drop"]
    assert split.call("call_read_tool", name="t.look") == (f"look {before + 1}", False)


@pytest.mark.promise("approvals:split")
def test_the_right_variant_and_a_stricter_one_call(split: Client) -> None:
    for tool, right in RIGHT.items():
        for variant in VARIANTS[VARIANTS.index(right) :]:
            said, failed = split.call(variant, name=f"t.{tool}")
            assert (said.split()[0], failed) == (tool, False)


@pytest.mark.promise("approvals:split")
def test_a_search_marks_what_is_not_only_read(split: Client) -> None:
    said, _ = split.call("search_tools", query="does something to the table")
    lines = {line.split("(")[0]: line.split(" — ")[0] for line in said.splitlines() if line.startswith("t.")}
    assert lines == {
        "t.look": "t.look()",
        "t.add": "t.add() [write]",
        "t.plain": "t.plain() [write]",
        "t.drop": "t.drop() [destructive]",
    }
    assert split.call("search_tools", query="t.drop")[0].startswith("t.drop() [destructive] — ")


def test_the_tool_that_is_split_is_not_there_and_the_answer_names_its_variants(split: Client) -> None:
    answer = split.raw.ask("tools/call", {"name": "call_tool", "arguments": {"name": "t.drop"}})
    assert " or ".join(VARIANTS) in answer["error"]["message"]


@pytest.mark.promise("approvals:split")
def test_code_may_do_anything_and_says_so(tmp_path: Path) -> None:
    with client(tmp_path, "old", "code", **SPLIT) as made:
        chain = made.menu()["call_tool_chain"]
        assert chain["annotations"] == {"readOnlyHint": False, "destructiveHint": True}
        assert made.call("call_tool_chain", code="await t.drop()")[0].startswith("drop")


@pytest.mark.promise("approvals:pinned")
@pytest.mark.parametrize("settings", [{}, SPLIT])
def test_a_pinned_tool_that_destroys_asks_the_user_each_time(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    pinned = ["t.look", "t.drop", "t.plain"]
    with client(tmp_path, "old", always_visible=pinned, **settings) as made:
        menu = made.menu()
        asks = {
            name: each.get("_meta", {}).get("anthropic/requiresUserInteraction")
            for name, each in menu.items()
        }
        assert [name for name, asked in asks.items() if asked] == ["t__drop"]
        assert made.call("drop")[0].startswith("drop")


@pytest.mark.promise("approvals:split")
def test_a_program_without_mcp_calls_as_before(tmp_path: Path) -> None:
    with gateway_process(tmp_path, "--no-key", "--config", write(tmp_path, **SPLIT)) as gateway:
        answer = gateway.request("POST", "/api/v1/call", {"name": "t.drop"}).json
        assert answer["content"][0]["text"].startswith("drop")
