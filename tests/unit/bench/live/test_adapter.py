"""Templates of an adapter, filled with a question and a tool."""

import pytest

from toolbooth.bench.live.adapter import (
    AdapterStep,
    AdapterTool,
    EndpointAdapter,
    RequestTemplate,
    placeholders,
)

TOOL = AdapterTool("git", "git_add")
CALL = RequestTemplate("call_tool", {"name": "{id}", "arguments": "{arguments}"})


def adapter(ids: str = "{server}.{tool}", call: RequestTemplate = CALL) -> EndpointAdapter:
    return EndpointAdapter("mine", "", "oracle", ids, (), call)


@pytest.mark.parametrize(
    ("ids", "spelled"),
    [
        ("{server}.{tool}", "git.git_add"),
        ("{server}__{tool}", "git__git_add"),
        ("{tool}", "git_add"),
        ("x/{tool}@{server}", "x/git_add@git"),
    ],
)
def test_an_endpoint_spells_tools_its_own_way(ids: str, spelled: str) -> None:
    assert adapter(ids).spelled(TOOL) == spelled


def test_the_whole_of_arguments_stays_an_object() -> None:
    made = adapter()
    sent = made.call.fill(made.words("stage it", TOOL, {"files": ""}))
    assert sent == ("call_tool", {"name": "git.git_add", "arguments": {"files": ""}})


def test_a_tool_can_be_called_by_itself() -> None:
    made = adapter("{server}_{tool}", RequestTemplate("{id}", "{arguments}"))
    assert made.call.fill(made.words("", TOOL, {"a": ""})) == ("git_git_add", {"a": ""})


def test_words_stand_in_lists_in_keys_and_in_code() -> None:
    request = RequestTemplate(
        "{server}_run", {"{tool}": ["{query}", 1, None], "code": "await {id}({keywords})"}
    )
    sent = request.fill(adapter().words("add all", TOOL, {"path": "", "n": 2}))
    assert sent.tool == "git_run"
    assert sent.arguments == {"git_add": ["add all", 1, None], "code": "await git.git_add(path='', n=2)"}


def test_what_a_word_brings_is_not_filled_again() -> None:
    sent = RequestTemplate("find", {"q": "{query}", "also": "<{query}>"}).fill(
        adapter().words("{server} {id}", TOOL, {})
    )
    assert sent.arguments == {"q": "{server} {id}", "also": "<{server} {id}>"}


def test_before_a_tool_is_chosen_nothing_is_known_of_it() -> None:
    assert adapter().words("asked", None, {}) == {"query": "asked"}


def test_a_step_is_named_by_its_template() -> None:
    assert (
        AdapterStep(RequestTemplate("{server}_get_tool_schema", {}), "definition").name
        == "<server>_get_tool_schema"
    )


def test_every_placeholder_is_found() -> None:
    assert list(placeholders({"{a}": ["{b}", {"c": "x{d}y{e}"}], "f": 1})) == ["a", "b", "d", "e"]
