"""Code runs in a worker process: it calls tools, its mistakes are seen before, and nothing of it is left behind."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.unit.sandbox.sample_tools import STR, Shop, tool

from toolbooth.catalog import Tool
from toolbooth.errors import CodeFailed, CodeMistake, CodeStopped
from toolbooth.sandbox import CodeScope, HostFunctionStub, Sandbox
from toolbooth.sandbox.workers import Workers

pytestmark = pytest.mark.anyio


@pytest.fixture
def shop() -> Shop:
    return Shop()


async def value(sandbox: Sandbox, shop: Shop, code: str) -> Any:
    return (await sandbox.run(code, shop.scope)).value


async def refused(sandbox: Sandbox, shop: Shop, code: str) -> list[str]:
    """The lines of what is said of a mistake; nothing may have been called."""
    with pytest.raises(CodeMistake) as caught:
        await sandbox.run(code, shop.scope)
    assert shop.calls == []
    return str(caught.value).splitlines()


async def test_a_tool_is_called_by_name(sandbox: Sandbox, shop: Shop) -> None:
    assert await value(sandbox, shop, "await shop.get(key='a')") == {"tool": "shop.get", "key": "a"}


@pytest.mark.parametrize(
    "code",
    [
        "await my_server.get_x(key='a')",
        "await tools['my-server.get-x'](key='a')",
        "await tools['my_server.get_x'](key='a')",
        "name = 'my-server' + '.get-x'\nawait tools[name](key='a')",
        "[await tools[name](key='a') for name in tools if name.endswith('-x')][0]",
        "import my_server\nawait my_server.get_x(key='a')",
        "from my_server import get_x\nawait get_x(key='a')",
    ],
)
async def test_names_that_are_no_identifiers_are_reached_in_several_ways(
    sandbox: Sandbox, shop: Shop, code: str
) -> None:
    assert await value(sandbox, shop, code) == {"tool": "my-server.get-x", "key": "a"}


async def test_gathered_calls_are_made_side_by_side(sandbox: Sandbox) -> None:
    here, everybody = [0], anyio.Event()

    async def call(_: Tool, arguments: dict[str, Any]) -> Any:
        here[0] += 1
        if here[0] == 3:
            everybody.set()
        await everybody.wait()  # a call that waits for another to end waits for ever
        return arguments["key"]

    code = "await asyncio.gather(*[shop.get(key=key) for key in 'abc'])"
    code_result = await sandbox.run(code, CodeScope(Shop().scope.names, call))
    assert code_result.value == ["a", "b", "c"]


async def test_an_error_of_a_tool_can_be_caught(sandbox: Sandbox, shop: Shop) -> None:
    code = "try:\n    await shop.fail()\nexcept RuntimeError as error:\n    said = str(error)\nsaid"
    assert await value(sandbox, shop, code) == "the shop is closed"


async def test_an_error_that_is_not_caught_is_said_with_its_line(sandbox: Sandbox, shop: Shop) -> None:
    with pytest.raises(CodeFailed) as caught:
        await sandbox.run("print('before')\nawait shop.fail()", shop.scope)
    assert str(caught.value) == "line 2: RuntimeError: the shop is closed\n    await shop.fail()"
    assert caught.value.printed == "before\n"


async def test_the_last_expression_is_the_value_and_prints_are_kept(sandbox: Sandbox, shop: Shop) -> None:
    code_result = await sandbox.run("print('a', 1)\nprint('b', end='')\n2 + 3", shop.scope)
    assert code_result == (5, "a 1\nb")


async def test_code_that_ends_with_no_expression_has_no_value(sandbox: Sandbox, shop: Shop) -> None:
    assert await value(sandbox, shop, "x = 1") is None


async def test_a_forgotten_import_is_made_up_for(sandbox: Sandbox, shop: Shop) -> None:
    assert await value(sandbox, shop, "json.loads('[1]') + [math.floor(2.5)]") == [1, 2]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "x = 1\nawait shop.gett(key='a')",
            ["line 2: there is no tool shop.gett", "await shop.gett(key='a')", "shop.get(key*)"],
        ),
        (
            "await shop.sort(by='a')",
            [
                "line 1: Argument `by` does not match any known parameter",
                "await shop.sort(by='a')",
                "shop.sort(order:asc|desc, limit:int)",
            ],
        ),
        ("await shop.get()", ["line 1: missing argument `key`", "await shop.get()", "shop.get(key*)"]),
        (
            "x = 2\nawait shop.get(key=x)",
            [
                "line 2: wrong argument: expected `str`, found `Literal[2]`",
                "await shop.get(key=x)",
                "shop.get(key*)",
            ],
        ),
        (
            "await shop.sort(order='up')",
            [
                'line 1: wrong argument: expected `Literal["asc", "desc"]`, found `Literal["up"]`',
                "await shop.sort(order='up')",
                "shop.sort(order:asc|desc, limit:int)",
            ],
        ),
        (
            "await tools['my-server.get-x']()",
            [
                "line 1: missing argument `key`",
                "await tools['my-server.get-x']()",
                "my_server.get_x(key*)",
            ],
        ),
    ],
)
async def test_a_mistake_is_seen_before_anything_is_called(
    sandbox: Sandbox, shop: Shop, code: str, said: list[str]
) -> None:
    assert [line.strip() for line in await refused(sandbox, shop, code)] == said


async def test_a_mistake_after_a_right_call_is_seen_before_that_call(sandbox: Sandbox, shop: Shop) -> None:
    await refused(sandbox, shop, "await shop.get(key='a')\nawait shop.get(kee='a')")


async def test_a_choice_by_a_text_that_no_tool_has_is_a_mistake(sandbox: Sandbox, shop: Shop) -> None:
    said = await refused(sandbox, shop, "await tools['my-server.get-y'](key='a')")
    assert said[0] == 'line 1: there is no tool "my-server.get-y"'
    assert said[2].strip() == "my_server.get_x(key*)"


@pytest.mark.parametrize(
    "code",
    [
        "shop.get(key='a')",
        "shop.get(key='a')\n1",
        "tools['shop.get'](key='a')",
        "if True:\n    shop.get(key='a')",
        "async def main():\n    shop.get(key='a')\nawait main()",
    ],
)
async def test_a_call_without_await_is_a_mistake_and_not_made(
    sandbox: Sandbox, shop: Shop, code: str
) -> None:
    said = await refused(sandbox, shop, code)
    assert "has to be awaited" in said[0]
    assert said[2].strip().endswith("(key*)")


async def test_a_result_that_is_used_without_await_is_a_mistake(sandbox: Sandbox, shop: Shop) -> None:
    said = await refused(sandbox, shop, "x = shop.get(key='a')\nx['rows']")
    assert said == [
        "line 2: the result of a tool has to be awaited first: `await server.tool(…)`",
        "    x['rows']",
    ]


async def test_calls_that_are_gathered_line_by_line_are_no_forgotten_await(
    sandbox: Sandbox, shop: Shop
) -> None:
    code = "import asyncio\nawait asyncio.gather(\n    shop.get(key='a'),\n    shop.get(key='b'),\n)"
    assert len(await value(sandbox, shop, code)) == 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import numpy", "line 1: there is no module numpy here"),
        ("x = 1\ny", "line 2: the name y is not defined here"),
        ("x = '\x0c\u2028'\nshop.nothing", "line 2: there is no tool shop.nothing"),
        ("(1", "line 1: "),
        (" ", "there is no code"),
        ("def f():\n    yield 1\nf()", "line 2: the sandbox's Python has no yield"),
    ],
)
async def test_what_is_no_code_for_here_is_said_with_its_line(
    sandbox: Sandbox, shop: Shop, code: str, said: str
) -> None:
    assert (await refused(sandbox, shop, code))[0].startswith(said)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = {}\nx['rows']", "line 2: KeyError: rows\n    x['rows']"),
        (
            "def f():\n    return 1 / 0\n\nf()",
            "line 2: ZeroDivisionError: division by zero\n    return 1 / 0",
        ),
        ("x = 1\ny = 2\neval('1/0')", "line 3: ZeroDivisionError: division by zero\n    eval('1/0')"),
        ("raise ValueError(3)", 'an exception takes one text here: write `raise ValueError("…")`'),
    ],
)
async def test_an_exception_is_said_with_the_line_of_the_code_itself(
    sandbox: Sandbox, shop: Shop, code: str, said: str
) -> None:
    with pytest.raises(CodeFailed) as caught:
        await sandbox.run(code, shop.scope)
    assert str(caught.value) == said


async def test_a_server_called_as_a_module_is_stands_beside_it(sandbox: Sandbox, shop: Shop) -> None:
    code = "import time as clock\n[await time.now(zone='utc'), clock.time() > 0]"
    assert await value(sandbox, shop, code) == [{"tool": "time.now", "zone": "utc"}, True]
    assert await value(sandbox, shop, "import time\ntime.time() > 0") is True


@pytest.mark.parametrize(
    "servers", [("json", "json_server"), ("warm_up", "time"), ("toolbooth_own", "toolbooth_own_server")]
)
async def test_servers_with_names_that_modules_have_are_not_mixed_up(
    sandbox: Sandbox, servers: tuple[str, str]
) -> None:
    shop = Shop(*(tool(server, "get", "key", key=STR) for server in servers))
    code = ", ".join(f"(await {server}.get(key='a'))['tool']" for server in servers)
    chosen = ", ".join(f"(await tools['{server}.get'](key='a'))['tool']" for server in servers)
    ids = [f"{server}.get" for server in servers]
    assert await value(sandbox, shop, f"[{code}, {chosen}]") == ids * 2


async def test_a_choice_that_a_loop_makes_is_not_refused(sandbox: Sandbox, shop: Shop) -> None:
    code = "[(await shop.sort(order=order))['order'] for order in ['asc', 'desc']]"
    assert await value(sandbox, shop, code) == ["asc", "desc"]


async def test_arguments_that_are_unpacked_are_not_refused(sandbox: Sandbox, shop: Shop) -> None:
    code = "given = {'order': 'asc', 'limit': 3}\nawait shop.sort(**given)"
    assert await value(sandbox, shop, code) == {"tool": "shop.sort", "order": "asc", "limit": 3}


async def test_arguments_without_names_are_refused_also_where_a_checker_cannot_see_them(
    sandbox: Sandbox, shop: Shop
) -> None:
    with pytest.raises(CodeFailed, match=r"TypeError: shop\.get takes its arguments by name"):
        await sandbox.run("name = 'shop' + '.get'\nawait tools[name]('a')", shop.scope)
    assert shop.calls == []


async def test_functions_of_ours_are_there(sandbox: Sandbox, shop: Shop) -> None:
    async def search_tools(query: str) -> list[str]:
        return [query.upper()]

    own = HostFunctionStub("async def search_tools(query: str) -> Any: ...", search_tools)
    scope = CodeScope(shop.scope.names, shop.call, {"search_tools": own})
    assert (await sandbox.run("await search_tools('files')", scope)).value == ["FILES"]


async def test_two_runs_share_nothing(sandbox: Sandbox, shop: Shop) -> None:
    await sandbox.run("import json\nsecret = 1\njson_too = json", shop.scope)
    for name in ("secret", "json_too"):
        assert (await refused(sandbox, shop, name))[0] == f"line 1: the name {name} is not defined here"
    assert await value(sandbox, shop, "[name for name in locals() if name[0] != '_']") == []


async def test_runs_at_the_same_time_do_not_meet(sandbox: Sandbox) -> None:
    shops = [Shop() for _ in range(4)]
    found: dict[int, Any] = {}

    async def run(at: int) -> None:
        found[at] = await value(sandbox, shops[at], f"x = {at}\n(await shop.take(value=x))['value'] + x")

    async with anyio.create_task_group() as group:
        for at in range(4):
            group.start_soon(run, at)
    assert found == {at: 2 * at for at in range(4)}
    assert all(each.calls == ["shop.take"] for each in shops)


@pytest.mark.parametrize(
    "code",
    [
        "for n in range(100):\n    await shop.get(key='a')",
        "await asyncio.gather(*[shop.get(key='a') for _ in range(100)])",
        "for n in range(100):\n    try:\n        await shop.get(key='a')\n    except BaseException:\n        pass",
    ],
)
async def test_not_one_call_more_is_made_than_a_run_may_make(sandbox: Sandbox, shop: Shop, code: str) -> None:
    with pytest.raises(CodeStopped, match="more than 5 calls"):
        await sandbox.run(code, shop.scope, calls=5)
    assert len(shop.calls) <= 5


class Waiting:
    """A tool that never answers, and knows when it is called and when it is cancelled."""

    def __init__(self) -> None:
        self.called, self.cancelled = anyio.Event(), anyio.Event()
        self.scope = CodeScope(Shop().scope.names, self.call)

    async def call(self, _tool: Tool, _arguments: dict[str, Any]) -> Any:
        self.called.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.cancelled.set()


@pytest.mark.parametrize(
    "code", ["await shop.get(key='a')", "await asyncio.gather(shop.get(key='a'), shop.get(key='b'))"]
)
async def test_a_run_that_is_cancelled_cancels_its_calls(sandbox: Sandbox, code: str) -> None:
    waiting = Waiting()
    async with anyio.create_task_group() as group:
        group.start_soon(sandbox.run, code, waiting.scope)
        await waiting.called.wait()
        group.cancel_scope.cancel()
    assert waiting.cancelled.is_set()
    assert await value(sandbox, Shop(), "1 + 1") == 2


async def test_a_run_that_ends_before_its_calls_ends_them(sandbox: Sandbox) -> None:
    waiting = Waiting()
    with pytest.raises(CodeFailed, match="a call was not awaited"):
        await sandbox.run("x = shop.get(key='a')\nawait asyncio.sleep(0.01)\n1", waiting.scope)
    if waiting.called.is_set():
        assert waiting.cancelled.is_set()


@pytest.mark.parametrize(
    "code",
    [
        "x = shop.get(key='a')\n[x]",
        "x = shop.get(key='a')\n{'a': x}",
        "x = [shop.get(key='a') for _ in range(3)]\nprint(x)",
        "x = shop.get(key='a')\nawait shop.take(value=x)",
    ],
)
async def test_a_call_that_stands_in_place_of_its_answer_ends_the_run(
    sandbox: Sandbox, shop: Shop, code: str
) -> None:
    with pytest.raises(CodeFailed, match="not awaited"):
        await sandbox.run(code, shop.scope)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("', '.join(map(str, filter(None, [1, 0, 2])))", "1, 2"),
        ("getattr('a', 'nothing', 5)", 5),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None\n[numpy]", [None]),
        ("import re\nm = re.search(r'L(\\d)', 'L5')\nm.group(1)", "5"),
        ("best = None\nfor t in [{'a': 1}]:\n    best = t\nbest.get('a')", 1),
        ("rows = [{'n': 'a', 'k': 1}]\n[r['n'].upper() for r in rows]", ["A"]),
        ("d = {}\nd.setdefault('a', []).append(1)\nd.update(b=2)\nd", {"a": [1], "b": 2}),
        ("k = next(iter([c for c in 'ab' if c == 'a']), None)\n(await shop.get(key=k))['key']", "a"),
        ("j = {'o': 'asc', 'n': 1}\n(await shop.sort(order=j['o'], limit=j['n']))['limit']", 1),
        (
            "async def f(o: str | None = None):\n    return await shop.sort(order=o)\n(await f('asc'))['order']",
            "asc",
        ),
        ("from datetime import date\n(await shop.get(key=date(2026, 1, 2)))['key']", "2026-01-02"),
        ("x = [1]\nreturn len(x)", 1),
        ("async def main():\n    return 1\nawait main()", 1),
        ("if (n := len('abc')) > 2:\n    r = n\nr", 3),
    ],
)
async def test_right_code_is_not_refused(sandbox: Sandbox, shop: Shop, code: str, wanted: Any) -> None:
    assert await value(sandbox, shop, code) == wanted


async def test_exceptions_of_gathered_calls_are_refused_before_any_is_made(
    sandbox: Sandbox, shop: Shop
) -> None:
    code = "x = 1\nawait asyncio.gather(\n    shop.fail(),\n    return_exceptions=True,\n)"
    assert (await refused(sandbox, shop, code))[0].startswith("line 4: gather has no return_exceptions here")


async def test_functions_of_ours_count_as_calls(sandbox: Sandbox, shop: Shop) -> None:
    async def search_tools(query: str) -> list[str]:
        return [query]

    own = HostFunctionStub("async def search_tools(query: str) -> Any: ...", search_tools)
    scope = CodeScope(shop.scope.names, shop.call, {"search_tools": own})
    with pytest.raises(CodeStopped, match="more than 5 calls"):
        await sandbox.run("for _ in range(9):\n    await search_tools('x')", scope, calls=5)


async def test_a_method_that_is_handed_on_is_reported_as_such(sandbox: Sandbox, shop: Shop) -> None:
    with pytest.raises(CodeFailed, match="a method cannot be passed as a value here"):
        await sandbox.run("d = {'a': 1}\nmax(d, key=d.get)", shop.scope)


async def test_time_is_up_while_a_tool_is_waited_for(sandbox: Sandbox) -> None:
    waiting = Waiting()
    with pytest.raises(CodeStopped, match=r"longer than 0\.2 s"):
        await sandbox.run("await shop.get(key='a')", waiting.scope, seconds=0.2)
    assert not waiting.called.is_set() or waiting.cancelled.is_set()


def workers() -> list[int]:
    """The processes that run code for us."""
    everyone = [int(each) for task in Path("/proc/self/task").iterdir() for each in _children(task)]
    return [each for each in everyone if _is_worker(each)]


def _children(task: Path) -> list[str]:
    return (task / "children").read_text().split()


def _is_worker(process: int) -> bool:
    return "monty" in Path(f"/proc/{process}/comm").read_text()


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="children are looked up where Linux lists them"
)


@needs_proc
async def test_a_worker_that_is_killed_is_replaced(shop: Shop) -> None:
    sandbox = Sandbox()
    others = set(workers())
    try:
        assert await value(sandbox, shop, "1 + 1") == 2
        ours = set(workers()) - others
        assert ours
        for worker in ours:
            os.kill(worker, signal.SIGKILL)
        assert await value(sandbox, shop, "2 + 2") == 4
    finally:
        await sandbox.close()
    assert set(workers()) <= others


@needs_proc
async def test_a_worker_that_is_killed_while_it_runs_code_is_a_fault_of_that_run_alone(shop: Shop) -> None:
    sandbox, others = Sandbox(), set(workers())

    async def call(_tool: Tool, _arguments: dict[str, Any]) -> Any:
        for worker in set(workers()) - others:
            os.kill(worker, signal.SIGKILL)

    try:
        with pytest.raises(CodeStopped, match="the sandbox ended"):
            await sandbox.run("await shop.get(key='a')", CodeScope(shop.scope.names, call))
        assert await value(sandbox, shop, "2 + 2") == 4
    finally:
        await sandbox.close()


@pytest.mark.parametrize("turns", range(1, 9))
async def test_a_run_that_is_cancelled_while_it_takes_its_slot_keeps_none(turns: int) -> None:
    """Eight slots can be had; were one lost at each cancelling, the last run would find none."""
    pool = Workers()

    async def enter() -> None:
        async with pool.checkout():
            await anyio.sleep_forever()

    try:
        async with pool.checkout():
            pass
        for _ in range(9):
            if pool._spare is not None:
                await asyncio.wait([pool._spare])
            async with anyio.create_task_group() as group:
                group.start_soon(enter)
                for _ in range(turns):
                    await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
        with anyio.fail_after(240):
            async with pool.checkout():
                pass
    finally:
        await pool.close()
