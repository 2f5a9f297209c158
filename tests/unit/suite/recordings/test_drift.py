"""What changed since a recording is said a line each, by its name."""

from dataclasses import replace
from typing import Any

import pytest

from toolbooth.catalog import Catalog, sort_entries
from toolbooth.suite.recordings.cassette_json import Cassette
from toolbooth.suite.recordings.drift import WantedRun, drift, matches_script, same_but_redacted
from toolbooth.suite.recordings.menu_json import catalog_hash
from toolbooth.suite.report import CellKey
from toolbooth.suite.spec.script import read_script
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn


def catalog(*tools: dict[str, Any]) -> Catalog:
    return Catalog((sort_entries("s", tools),))


OLD = catalog(
    {"name": "a", "description": "Adds."}, {"name": "b", "inputSchema": {"type": "object"}}, {"name": "c"}
)
TRACE = Trace("Find the door", "Be brief", "openai:gpt-x", "search", "", catalog_hash(OLD), (Turn(), Turn()))
CASSETTE = Cassette(CellKey("t", "gpt-x", "search"), TRACE, servers=("mail", "s"))
SAME = WantedRun("Find the door", "Be brief", "gpt-x", "search", ("s", "mail"), OLD, 5)


def changes(stored: Catalog | None = OLD, **wanted: Any) -> tuple[str, ...]:
    return drift(CASSETTE, replace(SAME, **wanted), stored)


def test_nothing_changed_is_nothing() -> None:
    assert changes() == ()
    assert drift(CASSETTE, WantedRun("Find the door", "Be brief", "replay", "search")) == ()


def test_a_prompt_shows_the_first_place_that_differs() -> None:
    assert changes(prompt="Find the window") == (
        "the prompt changed at character 10: “Find the door” → “Find the window”",
    )
    assert changes(system_prompt="Be brief.")[0].startswith("the system prompt changed at character 9")


def test_a_long_prompt_is_shown_briefly_and_cleanly() -> None:
    long = replace(CASSETTE, trace=replace(TRACE, prompt="x" * 5000 + "\x1b[31m1"))
    (line,) = drift(long, replace(SAME, prompt="x" * 5000 + "2" + "y" * 900), OLD)
    assert len(line) < 250
    assert "\x1b" not in line


@pytest.mark.parametrize("model", ["", "replay", "gpt-x", "openai:gpt-x"])
def test_a_model_that_was_recorded_or_any_is_no_drift(model: str) -> None:
    assert changes(model=model) == ()


def test_models_surfaces_and_servers_are_named() -> None:
    assert changes(model="gpt-y", surface="direct", servers=("s", "notes")) == (
        "the model changed: openai:gpt-x → gpt-y",
        "the surface changed: search → direct",
        "servers added: notes",
        "servers removed: mail",
    )


def test_tools_are_named_with_what_changed_of_them() -> None:
    now = catalog(
        {"name": "a", "description": "Sums."},
        {"name": "b", "description": "New.", "inputSchema": {"type": "object", "required": []}},
        {"name": "d"},
    )
    assert changes(catalog=now) == (
        "tools added: s.d",
        "tools removed: s.c",
        "tools changed: s.a (description), s.b (description, schema)",
    )


def test_many_tools_are_some_names_and_a_number() -> None:
    now = catalog(*({"name": f"n{number}"} for number in range(20)), *(tool.raw for tool in OLD))  # type: ignore[arg-type]
    assert changes(catalog=now) == ("tools added: s.n0, s.n1, s.n10, s.n11, s.n12 and 15 more",)


def test_a_changed_catalog_without_its_copy_is_reported() -> None:
    (line,) = changes(stored=None, catalog=catalog({"name": "z"}))
    assert "the changes are unknown" in line
    assert changes(stored=None) == ()


def test_turns_that_would_be_more_or_fewer_are_drift() -> None:
    assert changes(max_turns=1) == ("the recording has 2 turns, but max_turns is now 1",)
    stopped = replace(CASSETTE, trace=replace(TRACE, ended="max_turns"))
    assert drift(stopped, SAME, OLD) == ("the recording was stopped after 2 turns, but max_turns is now 5",)
    assert drift(stopped, replace(SAME, max_turns=2), OLD) == ()


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        ("a [redacted] b", "a secret b", True),
        ("a [redacted] b", "a secret c", False),
        ("[redacted]", "anything", True),
        ("x[redacted]y[redacted]z", "x1y2z", True),
        ("x[redacted]y[redacted]z", "x1z", False),
        ("ab[redacted]ba", "aba", False),
        ("plain", "plain", True),
        ("plain", "plane", False),
    ],
)
def test_what_was_taken_out_may_have_been_anything(before: str, now: str, same: bool) -> None:
    assert same_but_redacted(before, now) is same


def test_secrets_in_a_catalog_are_no_drift() -> None:
    stored = catalog({"name": "a", "description": "key is [redacted]"})
    cassette = replace(CASSETTE, trace=replace(TRACE, catalog=catalog_hash(stored)))
    now = catalog({"name": "a", "description": "key is hunter2"})
    assert drift(cassette, replace(SAME, catalog=now), stored) == ()


SCRIPT = read_script(
    [
        {"call": "tickets.get", "args": {"key": "1"}, "say": "looking"},
        {"use": "search_tools", "args": {"query": "x"}},
    ]
)


def turn(text: str = "looking", name: str = "get", **arguments: Any) -> Turn:
    made = (MadeCall(name, "tickets", arguments),)
    return Turn(text, (Exchange("call_tool", {"name": name}, made=made),))


SEARCH = Turn("", (Exchange("search_tools", {"query": "x"}),))
END = Turn("")


@pytest.mark.parametrize(
    ("turns", "kept"),
    [
        ([turn(key="1"), SEARCH, END], True),
        ([turn(key="1"), SEARCH], False),
        ([turn(key="1"), SEARCH, turn(key="1"), END], False),
        ([turn(key="2"), SEARCH, END], False),
        ([turn(name="put", key="1"), SEARCH, END], False),
        ([turn("else", key="1"), SEARCH, END], False),
        ([turn(key="1")], False),
        ([turn(key="1"), Turn("", (Exchange("search_tools", {"query": "y"}),)), END], False),
        ([turn(key="1"), Turn(""), END], False),
    ],
)
def test_names_arguments_words_and_number_are_compared(turns: list[Turn], kept: bool) -> None:
    assert matches_script(SCRIPT, turns, 10) is kept


def test_a_run_may_end_with_the_scripts_last_words_or_with_its_last_turn() -> None:
    assert matches_script(read_script([{"say": "done"}]), [Turn("done")], 10)
    assert matches_script(SCRIPT, [turn(key="1"), SEARCH], 2)


def test_what_was_taken_out_of_the_recording_may_have_been_anything() -> None:
    script = read_script([{"call": "get", "args": {"key": "secret"}, "say": "with secret"}])
    hidden = [turn("with [redacted]", key="[redacted]"), END]
    assert matches_script(script, hidden, 10)
    other = read_script([{"call": "get", "args": {"key": "secret"}, "say": "without secret"}])
    assert not matches_script(other, hidden, 10)
