"""Adapter files: those that ship are sound, and a mistake in one of a user's is named with its place."""

from pathlib import Path

import pytest

from toolbooth.bench.live import find_adapter, load_adapter, shipped_adapters
from toolbooth.cli.bench.live import EXAMPLES
from toolbooth.errors import ConfigError, UserMistake

GOOD = """\
name: mine
finds: search
ids: "{server}/{tool}"
steps:
  - call: find
    role: search
    arguments: {words: "{query}"}
    ids_in: structured
    path: hits[].id
call:
  tool: use
  arguments: {id: "{id}", with: "{arguments}"}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text)
    return path


def mistake(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_adapter(written(folder, text))
    return str(caught.value).removeprefix(f"{folder / 'mine.yaml'}:")


@pytest.mark.parametrize("name", shipped_adapters())
def test_what_ships_is_sound_and_named_after_its_file(name: str) -> None:
    adapter = find_adapter(name)
    assert (adapter.name, bool(adapter.about)) == (name, True)
    assert name in EXAMPLES


def test_a_search_says_where_its_names_are() -> None:
    (search, definition) = find_adapter("toolbooth").steps
    assert search.answered is not None
    assert (search.role, search.answered.ids_in) == ("search", "lines")
    assert (definition.role, definition.unless_shown) == ("definition", True)


def test_a_file_of_the_user_is_read(tmp_path: Path) -> None:
    adapter = find_adapter(str(written(tmp_path, GOOD)))
    assert (adapter.name, adapter.finds, len(adapter.steps)) == ("mine", "search", 1)


@pytest.mark.promise("bench:adapters")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("finds: search", "find: search", "2:1: unknown key 'find'; did you mean 'finds'?"),
        ("finds: search", "finds: luck", "2:8: finds must be one of search, oracle"),
        ("    role: search\n", "", "5:5: steps[0] needs a role: search, list or definition"),
        (
            "    role: search",
            "    rolle: search",
            "6:5: unknown key 'rolle' in steps[0]; did you mean 'role'?",
        ),
        (
            "    path: hits[].id\n",
            "",
            "5:5: steps[0] needs ids_in, and path or pattern, to find the names",
        ),
        ("hits[].id", "hits[", "9:11: steps[0].path cannot be used"),
        (
            '"{server}/{tool}"',
            '"{server}/{name}"',
            "3:6: ids: unknown placeholder {name}; the placeholders are {server}, {tool}",
        ),
        ('{words: "{query}"}', '{words: "{qery}"}', "did you mean {query}?"),
        ('{words: "{query}"}', '{words: "{tool}"}', "{tool} is not known before the search"),
        ('{words: "{query}"}', "all", "7:16: steps[0].arguments must be a map of arguments, or {arguments}"),
        ("finds: search", "finds: oracle", "a step searches, so `finds` must be search"),
        ("role: search", "role: list", "steps[0].ids_in is for a step with role search"),
        ("name: mine\n", "", "name is missing; an adapter needs name, finds, ids and call"),
        ("  tool: use\n", "", "call needs tool, the tool to call"),
        (
            "    path: hits[].id\n",
            "    path: hits[].id\n    unless: shown\n",
            "unless is for a step with role definition",
        ),
        ("steps:\n", 'or_ids: "{name}"\nsteps:\n', "or_ids: unknown placeholder {name}"),
        ("steps:\n", 'or_ids: "{tool}"\nsteps:\n', "4:1: or_ids is for an endpoint without steps"),
        (GOOD, "", "the file is empty"),
        (GOOD, "- 1\n", "the file must be a map of keys"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    assert said in mistake(tmp_path, GOOD.replace(old, new))


def test_a_pattern_needs_a_group(tmp_path: Path) -> None:
    text = GOOD.replace("structured", "lines").replace("path: hits[].id", "pattern: '^\\w+'")
    assert "steps[0].pattern has no group; put the name into (…)" in mistake(tmp_path, text)
    assert "cannot be used" in mistake(tmp_path, text.replace("'^\\w+'", "'(('"))


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserMistake, match="did you mean fastmcp-search"):
        find_adapter("fastmcp-serch")
    with pytest.raises(UserMistake, match=r"or name a \.yaml file"):
        find_adapter("qqq")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        find_adapter(str(tmp_path / "none.yaml"))
