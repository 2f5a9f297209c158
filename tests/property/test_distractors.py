"""Whatever a catalog holds: look-alikes are as many as asked for, sound, new, and the same each time."""

import re

from hypothesis import given, strategies as st

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.suite.agents.direct_toolbox import menu_names
from toolbooth.suite.distractors import look_alikes

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
values = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
schemas = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "type": st.just("object"),
        "properties": st.dictionaries(st.text(max_size=6), st.dictionaries(st.text(max_size=4), values)) | values,
        "required": st.lists(st.text(max_size=6) | st.integers()) | values,
    },
)  # fmt: skip
names = st.text(min_size=1, max_size=90) | st.from_regex(r"\A[a-zA-Z_.-]{1,20}\Z")
raw_tools = st.fixed_dictionaries(
    {"name": names.filter(str.strip), "description": st.text(max_size=40)}, optional={"inputSchema": schemas}
)
tools = st.builds(Tool.from_raw, st.sampled_from(["a", "workspace", "ü"]), raw_tools)
catalogs = st.lists(tools, unique_by=lambda tool: tool.id, max_size=5).map(
    lambda found: Catalog(
        tuple(
            ServerTools(server, tuple(tool for tool in found if tool.server == server))
            for server in sorted({tool.server for tool in found})
        )
    )
)


@given(catalogs, st.integers(0, 40), st.integers(), st.lists(names, max_size=3))
def test_they_are_sound_new_and_the_same_each_time(
    catalog: Catalog, count: int, seed: int, taken: list[str]
) -> None:
    made = look_alikes(catalog, count, seed, taken)
    assert len({tool.name for tool in made.tools}) == count
    assert not {tool.name for tool in made.tools} & {*taken, *(tool.name for tool in catalog)}
    assert all(LEGAL.fullmatch(tool.name) for tool in made.tools)
    assert made.server not in {server.server for server in catalog.servers}
    turned = Catalog(tuple(reversed(catalog.servers)))
    assert look_alikes(turned, count, seed, taken) == made


@given(st.lists(tools, unique_by=lambda tool: tool.id, max_size=8))
def test_every_tool_has_a_legal_name_of_its_own_in_a_menu(found: list[Tool]) -> None:
    named = menu_names(found)
    assert list(named.values()) == found
    assert all(LEGAL.fullmatch(name) for name in named)
    assert menu_names(found[::-1]).items() == named.items()
