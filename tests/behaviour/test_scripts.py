"""Saved scripts behind a real gateway: found by search, called as tools, and from code; a changed folder is seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.behaviour.gateway_process import until
from tests.behaviour.test_code import Coder, coder

COUNT = '''"""How many orders there are in a state."""
from typing import Literal


async def main(state: Literal["open", "closed"], least: int = 0) -> int:
    orders = (await fat.orders())["orders"]
    return len([each for each in orders if each["state"] == state and each["total"] >= least])
'''
BOTH = '''"""Counts of open and of closed orders."""
[await scripts.count_orders(state=state) for state in ("open", "closed")]
'''


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Coder]:
    folder = tmp_path / "my scripts"
    folder.mkdir()
    (folder / "count_orders.py").write_text(COUNT, encoding="utf-8")
    (folder / "broken.py").write_text("def f(:", encoding="utf-8")
    with coder(tmp_path, scripts="my scripts") as found:
        yield found


def found_by(one: Coder, query: str) -> str:
    params = {"name": "search_tools", "arguments": {"query": query}}
    return str(one.client.bare(one.client.result("tools/call", params))["content"][0]["text"])


@pytest.mark.promise("scripts:found")
@pytest.mark.promise("scripts:safe")
def test_a_script_is_found_and_called_like_a_tool(one: Coder) -> None:
    assert "scripts.count_orders(state*:open|closed, least:int)" in found_by(one, "how many orders are open")
    assert one.value('await scripts.count_orders(state="open")') == 5
    assert one.value('x = "open"\nawait scripts.count_orders(state=x, least=300)') == 1
    assert "scripts.count_orders(state*:open|closed" in one.fails("await scripts.count_orders(state='none')")


@pytest.mark.promise("scripts:found")
def test_scripts_that_are_saved_later_are_seen_and_may_call_others(one: Coder) -> None:
    (one.home / "my scripts" / "both.py").write_text(BOTH, encoding="utf-8")
    until(lambda: "scripts.both" in found_by(one, "counts of open and closed orders"), "the new script")
    assert one.value("await scripts.both()") == [5, 245]


@pytest.mark.promise("scripts:found")
def test_many_scripts_that_call_scripts_at_once_do_not_wait_for_each_other_for_ever(one: Coder) -> None:
    outer = (
        '"""Calls another."""\nasync def main(n: int): return n + await scripts.count_orders(state="open")\n'
    )
    (one.home / "my scripts" / "outer.py").write_text(outer, encoding="utf-8")
    until(lambda: "scripts.outer" in found_by(one, "scripts.outer"), "the new script")
    assert one.value("await asyncio.gather(*[scripts.outer(n=n) for n in range(12)])") == list(range(5, 17))


@pytest.mark.promise("scripts:safe")
def test_a_script_that_calls_itself_is_stopped(one: Coder) -> None:
    endless = '"""Calls itself."""\nawait scripts.endless()\n'
    (one.home / "my scripts" / "endless.py").write_text(endless, encoding="utf-8")
    until(lambda: "scripts.endless" in found_by(one, "scripts.endless"), "the new script")
    assert "scripts call scripts more than 3 deep" in one.fails("await scripts.endless()")
    assert one.value("1 + 1") == 2
