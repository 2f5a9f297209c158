"""Every way in which a stdio server can misbehave ends in one typed error, and harms nobody else."""

import os
import sys
from pathlib import Path

import anyio
import pytest

from tests.stepped_clock import SteppedClock
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import Reached, reach, reach_all
from toolbooth.catalog.server_spec import TransportKind
from toolbooth.errors import (
    BackendCrashed,
    BackendFault,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
    FrameTooLarge,
)

pytestmark = pytest.mark.anyio
HOSTILE = str(Path(__file__).with_name("hostile.py"))


def hostile(mode: str, timeout: float = 240.0) -> ServerSpec:
    return ServerSpec(mode, "stdio", sys.executable, (HOSTILE, mode), timeout=timeout)


async def fault_of(mode: str, timeout: float = 240.0) -> BackendFault:
    reached = await reach(hostile(mode, timeout))
    assert reached.fault is not None, f"{mode} was taken for a sound server"
    assert "\x1b" not in str(reached.fault)
    assert "\n" not in str(reached.fault)
    assert str(reached.fault).startswith(f"{mode}: ")
    return reached.fault


async def tools_of(mode: str) -> Reached:
    reached = await reach(hostile(mode))
    assert reached.fault is None, str(reached.fault)
    return reached


@pytest.mark.promise("backend:not-mcp")
@pytest.mark.parametrize(
    "mode",
    ["not-json", "bad-utf8", "lone-surrogate", "deep", "long-integer", "nan", "infinity", "overflow", "both",
     "result-is-text", "no-list"],
)  # fmt: skip
async def test_an_answer_that_is_not_mcp_is_a_protocol_error_at_once(mode: str) -> None:
    assert type(await fault_of(mode)) is BackendProtocolError


@pytest.mark.promise("backend:frame-cap")
@pytest.mark.parametrize("mode", ["flood", "never-ending-line"])
async def test_a_message_over_the_cap_is_refused(mode: str) -> None:
    fault = await fault_of(mode)
    assert isinstance(fault, FrameTooLarge)
    assert "16 MiB" in str(fault)


@pytest.mark.promise("backend:crash")
async def test_a_crash_gives_the_exit_code_and_the_last_words_cleaned() -> None:
    fault = await fault_of("crash")
    assert isinstance(fault, BackendCrashed)
    assert str(fault) == "crash: exited with code 7; it said: panic: core melted"


@pytest.mark.promise("backend:exit-at-once")
async def test_a_server_that_exits_at_once_gives_its_last_stderr_lines() -> None:
    fault = await fault_of("exit-at-once")
    assert isinstance(fault, BackendCrashed)
    assert "exited with code 1" in str(fault)
    assert "usage: hostile --token REQUIRED | missing API_KEY" in str(fault)


@pytest.mark.promise("backend:half-a-line")
async def test_half_a_line_and_then_the_end_is_a_crash() -> None:
    fault = await fault_of("half-a-line")
    assert isinstance(fault, BackendCrashed)
    assert "middle of a message" in str(fault)


@pytest.mark.promise("backend:hang")
@pytest.mark.parametrize("mode", ["hang", "mute"])
async def test_a_hang_ends_at_the_deadline(mode: str) -> None:
    assert isinstance(await fault_of(mode, timeout=1.5), BackendTimeout)


@pytest.mark.promise("backend:drip")
async def test_a_slow_drip_ends_at_the_frame_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.FRAME_DEADLINE", 0.6)
    fault = await fault_of("drip")
    assert isinstance(fault, BackendProtocolError)
    assert "to send one message" in str(fault)


@pytest.mark.promise("backend:noise")
async def test_endless_noise_on_stdout_is_given_up() -> None:
    fault = await fault_of("endless-noise")
    assert isinstance(fault, BackendProtocolError)
    assert "must log to stderr" in str(fault)


@pytest.mark.promise("backend:refusal")
async def test_an_error_answer_is_passed_on_cleaned() -> None:
    fault = await fault_of("refusal")
    assert isinstance(fault, BackendRefused)
    assert "-32000: no way\\u{202e}" in str(fault)


@pytest.mark.promise("backend:missing-command")
async def test_a_missing_command_is_said_with_what_to_do() -> None:
    reached = await reach(ServerSpec("gone", "stdio", "no-such-command-here"))
    assert isinstance(reached.fault, BackendNotFound)
    assert "was not found; install it" in str(reached.fault)


async def test_a_missing_working_directory_is_said(tmp_path: Path) -> None:
    reached = await reach(ServerSpec("lost", "stdio", sys.executable, cwd=tmp_path / "nowhere"))
    assert isinstance(reached.fault, BackendNotFound)


@pytest.mark.parametrize("mode", ["sound", "banner", "stderr-flood", "wrong-then-double-id", "batch"])
async def test_what_can_be_tolerated_is_tolerated(mode: str) -> None:
    reached = await tools_of(mode)
    assert reached.tools is not None
    assert [tool.name for tool in reached.tools.tools] == ["ok"]


