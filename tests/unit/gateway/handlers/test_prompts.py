"""Prompts of several servers, and completion, by the server that owns them."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller

from toolbooth.gateway.builtin_resources import PROMPTS
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.handlers.prompts import owner_of_prompt
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio


def read(result: Any) -> dict[str, Any]:
    value: dict[str, Any] = result.value if isinstance(result, ToolResult) else result
    return value


async def test_names_show_whose_a_prompt_is_and_a_dead_server_hides_nobody(
    view: View, caller: MakeCaller
) -> None:
    listed = read(await answer(view, caller(), "prompts/list", {}))
    names = [each["name"] for each in listed["prompts"]]
    assert names == [*PROMPTS, "talk__greet", "talk__quiz", "talk__new__greet", "talk__new__quiz"]


@pytest.mark.parametrize(("name", "server"), [("talk__greet", "talk"), ("talk__new__greet", "talk__new")])
async def test_a_name_leads_to_its_server_also_where_one_begins_as_another(
    view: View, caller: MakeCaller, name: str, server: str
) -> None:
    owned = owner_of_prompt(view, name)
    assert (owned.upstream.name, owned.name) == (server, "greet")
    got = read(await answer(view, caller(), "prompts/get", {"name": name, "arguments": {"who": "Ada"}}))
    assert got["messages"][0]["content"]["text"] == "Hello Ada"


@pytest.mark.parametrize("name", ["greet", "nobody__greet", "", None, 5])
async def test_an_unknown_prompt_is_refused(view: View, caller: MakeCaller, name: object) -> None:
    with pytest.raises(Refusal, match="Unknown prompt"):
        await answer(view, caller(), "prompts/get", {"name": name})


@pytest.mark.parametrize(
    ("ref", "of"),
    [
        ({"type": "ref/prompt", "name": "talk__new__greet"}, "greet"),
        ({"type": "ref/resource", "uri": "page://{book}/{number}"}, "page://{book}/{number}"),
    ],
)
async def test_completion_is_asked_of_the_owner(view: View, caller: MakeCaller, ref: Any, of: str) -> None:
    params = {"ref": ref, "argument": {"name": "who", "value": "A"}}
    got = read(await answer(view, caller(), "completion/complete", params))
    assert got["completion"]["values"] == [f"{of}:A"]


async def test_completion_of_nothing_is_refused(view: View, caller: MakeCaller) -> None:
    with pytest.raises(Refusal, match="ref is missing"):
        await answer(view, caller(), "completion/complete", {"argument": {"name": "a", "value": ""}})


async def test_a_method_that_nobody_answers_is_not_found(view: View, caller: MakeCaller) -> None:
    with pytest.raises(Refusal, match="Method not found") as refused:
        await answer(view, caller(), "tools/invent", {})
    assert refused.value.code == -32601
