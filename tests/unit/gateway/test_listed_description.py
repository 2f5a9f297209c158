"""Long descriptions: what decides comes first, nothing is lost, and short ones stay as they are."""

import re

import pytest
from hypothesis import given, strategies as st
from tests.catalogs import recorded_tools

from toolbooth.catalog import ServerTools, Tool
from toolbooth.catalog.client_profiles import PROFILES
from toolbooth.catalog.config import GatewaySettings
from toolbooth.gateway.agent_texts import definition_text, full_definition_text
from toolbooth.gateway.listed_description import decisive_first
from toolbooth.gateway.surfaces import build
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.limits import LISTED_DESCRIPTION

FILLER = "Some words about the service and its history. " * 20
EXAMPLES = "## Examples\n\n```python\n" + "call_it('must always never')\n\n" * 60 + "```"
DECISIVE = "Use this when a ticket is open. The key must be a number; the default is 7."
RETURNS = "Returns: a list of tickets, at most 50."
LONG = "\n\n".join(["Closes a ticket.", EXAMPLES, FILLER, DECISIVE, RETURNS])


def paragraphs(text: str) -> list[str]:
    return sorted(re.split(r"\n[ \t]*(?:\n[ \t]*)*\n", text.strip("\n")))


@pytest.mark.promise("surface:descriptions")
def test_what_decides_comes_before_examples_and_the_rest() -> None:
    text = decisive_first(LONG)
    assert text == "\n\n".join(["Closes a ticket.", FILLER, DECISIVE, RETURNS, EXAMPLES])
    assert RETURNS not in LONG[:LISTED_DESCRIPTION]
    assert RETURNS in text[:LISTED_DESCRIPTION]


def test_where_not_all_fits_decisive_words_win() -> None:
    text = decisive_first("\n\n".join(["Closes a ticket.", FILLER, FILLER * 2, DECISIVE, RETURNS]))
    assert text == "\n\n".join(["Closes a ticket.", FILLER, DECISIVE, RETURNS, FILLER * 2])


def test_a_heading_stays_with_what_it_is_for() -> None:
    text = decisive_first(f"Closes a ticket.\n\n{FILLER * 3}\n\n# Limits\n\nAt most 50 are closed.")
    assert "# Limits\n\nAt most 50 are closed." in text[:200]


def test_code_is_not_taken_apart() -> None:
    assert EXAMPLES in decisive_first(LONG)
    unclosed = f"Closes.\n\n{FILLER * 3}\n\n```\na = 1\n\nb = 2"
    assert "```\na = 1\n\nb = 2" in decisive_first(unclosed)


parts = st.sampled_from(
    ["", " ", "Words.", "Must be 1.", "# Title", "Args:", "```", "```\ncode", "| a | b |", "  - item", FILLER]
)


@given(st.lists(parts, max_size=30).map("\n\n".join) | st.text("ab .:#`|\n", max_size=60).map(FILLER.__add__))
@pytest.mark.promise("surface:descriptions")
def test_the_same_paragraphs_stay_all_of_them(text: str) -> None:
    ordered = decisive_first(text)
    if len(text) <= LISTED_DESCRIPTION:
        assert ordered == text
    assert paragraphs(ordered) == paragraphs(text)
    assert decisive_first(text) == ordered


def test_every_client_shows_what_is_put_first() -> None:
    cuts = [profile.description_chars for profile in PROFILES if profile.description_chars is not None]
    assert min(cuts) >= LISTED_DESCRIPTION


def test_real_descriptions_lose_nothing_and_short_ones_do_not_change() -> None:
    for tool in recorded_tools():
        ordered = decisive_first(tool.description)
        assert paragraphs(ordered) == paragraphs(tool.description)
        assert ordered == tool.description or len(tool.description) > LISTED_DESCRIPTION


@pytest.mark.promise("surface:descriptions")
def test_menus_show_the_ordered_text_and_definitions_the_text_of_the_server() -> None:
    tool = Tool.from_raw("s", {"name": "close", "description": LONG, "inputSchema": {"type": "object"}})
    registry = ToolRegistry(["s"])
    registry.put(ServerTools("s", (tool,)))
    for surface in ("direct", "search"):
        *_, entry = build(surface, registry, GatewaySettings(always_visible=("s.close",))).menu()
        assert entry["description"] == decisive_first(LONG)
        *_, entry = build(surface, registry, GatewaySettings(slim=False, always_visible=("s.close",))).menu()
        assert entry["description"] == LONG
    assert decisive_first(LONG) not in full_definition_text(tool)
    assert definition_text(tool).startswith("s.close() — Closes a ticket. ## Examples")
