"""For any catalog: with all the lines that a profile recommends, no risk is above medium and nothing is unbounded."""

from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.catalog.config import AnswerCaps
from toolbooth.economics import Risk, Seen, measured_sizes, profile_catalog, remedies

names = st.text(min_size=1, max_size=12)
outputs: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.lists(names, max_size=30).map(lambda fields: {"properties": {field: {} for field in fields}}),
)
inputs: st.SearchStrategy[Any] = st.one_of(
    st.just({}), st.integers(0, 10**5).map(lambda most: {"properties": {"limit": {"maximum": most}}})
)
sizes = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 50)), max_size=4)
tools = st.dictionaries(names, st.tuples(inputs, outputs, sizes), min_size=1, max_size=6)
catalogs = st.dictionaries(names.filter(lambda name: "." not in name), tools, min_size=1, max_size=3)
Drawn = dict[str, dict[str, tuple[Any, Any, list[tuple[int, int]]]]]


@pytest.mark.promise("profile:remedies")
@given(catalogs)
def test_with_all_its_lines_a_profile_has_no_high_risk_and_nothing_unbounded(drawn: Drawn) -> None:
    catalog = Catalog(
        tuple(
            ServerTools(
                server,
                tuple(Tool(server, name, "", given, output) for name, (given, output, _) in own.items()),
            )
            for server, own in drawn.items()
        )
    )
    seen = {
        f"{server}.{name}": Seen(measured_sizes("ledger", pairs))
        for server, own in drawn.items()
        for name, (_, _, pairs) in own.items()
    }
    before = profile_catalog(catalog, seen)
    lines = "\n".join(f"  {remedy.line}" for remedy in remedies(before))
    caps = AnswerCaps.of(yaml.safe_load(f"tools:\n{lines}\n")["tools"] or {})
    after = profile_catalog(catalog, seen, lambda tool: caps.cap_for(tool)[:2])
    assert all(tool.answers.bounded for tool in after.tools)
    assert all(tool.risk is None or tool.risk <= Risk.MEDIUM for tool in after.tools)
    unknown = [tool for tool in before.tools if tool.risk is None and tool.answers.bounded]
    assert {tool.id for tool in after.tools if tool.risk is None} <= {tool.id for tool in unknown}
