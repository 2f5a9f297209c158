"""`toolbooth demo` tells the story on real servers, with no network and no keys."""

from pathlib import Path

import pytest

from tests.behaviour.shell import toolbooth
from toolbooth.demo import DEMO_SERVERS


@pytest.mark.promise("demo:all-servers")
def test_the_demo_weighs_every_bundled_server(tmp_path: Path) -> None:
    said = toolbooth("demo", "--json", home=tmp_path)
    assert said.code == 0, said.err
    assert {server["server"] for server in said.json["servers"]} == set(DEMO_SERVERS)
    assert said.json["troubles"] == []
    assert 60 <= len(said.json["tools"]) <= 75
    assert said.json["slimming"]["saves_tokens"] > 0
    assert said.json["duplicates"]
    assert said.json["advice"]


@pytest.mark.promise("demo:story")
def test_the_demo_reads_as_a_story(tmp_path: Path) -> None:
    said = toolbooth("demo", home=tmp_path)
    assert said.code == 0
    for word in (
        "1. ",
        "total",
        "per 1,000 calls",
        "look-alikes",
        "what to do",
        "over budget",
        "toolbooth doctor",
    ):
        assert word in said.out
    assert "\x1b" not in said.out
