"""Whatever servers and tools are called: public names are clean, one a tool, and lead back."""

import re

from hypothesis import given, strategies as st

from toolbooth.catalog import Tool
from toolbooth.gateway.public_names import RESERVED, ToolNames

PUBLIC = re.compile(r"[a-zA-Z0-9_-]{1,48}")
servers = st.sampled_from(["a", "a_", "a__b", "a-b", "地", "s" * 70]) | st.text(
    "ab_-é", min_size=1, max_size=5
)
tools = st.builds(
    Tool,
    server=servers,
    name=st.sampled_from([*RESERVED, "b__c", "c", "x.y", "x_y", "t" * 80])
    | st.text("ab_.-é \u200b", min_size=1, max_size=6)
    | st.text(min_size=1, max_size=80),
)
books = st.lists(tools, unique_by=lambda tool: tool.id, max_size=12)


@given(books)
def test_every_tool_has_a_clean_name_of_its_own_that_leads_back(registry: list[Tool]) -> None:
    names = ToolNames(registry)
    assert len({names.public(tool) for tool in registry}) == len(registry)
    for tool in registry:
        assert PUBLIC.fullmatch(names.public(tool))
        assert names.public(tool) not in RESERVED
        assert names.find(names.public(tool)) is tool
        assert names.find(tool.id) is tool
        assert names.find(names.certain(tool)) is tool


@given(books, st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_no_name(registry: list[Tool], source: object) -> None:
    shuffled = sorted(registry, key=lambda tool: hash((tool.name, str(source))))
    assert ToolNames(registry).by_public == ToolNames(shuffled).by_public
