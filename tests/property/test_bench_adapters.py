"""Any tools and any answers: names are read back to the tool that was spelled, and nothing makes reading fail."""

from typing import Any

from hypothesis import given, strategies as st

from toolbooth.bench.live import find_adapter, shipped_adapters
from toolbooth.bench.live.adapter import AnswerFormat
from toolbooth.bench.live.answers import Spellings, is_unknown_tool, names_in, tool_name

SERVERS = st.text(st.characters(codec="utf-8", exclude_characters="."), min_size=1, max_size=8)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
TOOLS = st.lists(st.builds(lambda server, tool: f"{server}.{tool}", SERVERS, NAMES), max_size=12, unique=True)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ANSWERS = st.dictionaries(st.sampled_from(["content", "structuredContent", "isError", "x"]), JSON)


@given(TOOLS, st.sampled_from(sorted(shipped_adapters())))
def test_what_an_adapter_spells_is_read_back(tools: list[str], name: str) -> None:
    adapter = find_adapter(name)
    spelled = {tool: adapter.spelled(tool_name(tool)) for tool in tools}
    spellings = Spellings(adapter, tools)
    for tool, text in spelled.items():
        alone = list(spelled.values()).count(text) == 1
        assert spellings.id_of(text) == tool if alone else spellings.id_of(text) in tools


@given(TOOLS, NAMES)
def test_a_name_is_a_known_tool_or_a_stranger(tools: list[str], name: str) -> None:
    found = Spellings(find_adapter("toolbooth"), tools).id_of(name)
    assert (found in tools) != is_unknown_tool(found)


@given(
    ANSWERS,
    st.sampled_from(
        [
            AnswerFormat("structured", "result[].name"),
            AnswerFormat("json", "[].name"),
            AnswerFormat("structured", "keys(@)"),
            AnswerFormat("lines", r"^(\S*)"),
        ]
    ),
)
def test_no_answer_makes_reading_fail(answer: dict[str, Any], where: AnswerFormat) -> None:
    names = names_in(answer, where)
    assert all(isinstance(name, str) for name in names)
    assert len(set(names)) == len(names)
