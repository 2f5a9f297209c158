"""Servers in words: how many are named, and what follows from their state."""

import pytest

from toolbooth.gateway.server_states import not_known, not_searched, not_up, tool_count

DOWN = {f"s{number}": "starting" for number in range(7)}


def test_of_many_servers_a_few_are_named_and_the_others_counted() -> None:
    named = "; ".join(f"s{number} (starting)" for number in range(5))
    assert not_known(DOWN) == [f"not up, tools unknown: {named} and 2 more"]
    assert not_searched(DOWN)[0].endswith("s2 (starting) and 4 more"), "an answer names fewer than a page"
    assert not_known({}) == not_searched({}) == []


def test_the_name_of_a_server_is_shown_without_control_characters() -> None:
    assert not_up("a\x1b[31mb", "idle") == "ab is configured but not up: idle"


@pytest.mark.parametrize(("count", "words"), [(None, "tools not known yet"), (0, "0 tools"), (1, "1 tool")])
def test_tools_are_counted_in_words(count: int | None, words: str) -> None:
    assert tool_count(count) == words
