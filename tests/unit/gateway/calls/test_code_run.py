"""What the caller of code sees, in old and new protocol versions, and what becomes of questions during it."""

from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.unit.gateway.calls.test_builtin_call import call_builtin, text_of
from tests.unit.gateway.conftest import MakeCaller
from tests.unit.gateway.in_memory_channel import EVERYTHING, InMemoryChannel

from toolbooth.errors import CodeFailed
from toolbooth.gateway.calls.code_run import fault_text, shown
from toolbooth.gateway.session import Caller
from toolbooth.gateway.surfaces.view import View
from toolbooth.limits import CODE_EACH
from toolbooth.sandbox import CodeResult

pytestmark = pytest.mark.anyio


def channel_of(caller: Caller) -> InMemoryChannel:
    assert isinstance(caller.channel, InMemoryChannel)
    return caller.channel


def test_prints_come_before_the_value_and_text_is_shown_as_it_is() -> None:
    assert [each["text"] for each in shown(CodeResult("said", "a\nb\n")).value["content"]] == ["a\nb", "said"]
    assert [each["text"] for each in shown(CodeResult({"ü": [1, None]}, "")).value["content"]] == [
        '{"ü":[1,null]}'
    ]
    assert [each["text"] for each in shown(CodeResult(None, "only this\n")).value["content"]] == ["only this"]
    assert "no value" in shown(CodeResult(None, " \n")).value["content"][0]["text"]


def test_a_fault_shows_what_was_printed_and_called_before() -> None:
    fault = CodeFailed("line 2: KeyError: a")
    assert fault_text(fault, Counter(), {}) == "line 2: KeyError: a"
    fault.printed = "one\n"
    assert fault_text(fault, Counter({"a.b": 2, "c.d\x1b[0m": 1}), {"a.b": "{rows:[{id}]}", "c.d": ""}) == (
        "line 2: KeyError: a\na.b gave {rows:[{id}]}\nprinted before:\none\ncalls made before: a.b ×2, c.d"
    )
    assert "gave" not in fault_text(CodeFailed("RuntimeError: no"), Counter({"a.b": 1}), {"a.b": "{rows}"})


@pytest.mark.parametrize("modern", [False, True])
async def test_code_is_answered_in_the_callers_protocol_version(
    view: View, caller: MakeCaller, modern: bool
) -> None:
    result = await call_builtin(view, caller(modern=modern), "call_tool_chain", code="1 + 1")
    assert text_of(result) == "2"
    assert result.get("resultType") == ("complete" if modern else None)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "needs `code`"),
        ({"code": "  "}, "needs `code`"),
        ({"code": 5}, "needs `code`"),
        ({"code": "1", "reduce": "perhaps"}, "`reduce`"),
        ({"code": "await talk.nothing_like_it()"}, "there is no tool talk.nothing_like_it"),
        ({"code": "await gone.anything()"}, "Nothing was run"),
    ],
)
async def test_what_cannot_be_run_is_answered_with_what_is_wrong(
    view: View, caller: MakeCaller, given: dict[str, Any], words: str
) -> None:
    result = await call_builtin(view, caller(), "call_tool_chain", **given)
    assert result["isError"] is True
    assert words in text_of(result)


async def test_a_call_may_stand_in_place_of_the_code(view: View, caller: MakeCaller) -> None:
    as_object = await call_builtin(view, caller(), "call_tool_chain", code={"tool": "talk.client_facts"})
    beside = await call_builtin(view, caller(), "call_tool_chain", tool="talk.client_facts", arguments={})
    assert not as_object.get("isError"), as_object
    assert as_object == beside


async def test_a_question_of_a_server_reaches_an_old_client(view: View, caller: MakeCaller) -> None:
    asking = caller(**EVERYTHING)
    channel = channel_of(asking)
    channel.answers["elicitation/create"] = {"action": "accept", "content": {"word": "Ada"}}
    result = await call_builtin(
        view, asking, "call_tool_chain", code="x = await talk.ask(kind='elicitation')\nx"
    )
    assert not result.get("isError"), result
    assert "elicitation/create" in [method for method, _ in channel.asked]


