"""Nothing at or above the threshold of `offload` is parsed, reduced or encoded on the event loop.

The readers that run on its thread on something long are counted: for protocol version of the client × of the server
× path × size, from the bytes that the client sends to those that it gets.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from starlette.applications import Starlette
from tests.unit.gateway.calls.http_call import mcp_client, post
from tests.unit.gateway.calls.stdio_client import stdio_client

from toolbooth import limits
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.calls.record import CALLS
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.http_api import api_routes

pytestmark = [pytest.mark.anyio, pytest.mark.promise("gateway:loop")]
READERS = {
    "_is_error",
    "_misshapen",
    "_questions",
    "_raw_for_version",
    "_raw_without_type",
    "accepts",
    "as_data",
    "decode",
    "decode_checked",
    "encode_line",
    "fit",
    "has",
    "reduced",
    "shown",
    "texts",
    "value_shape",
    "with_lines",
    "with_meta",
}
LINE = "a line of text\n"
SIZES = {"short": 10, "over the threshold": 3_000, "passed as bytes": 40_000}  # lines
SERVERS = ["talk", "talk__new"]
PATHS = [
    "call_tool",
    "whole",
    "pinned",
    "pinned whole",
    "code",
    "whole value of code",
    "progress",
    "report",
    "pinned report",
]
WHOLE = {"whole", "pinned whole", "whole value of code"}


@contextmanager
def read_here() -> Iterator[Counter[str]]:
    """Readers of ours that run on this thread, the loop's, on something long."""
    found: Counter[str] = Counter()

    def look(frame: FrameType, event: str, _value: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name in READERS and "toolbooth" in code.co_filename:
            given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
            if any(_size(each) >= limits.REDUCE_ASIDE for each in given):
                found[code.co_name] += 1

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


def _size(value: object) -> int:
    if isinstance(value, ToolResult):
        return _size(value.given)
    if isinstance(value, RawResult):
        return len(value.data)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, bytes | bytearray | memoryview | str) else 0


def request(view: View, path: str, tool: str, lines: int) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Name, arguments and `_meta` of a call that takes this path to the tool."""
    given = {"times": lines}
    meta: dict[str, dict[str, Any]] = {
        "progress": {"progressToken": "p"},
        "report": {CALLS: True},
        "pinned report": {CALLS: True},
    }
    about = meta.get(path, {})
    if path.startswith("pinned"):
        found = view.gateway.registry.find(tool)
        name = next(public for public, each in view.surface.tools.items() if each == found)
        return name, given, about
    if path == "code":
        return "call_tool_chain", {"code": f'len(await tools["{tool}"](times={lines}))'}, about
    if path == "whole value of code":
        return "call_tool_chain", {"code": f'await tools["{tool}"](times={lines})', "reduce": False}, about
    whole = {"reduce": False} if path == "whole" else {}
    return "call_tool", {"name": tool, "arguments": given, **whole}, about


@contextmanager
def shown_on(view: View, path: str) -> Iterator[View]:
    """The surface that the path takes; reduction is off for it where it wants the whole of a pinned tool."""
    gateway, settings = view.gateway, view.gateway.settings
    if path == "pinned whole":
        gateway.settings = replace(settings, reduce=Reduction(on=False))
    try:
        yield View(gateway, "direct") if path.startswith("pinned") else view
    finally:
        gateway.settings = settings


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("modern", [False, True], ids=["old client", "new client"])
async def test_no_long_answer_is_read_on_the_loop(
    view: View, modern: bool, server: str, path: str, size: str
) -> None:
    lines, tool = SIZES[size], f"{server}.sample"
    async with AsyncExitStack() as stack:
        shown = stack.enter_context(shown_on(view, path))
        client = await stack.enter_async_context(stdio_client(shown, modern=modern))
        await client.call("call_tool", {"name": tool, "arguments": {"times": 1}})  # it is up now
        name, given, meta = request(shown, path, tool, lines)
        with read_here() as found:
            answer = await client.call(name, given, _meta=meta)
    assert found == Counter()
    text = answer["result"]["content"][0]["text"]
    if path == "code":
        assert text == str(lines * len(LINE))
    else:
        assert text.startswith(LINE)
    whole = path in WHOLE or size == "short"
    assert whole is (path != "code" and len(text) == lines * len(LINE)) or path == "code"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("modern", [False, True], ids=["old client", "new client"])
async def test_no_long_answer_is_read_on_the_loop_of_streamable_http(
    view: View, modern: bool, server: str, path: str, size: str
) -> None:
    """The SDK writes what it gets, also on the loop; nothing of ours reads it there."""
    lines, tool = SIZES[size], f"{server}.sample"
    async with AsyncExitStack() as stack:
        shown = stack.enter_context(shown_on(view, path))
        client = await stack.enter_async_context(mcp_client(shown, modern=modern))
        await client.call("call_tool", {"name": tool, "arguments": {"times": 1}})  # it is up now
        name, given, meta = request(shown, path, tool, lines)
        with read_here() as found:
            answer = await client.call(name, given, _meta=meta)
    assert found == Counter()
    assert "a line of text" in str(answer) or path == "code"


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("server", SERVERS)
async def test_no_long_answer_is_read_on_the_loop_of_the_http_api(
    view: View, server: str, size: str, whole: bool
) -> None:
    app = Starlette(routes=api_routes(view))
    called: dict[str, Any] = {"name": f"{server}.sample", "arguments": {"times": 1}}
    assert (await post(app, called))["content"]  # it is up now
    called["arguments"] = {"times": SIZES[size]}
    with read_here() as found:
        answer = await post(app, called | ({"reduce": False} if whole else {}))
    assert found == Counter()
    text = answer["content"][0]["text"]
    assert (len(text) == SIZES[size] * len(LINE)) is (whole or size == "short")


async def test_a_reader_on_the_loop_would_be_seen(view: View) -> None:
    """The counting itself works: the same call is read on the loop if nothing is long enough to leave it."""
    async with stdio_client(view) as client:
        await client.call("call_tool", {"name": "talk__new.sample", "arguments": {"times": 1}})
        with pytest.MonkeyPatch.context() as patch, read_here() as found:
            patch.setattr("toolbooth.gateway.offload.belongs_in_thread", lambda *_: False)
            patch.setattr("toolbooth.gateway.calls.pipeline.belongs_in_thread", lambda *_: False)
            await client.call("call_tool", {"name": "talk__new.sample", "arguments": {"times": 3_000}})
    assert {"fit", "_questions", "_raw_without_type"} <= found.keys()