@pytest.mark.promise("list:one-bad-tool")
async def test_one_bad_tool_is_set_aside_and_the_rest_stays() -> None:
    reached = await tools_of("one-bad-tool")
    assert reached.tools is not None
    assert [tool.name for tool in reached.tools.tools] == ["ok", "c"]
    assert [(entry.name, entry.reason) for entry in reached.tools.set_aside] == [
        ("", "an entry is a number, not an object"),
        ("b", "inputSchema is a list, not an object"),
        ("", "an entry has no name"),
    ]


@pytest.mark.promise("list:duplicate")
async def test_a_later_duplicate_is_dropped_and_said() -> None:
    reached = await tools_of("duplicate-names")
    assert reached.tools is not None
    assert [tool.description for tool in reached.tools.tools] == ["A sound tool."]
    assert [entry.name for entry in reached.tools.set_aside] == ["ok"]


@pytest.mark.promise("list:endless-cursor")
async def test_endless_and_circling_cursors_end() -> None:
    endless = await tools_of("endless-cursor")
    circling = await tools_of("circling-cursor")
    assert endless.tools is not None
    assert circling.tools is not None
    assert len(endless.tools.tools) == 100
    assert len(circling.tools.tools) == 2
    assert [entry.kind for entry in (*endless.tools.set_aside, *circling.tools.set_aside)] == ["cut", "cut"]


@pytest.mark.promise("list:too-many")
async def test_a_list_past_the_ceiling_is_cut_and_said() -> None:
    reached = await tools_of("too-many-tools")
    assert reached.tools is not None
    assert len(reached.tools.tools) == 20_000
    assert "first 20000" in reached.tools.set_aside[-1].reason


@pytest.mark.promise("backend:siblings")
async def test_hung_and_broken_servers_do_not_hide_or_delay_their_siblings() -> None:
    order: list[str] = []
    specs = [
        hostile("hang", 6),
        hostile("flood"),
        hostile("crash"),
        hostile("sound"),
        hostile("endless-noise"),
    ]
    reached = await reach_all(specs, lambda each: order.append(each.spec.name))
    assert [each.spec.name for each in reached] == [spec.name for spec in specs]
    assert order.index("sound") < order.index("hang")
    assert [bool(each.tools) for each in reached] == [False, False, False, True, False]


@pytest.mark.promise("backend:no-orphans")
async def test_no_process_is_left_behind(tmp_path: Path, clock: SteppedClock) -> None:
    """The server starts a child that ignores SIGTERM and outlives stdin; both are gone afterwards."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, signal, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import signal,time; "
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)'])\n"
        f"open({str(tmp_path / 'written')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        f"os.rename({str(tmp_path / 'written')!r}, {str(tmp_path / 'pids')!r})\n"
        "time.sleep(3600)\n"
    )
    spec, ended = ServerSpec("parent", "stdio", sys.executable, (str(script),)), anyio.Event()

    async def run() -> None:
        await reach(spec)
        ended.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        with anyio.fail_after(240):
            while not ended.is_set():
                await anyio.sleep(0.01)
                if (tmp_path / "pids").exists():
                    clock.advance(spec.timeout)
    for pid in (tmp_path / "pids").read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.promise("reach:odd-old-servers")
@pytest.mark.parametrize("mode", ["quits-on-discover", "odd-refusal", "broken-discover"])
async def test_an_old_server_that_takes_discover_badly_is_still_listed(mode: str) -> None:
    reached = await tools_of(mode)
    assert reached.tools is not None
    assert [tool.name for tool in reached.tools.tools] == ["ok"]


@pytest.mark.promise("backend:secrets")
async def test_last_words_do_not_give_away_what_the_server_was_given() -> None:
    spec = ServerSpec("leaks", "stdio", sys.executable, (HOSTILE, "leaks"), env={"TOK": "canary-77"})
    reached = await reach(spec)
    assert "canary" not in str(reached.fault)
    assert "cannot log in with •••" in str(reached.fault)


@pytest.mark.promise("backend:strange-address")
@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/mcp", "http://[::1/mcp", "http://", "http://\x00/"])
@pytest.mark.parametrize("transport", ["http", "sse", "auto"])
async def test_a_strange_address_costs_one_line_and_hides_nobody(url: str, transport: TransportKind) -> None:
    bad, good = await reach_all([ServerSpec("bad", transport, url=url), hostile("sound")])
    assert isinstance(bad.fault, BackendFault)
    assert good.tools is not None


async def test_a_header_that_cannot_be_sent_costs_one_line() -> None:
    spec = ServerSpec("bad", "http", url="http://127.0.0.1:9/mcp", headers={"X": "€ and more"})
    assert isinstance((await reach(spec)).fault, BackendFault)