async def test_a_question_that_cannot_be_asked_ends_the_call_with_words(
    view: View, caller: MakeCaller
) -> None:
    result = await call_builtin(
        view,
        caller(modern=True, **EVERYTHING),
        "call_tool_chain",
        code="x = await talk.ask(kind='elicitation')\nx",
    )
    assert result["isError"] is True
    assert "asks its user something" in text_of(result)


async def test_progress_is_sent_for_each_call_that_is_done(view: View, caller: MakeCaller) -> None:
    asking = caller()
    asking.progress_token = "p1"
    code = "for _ in range(3):\n    await talk.client_facts()"
    await call_builtin(view, asking, "call_tool_chain", code=code)
    reported = [
        params or {} for method, params in channel_of(asking).sent if method == "notifications/progress"
    ]
    assert [each["progress"] for each in reported] == [1, 2, 3]
    assert {each["progressToken"] for each in reported} == {"p1"}


@pytest.mark.promise("code:call-bounds")
async def test_a_timeout_of_the_call_ends_the_code(view: View, caller: MakeCaller) -> None:
    result = await call_builtin(view, caller(), "call_tool_chain", code="while True:\n    pass", timeout=0.5)
    assert result["isError"] is True
    assert "took longer than 0.5 s" in text_of(result)


@pytest.mark.promise("code:call-bounds")
async def test_a_timeout_of_the_call_bounds_the_wait_for_a_worker(
    view: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.CODE_WAIT", 2.0)
    busy = caller()
    async with AsyncExitStack() as held:
        for _ in range(CODE_EACH):
            await held.enter_async_context(view.gateway.code.turn(busy.session.id, 0))
        for given, waited in (({"timeout": 0.25}, "0.25"), ({"timeout": 60}, "2"), ({}, "2")):
            result = await call_builtin(view, busy, "call_tool_chain", code="1 + 1", **given)
            assert result["isError"] is True
            assert f"no worker was free for this code within {waited} s" in text_of(result)


@pytest.mark.promise("code:call-bounds")
async def test_a_timeout_of_the_call_ends_a_single_call(view: View, caller: MakeCaller) -> None:
    result = await call_builtin(view, caller(), "call_tool_chain", code="await talk.wait()", timeout="0.2")
    assert result["isError"] is True
    assert "took longer than 0.2 s" in text_of(result)


@pytest.mark.promise("code:call-bounds")
async def test_what_the_call_asks_for_beyond_the_config_is_lowered_and_said(
    view: View, caller: MakeCaller
) -> None:
    result = await call_builtin(view, caller(), "call_tool_chain", code="1 + 1", timeout=30_000)
    most = view.gateway.settings.code_timeout
    assert [each["text"] for each in result["content"]] == [
        "2",
        f"note: timeout 30000 s was lowered to {most:g} s, the most that is allowed",
    ]


@pytest.mark.promise("code:call-bounds")
@pytest.mark.parametrize("more", [{}, {"reduce": False}])
async def test_the_size_that_a_call_asks_for_bounds_its_answer(
    view: View, caller: MakeCaller, more: dict[str, Any]
) -> None:
    code = "' '.join(str(n) for n in range(400))"
    usual = await call_builtin(view, caller(), "call_tool_chain", code=code, **more)
    short = await call_builtin(view, caller(), "call_tool_chain", code=code, max_output_size=600, **more)
    assert len(text_of(usual)) > 1_000
    assert len(text_of(short)) <= 600
    least = await call_builtin(view, caller(), "call_tool_chain", code=code, max_output_size=3, **more)
    assert "max_output_size 3 was changed to 500, the least" in least["content"][-1]["text"]
    most = await call_builtin(view, caller(), "call_tool_chain", code=code, max_output_size=10**9, **more)
    assert ", the most that is allowed" in most["content"][-1]["text"]


@pytest.mark.parametrize(
    "given", [{"timeout": 0}, {"timeout": "soon"}, {"max_output_size": -1}, {"tool": "a.b"}]
)
async def test_a_bound_that_cannot_be_is_refused(
    view: View, caller: MakeCaller, given: dict[str, Any]
) -> None:
    result = await call_builtin(view, caller(), "call_tool_chain", code="1", **given)
    assert result["isError"] is True
