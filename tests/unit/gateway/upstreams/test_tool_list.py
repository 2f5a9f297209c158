"""Lists are reported to all listeners, one fetch at a time; a listener that fails harms nobody."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.gateway.upstreams.upstream_clients import (
    Reader,
    call_of,
    client,
    hostile,
    until,
    upstream_before,
)

pytestmark = pytest.mark.anyio


async def test_the_tools_are_reported_after_the_start_and_after_a_change(tmp_path: Path) -> None:
    a, reader = client("a"), Reader()
    async with upstream_before(hostile(tmp_path)) as upstream:
        upstream.listeners.append(reader)
        await upstream.request(a.caller(), "tools/call", call_of("ok"))
        await until(lambda: reader.lists)
        assert reader.notices == []
        await upstream.request(a.caller(), "tools/call", call_of("change"))
        await until(lambda: reader.notices)
        assert reader.notices == ["notifications/tools/list_changed"]
        shapes = [next(tool for tool in each.tools if tool.name == "shape") for each in reader.lists]
        assert [each.input_schema["required"] for each in shapes if each.input_schema] == [
            ["field1"],
            ["field2"],
        ]


async def test_changes_during_a_fetch_cost_one_more_fetch(tmp_path: Path) -> None:
    a, bad, reader = client("a"), hostile(tmp_path, "slow-list"), Reader()
    async with upstream_before(bad) as upstream:
        upstream.listeners.append(reader)
        await upstream.request(
            a.caller(), "tools/call", call_of("storm")
        )  # while the first list is being fetched
        await until(lambda: len(reader.lists) == 2)
        assert set(bad.seen("listing")) == {"listing 1"}


class Stumbles(Reader):
    """Cannot read a list a second time."""

    def tools_listed(self, *given: Any) -> None:
        if self.lists:
            raise KeyError("stumbled")
        super().tools_listed(*given)


async def test_a_list_that_its_reader_stumbles_over_is_a_fault_of_that_server_alone(tmp_path: Path) -> None:
    a, reader = client("a"), Stumbles()
    async with upstream_before(hostile(tmp_path)) as upstream:
        upstream.listeners.append(reader)
        await upstream.request(a.caller(), "tools/call", call_of("ok"))
        await until(lambda: reader.lists)
        await upstream.request(a.caller(), "tools/call", call_of("change"))
        await until(lambda: upstream.fault is not None)
        assert upstream.status()["fault"] == "sent a list that cannot be used (KeyError)"
        await upstream.request(a.caller(), "tools/call", call_of("ok"))
