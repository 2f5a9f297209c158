"""Calls through both paths: added steps, authorization, and calls that fail in the gateway itself."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from tests.unit.gateway.calls.http_call import post
from tests.unit.gateway.calls.stdio_client import StdioClient, stdio_client
from tests.unit.gateway.calls.test_code_run import channel_of
from tests.unit.gateway.calls.test_off_the_loop import read_here
from tests.unit.gateway.conftest import MakeCaller

from toolbooth import limits
from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import Tool
from toolbooth.catalog.connect import MEASURING_IDENTITY
from toolbooth.errors import BackendRefused
from toolbooth.gateway.calls import client_tasks
from toolbooth.gateway.calls.code_host import CodeHost
from toolbooth.gateway.calls.context import CallContext, CallStep
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.handlers import run_call, start_call
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.session import INTERNAL_ERROR, INVALID_PARAMS, Refusal
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.http_api import api_routes
from toolbooth.gateway.worker_process import WorkerLate

pytestmark = pytest.mark.anyio
SHORT, LONG = 2, 40_000  # lines
TOOL = "talk.sample"
PATHS = ["call_tool", "pinned", "code", "one call as code", "script", "api", "report", "new client"]


class Counts(CallStep):
    """Counts calls and results, and refuses where it is told to."""

    def __init__(self, refusal: Callable[[], ToolResult | None] = lambda: None) -> None:
        self.called: list[str] = []
        self.answered: list[str] = []
        self.ends: list[str] = []
        self.refusal = refusal

    def before(self, call: CallContext) -> ToolResult | None:
        self.called.append(f"{call.principal.id} {call.tool.id} {call.arguments.get('times')}")
        return self.refusal()

    def after(self, call: CallContext, result: ToolResult) -> ToolResult:
        self.answered.append(call.tool.id)
        assert call.tool.id != TOOL or result.texts()[0].startswith("a line of text")
        return ToolResult({"content": [{"type": "text", "text": "changed"}]})

    def ended(self, call: CallContext) -> None:
        assert call.record.closed
        self.ends.append(f"{call.record.server}.{call.record.tool} {call.record.outcome}".strip())


class Answers(Counts):
    """Answers in place of the server, and changes no result."""

    def after(self, call: CallContext, result: ToolResult) -> ToolResult:
        self.answered.append(call.tool.id)
        return result


class Waits(Counts):
    """Must ask elsewhere before each call."""

    waits = True
    prepared = 0

    async def prepare(self, call: CallContext) -> None:
        await anyio.lowlevel.checkpoint()
        assert not self.called or call.tool.id != self.called[-1]
        self.prepared += 1


class Only:
    """Whoever asks may use only these tools."""

    def __init__(self, *allowed: str) -> None:
        self.allowed = allowed

    def may(self, principal: Principal, tool: Tool) -> bool:
        assert principal is LOCAL_USER
        return tool.id in self.allowed


@contextmanager
def added(gateway: Gateway, step: CallStep) -> Iterator[None]:
    gateway.steps.append(step)
    try:
        yield
    finally:
        gateway.steps.remove(step)


@contextmanager
def script_of(gateway: Gateway, lines: int) -> Iterator[None]:
    """A script in the folder that the runtime follows: it would take one from elsewhere away again."""
    folder = gateway.scripts._folder
    assert folder is not None
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "again.py"
    script.write_text(f'"""Call it."""\n(await talk.sample(times={lines}))\n', encoding="utf-8")
    gateway.scripts.look(folder)
    gateway.look_at_scripts()
    try:
        yield
    finally:
        script.unlink()
        gateway.scripts.look(folder)
        gateway.look_at_scripts()


async def call_by(view: View, path: str, tool: str, lines: int) -> str:
    """What a call on this path is answered, as text."""
    given = {"times": lines}
    if path == "api":
        answer = await post(Starlette(routes=api_routes(view)), {"name": tool, "arguments": given})
        return str(answer["content"][0]["text"] if "content" in answer else answer)
    shown = View(view.gateway, "direct") if path == "pinned" else view
    with script_of(view.gateway, lines):
        async with stdio_client(shown, modern=path == "new client") as client:
            return await ask(client, path, tool, given)


async def ask(client: StdioClient, path: str, tool: str, given: dict[str, Any]) -> str:
    if path == "pinned":
        answer = await client.call(tool.replace(".", "__"), given)
    elif path == "code":
        code = f'(await tools["{tool}"](times={given["times"]})) + ""'
        answer = await client.call("call_tool_chain", {"code": code})
    elif path == "one call as code":
        answer = await client.call("call_tool_chain", {"tool": tool, "arguments": given})
    elif path == "script":
        answer = await client.call("call_tool", {"name": "scripts.again", "arguments": {}})
    else:
        meta = {"toolbooth/calls": True} if path == "report" else {}
        answer = await client.call("call_tool", {"name": tool, "arguments": given}, _meta=meta)
    if "result" not in answer:
        return str(answer["error"]["message"])
    assert answer["result"].get("resultType") == ("complete" if path == "new client" else None)
    return str(answer["result"]["content"][0]["text"])


@pytest.fixture
async def ready(view: View, caller: MakeCaller) -> View:
    """Both servers are up, so that the fast path can take a call."""
    for server in ("talk", "talk__new"):
        await view.gateway.learn(server, caller().session)
    return view


@pytest.mark.promise("gateway:one-pipeline")
@pytest.mark.parametrize("lines", [SHORT, LONG])
@pytest.mark.parametrize("path", PATHS)
async def test_an_added_step_sees_every_call_and_every_result_once(
    ready: View, path: str, lines: int
) -> None:
    await call_by(ready, path, TOOL, 1)  # the connection of this client is up now
    step = Counts()
    with added(ready.gateway, step):
        assert await call_by(ready, path, TOOL, lines) == "changed"
    seen = [each for each in step.called if "scripts." not in each]
    assert seen == [f"local {TOOL} {lines}"]
    assert step.ends.count(TOOL) == 1
    assert len(step.ends) == (2 if "code" in path or path == "script" else 1)
    assert step.answered == ([TOOL, "scripts.again"] if path == "script" else [TOOL])


@pytest.mark.promise("gateway:one-pipeline")
@pytest.mark.parametrize("path", PATHS)
async def test_an_added_step_refuses_on_every_path_and_nothing_is_sent(ready: View, path: str) -> None:
    def refuse() -> ToolResult:
        return ToolResult.said("the quota is used up", error=True)

    def end() -> ToolResult:
        raise BackendRefused("is closed today", "talk")

    for refusal, words, answers in ((refuse, "the quota is used up", 1), (end, "is closed today", 0)):
        step = Answers(refusal)
        with added(ready.gateway, step):
            assert words in await call_by(ready, path, TOOL, SHORT)
        assert (len(step.called), len(step.answered)) == (1, answers)


class Withholds(CallStep):
    """Refuses when the answer is there."""

    def after(self, call: CallContext, result: ToolResult) -> ToolResult:  # noqa: ARG002
        raise Refusal(INVALID_PARAMS, f"the answer of {call.tool.id} is withheld")


@pytest.mark.promise("gateway:one-pipeline")
@pytest.mark.parametrize("lines", [SHORT, LONG])
@pytest.mark.parametrize("path", PATHS)
async def test_a_step_that_refuses_an_answer_is_heard_in_its_words_on_every_path(
    ready: View, path: str, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    await call_by(ready, path, TOOL, 1)  # the connection of this client is up now
    with added(ready.gateway, Withholds()):
        said = await call_by(ready, path, TOOL, lines)
    assert "is withheld" in said
    assert "bug" not in said
    assert not any("a call failed" in record.getMessage() for record in caplog.records)


@pytest.mark.promise("gateway:one-pipeline")
@pytest.mark.parametrize("path", ["call_tool", "report", "new client"])
async def test_a_long_answer_of_a_step_is_reduced_like_a_servers_and_not_on_the_loop(
    ready: View, path: str
) -> None:
    step = Answers(lambda: ToolResult.said("a line of text\n" * 60_000))
    with added(ready.gateway, step), read_here() as found:
        text = await call_by(ready, path, TOOL, SHORT)
    assert found == Counter()
    assert text.startswith("a line of text\n")
    assert len(text) < limits.SHOWN_ANSWER * 2
    assert step.answered == [TOOL]


@pytest.mark.promise("gateway:one-pipeline")
@pytest.mark.parametrize("path", PATHS)
async def test_a_step_that_waits_is_prepared_before_every_call(ready: View, path: str) -> None:
    step = Waits()
    with added(ready.gateway, step):
        assert await call_by(ready, path, TOOL, SHORT) == "changed"
    assert step.prepared == len(step.called) == (2 if path == "script" else 1)


@pytest.mark.promise("gateway:one-pipeline")
async def test_a_call_that_the_fast_path_hands_over_takes_no_step_twice(
    view: View, ready: View, caller: MakeCaller
) -> None:
    """A question of a stateless server comes in the middle of the fast path."""
    someone = caller(elicitation={})
    channel_of(someone).answers["elicitation/create"] = {"action": "accept", "content": {}}
    params = {
        "name": "call_tool",
        "arguments": {"name": "talk__new.ask", "arguments": {"kind": "elicitation"}},
    }
    handed: list[Any] = []
    step = Counts()
    await ready.gateway.upstreams["talk__new"].connection_for(someone.session, someone.client_identity)
    arrived = anyio.Event()

    def slowly(work: Any) -> Any:
        handed.append(work)
        arrived.set()
        return print

    with added(view.gateway, step):
        call = CallContext.of_request(view, someone, params)
        assert start_call(call, handed.append, slowly) is not None
        await arrived.wait()
        result = await handed[0]()
    assert (step.called, step.answered) == (["local talk__new.ask None"], ["talk__new.ask"])
    assert (result.texts(), channel_of(someone).asked[0][0]) == (["changed"], "elicitation/create")


@pytest.mark.promise("access:calls")
@pytest.mark.parametrize("path", PATHS)
async def test_a_tool_that_a_principal_may_not_use_does_not_exist_for_it(
    ready: View, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = Only("talk.echo", "talk__new.sample", "scripts.again")
    monkeypatch.setattr(ready.gateway, "authorizer", allowed)
    hidden = await call_by(ready, path, TOOL, SHORT)
    assert TOOL not in hidden.partition("Nearest")[2]
    if path != "script":  # it calls the tool by its real name
        unknown = await call_by(ready, path, "talk.samplf", SHORT)
        assert hidden.replace("sample", "samplf") == unknown.replace("sample", "samplf")
    assert "a line of text" not in hidden
    assert "a line of text" in await call_by(ready, "call_tool", "talk__new.sample", SHORT)


@pytest.mark.promise("access:calls")
async def test_of_two_tools_of_a_name_the_one_that_may_be_used_is_meant(
    ready: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Several tools" in await call_by(ready, "call_tool", "sample", SHORT)
    monkeypatch.setattr(ready.gateway, "authorizer", Only("talk__new.sample"))
    assert "a line of text" in await call_by(ready, "call_tool", "sample", SHORT)


@pytest.mark.promise("access:calls")
async def test_code_neither_finds_nor_sees_what_may_not_be_used(
    ready: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready.gateway, "authorizer", Only("talk__new.sample"))
    code = "[hit['name'] for hit in await search_tools('sample progress echo', limit=20)]"
    async with stdio_client(ready) as client:
        answer = await client.call("call_tool_chain", {"code": code})
    assert json.loads(answer["result"]["content"][0]["text"]) == ["talk__new.sample"]


# -- faults of our own -------------------------------------------------------------------------------------
async def heard(call: CallContext) -> Any:
    """The fast path, as a client on stdio takes it."""
    ended = anyio.Event()
    answers: list[Any] = []

    def finish(result: Any) -> None:
        answers.append(result)
        ended.set()

    def slowly(_work: object) -> Any:
        raise AssertionError("nothing was asked")

    assert start_call(call, finish, slowly) is not None
    await ended.wait()
    return answers[0]


def call_of(view: View, caller: MakeCaller, lines: int) -> CallContext:
    given = {"name": TOOL, "arguments": {"times": lines}}
    return CallContext.of_request(view, caller(nothing={}), {"name": "call_tool", "arguments": given})


@pytest.fixture
async def plain(ready: View, caller: MakeCaller) -> View:
    """The connection of clients without capabilities is up."""
    someone = caller(nothing={})
    await ready.gateway.upstreams["talk"].connection_for(someone.session, someone.client_identity)
    return ready


async def test_a_row_that_cannot_be_written_keeps_no_answer_back(
    plain: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_row: object) -> None:
        raise MemoryError

    monkeypatch.setattr(plain.gateway.ledger, "record", break_down)
    with anyio.fail_after(240):
        assert "a line of text" in str((await heard(call_of(plain, caller, SHORT))).value)


class FailsAtTheEnd(Counts):
    """Its telemetry is broken."""

    def after(self, call: CallContext, result: ToolResult) -> ToolResult:  # noqa: ARG002
        return result

    def ended(self, call: CallContext) -> None:  # noqa: ARG002
        raise KeyError("canary")


@pytest.mark.parametrize("path", PATHS)
async def test_a_step_that_fails_at_the_end_costs_neither_the_answer_nor_other_steps(
    ready: View, path: str
) -> None:
    broken, step = FailsAtTheEnd(), Counts()
    with added(ready.gateway, broken), added(ready.gateway, step):
        assert await call_by(ready, path, TOOL, SHORT) == "changed"
    assert step.ends.count(TOOL) == 1


async def test_a_call_in_code_that_is_cancelled_while_its_answer_is_prepared_has_a_row(
    ready: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cancelled(*_given: object) -> None:
        raise anyio.get_cancelled_exc_class()

    step, tool = Counts(), ready.gateway.registry.find(TOOL)
    assert isinstance(tool, Tool)
    host = CodeHost(CallContext.of_request(ready, caller(), {}))
    monkeypatch.setattr("toolbooth.gateway.calls.code_host.offload", cancelled)
    with added(ready.gateway, step), pytest.raises(anyio.get_cancelled_exc_class()):
        await host.call(tool, {"times": SHORT})
    assert step.ends == [f"{TOOL} cancelled"]


@pytest.mark.parametrize("lines", [SHORT, LONG], ids=["on the loop", "in a thread"])
@pytest.mark.parametrize("fault", [RecursionError, MemoryError, KeyError])
async def test_a_fault_of_our_own_is_an_answer_and_not_silence(
    plain: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, lines: int, fault: type[Exception]
) -> None:
    def break_down(*_given: object) -> None:
        raise fault

    monkeypatch.setattr("toolbooth.gateway.calls.reduce_step.reduced", break_down)
    call = call_of(plain, caller, lines)
    with anyio.fail_after(240):
        refusal = await heard(call)
    assert (refusal.code, fault.__name__ in refusal.message) == (INTERNAL_ERROR, True)
    assert (call.record.closed, call.record.outcome) == (True, "refused")


@pytest.mark.parametrize("path", ["call_tool", "report", "new client", "api"])
async def test_an_answer_that_cannot_be_cut_in_time_fails_alone_and_says_what_to_do(
    ready: View, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_given: object) -> None:
        raise WorkerLate

    with monkeypatch.context() as hanging:
        hanging.setattr("toolbooth.gateway.calls.reduce_step.in_worker", late)
        assert "call it with reduce: false" in await call_by(ready, path, TOOL, LONG)
    assert "a line of text" in await call_by(ready, path, TOOL, LONG)


async def test_a_pinned_tool_that_may_not_be_used_is_refused_like_any_unknown_name(
    ready: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready.gateway, "authorizer", Only())
    direct = View(ready.gateway, "direct").seen_by(LOCAL_USER)
    with pytest.raises(Refusal, match=r'There is no tool "talk__sample"\.$') as refused:
        await run_call(CallContext.of_request(direct, caller(), {"name": "talk__sample", "arguments": {}}))
    assert refused.value.code == INVALID_PARAMS


@pytest.mark.parametrize(
    ("support", "words"), [("forbidden", "does not run"), ("optional", "too many tasks")]
)
async def test_a_refused_task_has_its_row_and_its_end(
    ready: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, support: str, words: str
) -> None:
    ledger, step = Ledger(None), Counts()
    monkeypatch.setattr(ready.gateway, "ledger", ledger)
    monkeypatch.setattr(limits, "MAX_CLIENT_TASKS", 0)
    monkeypatch.setattr(client_tasks, "task_support", lambda _tool: support)
    params = {"name": "talk__sample", "arguments": {"times": 1}, "task": {}}
    with added(ready.gateway, step), pytest.raises(Refusal, match=words):
        await run_call(CallContext.of_request(View(ready.gateway, "direct"), caller(), params))
    (row,) = ledger.recent(10)
    ledger.close()
    assert (row.server, row.tool, row.outcome) == ("talk", "sample", "refused")
    assert (step.called, step.ends) == ([], ["talk.sample refused"])


async def test_only_the_local_user_measures_without_a_row(
    ready: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a client only measures is its own word: whoever has a key cannot hide a call with it."""
    params = {"name": "call_tool", "arguments": {"name": "talk.sample", "arguments": {"times": 1}}}
    ledger = Ledger(None)
    monkeypatch.setattr(ready.gateway, "ledger", ledger)
    used = Counter(ready.gateway.registry.usage)
    for principal in (LOCAL_USER, Principal("key-1")):
        asking = caller()
        asking.client_identity = MEASURING_IDENTITY
        asking.session.principal = principal
        await run_call(CallContext.of_request(ready, asking, params))
    assert ready.gateway.registry.usage == used  # nor does it rank the searches of the user's agents
    (row,) = ledger.recent(10)
    ledger.close()
    assert (row.principal, row.kind, row.tool) == ("key-1", "measured", "sample")


@pytest.mark.promise("gateway:client-tasks")
async def test_the_result_of_a_clients_task_is_whole_because_another_session_may_fetch_it(
    ready: View, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_tasks, "task_support", lambda _tool: "optional")
    direct, mine = View(ready.gateway, "direct"), caller()
    params = {"name": "talk__sample", "arguments": {"times": LONG}}
    cut = await run_call(CallContext.of_request(direct, mine, params))
    created = await run_call(CallContext.of_request(direct, mine, {**params, "task": {}}))
    task = ready.gateway.client_tasks.find(mine, created.value["task"]["taskId"])
    whole = (await task.result_for(mine)).texts()[0]
    assert whole.count("a line of text") == LONG
    assert len(cut.texts()[0]) < len(whole) / 10
