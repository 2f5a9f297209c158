"""docs/clients.md tells of the clients that the tests install, and the code's facts are of the same versions."""

import re

import pytest
from tests.documents import ROOT
from tests.real_clients.client_home import RealClient
from tests.real_clients.clients import CLAUDE_CODE, CODEX, REAL_CLIENTS

from toolbooth.catalog import profile_named

PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
PINS = (ROOT / "scripts" / "fetch_test_parts.py").read_text(encoding="utf-8")
INSTALLED = dict(re.findall(r'"((?:@[\w-]+/)?[\w-]+)@([\d.]+)"', PINS))
SIZES, SETUPS = ("20", "100", "500", "3,000"), ("without Toolbooth", "`search`", "`code`", "`direct`")


def block(name: str) -> str:
    found = re.search(rf"<!-- measured: {name} -->\n(.*?)<!-- /measured -->", PAGE, re.S)
    assert found is not None
    return found[1]


def test_the_page_tells_of_the_versions_that_the_tests_install() -> None:
    told = dict(re.findall(r"^- (\S+) (\S+)$", block("versions"), re.M))
    assert told == {client.package: INSTALLED[client.package] for client in REAL_CLIENTS}


@pytest.mark.parametrize("client", [CLAUDE_CODE, CODEX], ids=lambda client: client.key)
def test_the_facts_in_the_code_are_of_those_versions(client: RealClient) -> None:
    profile = profile_named(client.key)
    assert profile is not None
    assert profile.observed == INSTALLED[client.package]


def test_the_table_of_first_turns_has_every_size_and_setup() -> None:
    rows = re.findall(r"^\| ([\d,]+) \| ([^|]+) \| (.+) \|$", block("tokens"), re.M)
    assert [(size, setup) for size, setup, _ in rows] == [(size, setup) for size in SIZES for setup in SETUPS]
    assert all(re.fullmatch(r"[\d,]+|refused", cell) for *_, cells in rows for cell in cells.split(" | "))
