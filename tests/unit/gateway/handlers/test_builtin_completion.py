"""Completion of what the gateway offers itself: of its templates, and of its prompts."""

from typing import Any

import pytest
from tests.unit.gateway.conftest import MakeCaller

from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.surfaces.view import View

pytestmark = pytest.mark.anyio
TOOL = {"type": "ref/resource", "uri": "toolbooth://tool/{name}"}
FIND = {"type": "ref/prompt", "name": "find_tool"}


async def complete(view: View, caller: Any, ref: Any, **argument: Any) -> dict[str, Any]:
    result = await answer(view, caller, "completion/complete", {"ref": ref, "argument": argument})
    return result.value if isinstance(result, ToolResult) else result


@pytest.mark.promise("builtin:completion")
@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize(
    ("ref", "name", "typed", "first"),
    [
        (TOOL, "name", "talk.see", "talk.seen"),
        ({"type": "ref/resource", "uri": "toolbooth://server/{name}"}, "name", "go", "gone"),
        ({"type": "ref/resource", "uri": "toolbooth://recent/{n}"}, "n", "5", "5"),
        (FIND, "task", "see", "seen"),
    ],
)
async def test_values_are_offered_for_each_variable(
    view: View, caller: MakeCaller, ref: dict[str, str], name: str, typed: str, first: str, modern: bool
) -> None:
    await view.gateway.ready(caller().session)
    got = await complete(view, caller(modern=modern), ref, name=name, value=typed)
    assert got["completion"]["values"][0] == first
    assert got["completion"]["hasMore"] is False
    assert ("resultType" in got) is modern


@pytest.mark.parametrize(
    ("ref", "argument", "words"),
    [
        (TOOL, {"name": "colour", "value": ""}, "the argument is one of: name"),
        (TOOL, {"name": "name"}, "the argument is one of: name"),
        ({"type": "ref/prompt", "name": "discover"}, {"name": "x", "value": ""}, "one of: none"),
        (
            {"type": "ref/resource", "uri": "toolbooth://stats"},
            {"name": "x", "value": ""},
            "can be completed",
        ),
    ],
)
async def test_what_has_no_such_variable_is_refused(
    view: View, caller: MakeCaller, ref: Any, argument: Any, words: str
) -> None:
    with pytest.raises(Refusal, match=words) as refused:
        await complete(view, caller(), ref, **argument)
    assert refused.value.code == -32602
