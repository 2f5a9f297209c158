"""An HTTP server that misbehaves ends in one typed error, too."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server_process import free_port, running
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.errors import BackendFault, BackendProtocolError, BackendRefused, BackendTimeout, FrameTooLarge

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    port = free_port()
    with running([sys.executable, str(Path(__file__).with_name("hostile_http.py")), str(port)], port):
        yield f"http://127.0.0.1:{port}"


async def fault_of(url: str, timeout: float = 30.0) -> BackendFault:
    reached = await reach(ServerSpec("bad", "http", url=url, timeout=timeout))
    assert reached.fault is not None
    assert "\n" not in str(reached.fault)
    return reached.fault


@pytest.mark.promise("http:frame-cap")
async def test_a_body_over_the_cap_is_refused(hostile: str) -> None:
    assert isinstance(await fault_of(f"{hostile}/flood"), FrameTooLarge)


async def test_an_event_over_the_cap_is_refused(hostile: str) -> None:
    assert isinstance(await fault_of(f"{hostile}/flooding-event"), FrameTooLarge)


@pytest.mark.promise("http:not-mcp")
@pytest.mark.parametrize("mode", ["not-json", "html"])
async def test_an_answer_that_is_not_mcp_is_said(hostile: str, mode: str) -> None:
    assert isinstance(await fault_of(f"{hostile}/{mode}"), BackendProtocolError)


@pytest.mark.promise("http:status")
async def test_a_failing_status_is_said(hostile: str) -> None:
    fault = await fault_of(f"{hostile}/failing")
    assert isinstance(fault, BackendRefused)
    assert "HTTP 500" in str(fault)


async def test_a_redirect_to_another_host_is_not_followed(hostile: str) -> None:
    assert isinstance(await fault_of(f"{hostile}/elsewhere"), BackendRefused)


@pytest.mark.promise("http:hang")
async def test_a_hang_ends_at_the_deadline(hostile: str) -> None:
    assert isinstance(await fault_of(f"{hostile}/hang", timeout=1.5), BackendTimeout)


async def test_one_bad_tool_over_http_is_set_aside(hostile: str) -> None:
    reached = await reach(ServerSpec("bad", "http", url=f"{hostile}/one-bad-tool"))
    assert reached.tools is not None, str(reached.fault)
    assert [tool.name for tool in reached.tools.tools] == ["ok"]
    assert [entry.name for entry in reached.tools.set_aside] == ["bad"]
