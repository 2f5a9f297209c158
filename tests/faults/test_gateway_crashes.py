"""A server that ends, or is not there, costs one sentence; it comes back without anybody doing anything."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.gateway_driver import (
    HOSTILE,
    DrivenGateway,
    HostileServer,
    alive,
    gateway,
    shake_hands,
    started,
    until,
)
from toolbooth.limits import MAX_RESTARTS

SLOWLY = {"intent": "anything"}  # a call with more than a name and arguments takes the longer path
AGAIN = [f"{tool}{path}" for tool in ("crash", "read_crash", "repeat_crash") for path in "12"]
CRASHERS = ("crash", "half_a_line", "all", "once", "loop", *AGAIN)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crashes")


@pytest.fixture(scope="module")
def booth(folder: Path) -> Iterator[DrivenGateway]:
    """One gateway for all: each test has a server of its own behind it, and all are siblings of each other."""
    (folder / "go").touch()
    command = folder / "command"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -S {HOSTILE} "$@"\n', encoding="utf-8")
    command.chmod(0o700)
    with gateway(
        folder,
        *(HostileServer(name, folder) for name in CRASHERS),
        HostileServer(
            "away", folder, settings={"command": str(command), "args": [str(folder / "away.diary")]}
        ),
        *(HostileServer(name, folder, ("die-from=2",)) for name in ("unborn", "second1", "second2")),
        HostileServer("late", folder, (f"wait-for={folder / 'go'}",)),
        HostileServer("lazy", folder, settings={"idle_stop": 0.3}),
        HostileServer("clock", folder, settings={"idle_stop": 0.3}),
        HostileServer("good", folder),
    ) as made:
        yield made


@pytest.mark.promise("gateway:crash")
@pytest.mark.parametrize("tool", ["crash", "half_a_line"])
def test_a_crash_in_a_call_is_said_and_the_next_call_finds_a_new_process(
    booth: DrivenGateway, folder: Path, tool: str
) -> None:
    bad = HostileServer(tool, folder)
    said = booth.call(f"{tool}.{tool}")
    assert said.error
    last_words = "exited with code 7; it said: panic: core melted"
    assert (last_words if tool == "crash" else "ended in the middle of a message") in said.text
    assert "\x1b" not in said.text
    assert "check before you repeat it" in said.text
    assert booth.call("good.ok").text == "ok"
    assert booth.call(f"{tool}.ok").text == "ok"
    assert len(bad.pids) == 2
    assert len(bad.seen("call", tool)) == 1


@pytest.mark.promise("gateway:crash")
def test_all_calls_in_flight_hear_of_a_crash(booth: DrivenGateway) -> None:
    assert booth.call("all.ok").text == "ok"
    hanging = [booth.begin_call("all.hang") for _ in range(3)]
    booth.begin_call("all.crash")
    for each in hanging:
        assert "exited with code 7" in booth.said(each).text


@pytest.mark.promise("gateway:retry-once")
@pytest.mark.parametrize(("path", "extra"), [("1", {}), ("2", SLOWLY)])
@pytest.mark.parametrize(("tool", "tries"), [("crash", 1), ("read_crash", 2), ("repeat_crash", 2)])
def test_only_what_may_be_repeated_is_tried_again_and_only_once(
    booth: DrivenGateway, folder: Path, tool: str, tries: int, path: str, extra: dict[str, str]
) -> None:
    bad = HostileServer(f"{tool}{path}", folder)
    assert booth.call(f"{bad.name}.ok").text == "ok"
    said = booth.builtin("call_tool", {"name": f"{bad.name}.{tool}", "arguments": {}, **extra})
    assert "exited with code 7" in said.text
    assert len(bad.seen("call", tool)) == tries


@pytest.mark.promise("gateway:retry-once")
def test_a_second_try_that_succeeds_is_all_that_the_agent_sees(booth: DrivenGateway, folder: Path) -> None:
    assert booth.call("once.ok").text == "ok"
    said = booth.call("once.crash_once")
    assert (said.text, said.error) == ("survived", False)
    assert len(HostileServer("once", folder).seen("call", "crash_once")) == 2


@pytest.mark.promise("gateway:breaker")
def test_a_server_that_keeps_crashing_is_left_alone_and_that_is_said(
    booth: DrivenGateway, folder: Path
) -> None:
    for _ in range(MAX_RESTARTS):
        assert "exited with code 7" in booth.call("loop.crash").text
    said = booth.call("loop.ok")
    assert said.error
    assert f"failed {MAX_RESTARTS} times within 5 minutes; it is not called for another" in said.text
    assert "Use another tool, or try again later" in said.text
    assert len(HostileServer("loop", folder).pids) == MAX_RESTARTS
    assert "loop: resting" in booth.builtin("manage_servers").text
    assert booth.call("good.ok").text == "ok"


@pytest.mark.promise("gateway:not-sent")
def test_a_call_that_ends_with_the_start_of_its_server_did_not_reach_it(
    booth: DrivenGateway, folder: Path
) -> None:
    name = "unborn"
    assert booth.call(f"{name}.ok").text == "ok"
    os.kill(HostileServer(name, folder).pids[-1], signal.SIGKILL)
    until(lambda: f"{name}: idle" in booth.builtin("manage_servers").text)
    said = booth.call(f"{name}.ok")
    assert said.error
    assert (
        "it said: no more lives. The call did not reach the server. The server is started again" in said.text
    )
    assert len(HostileServer(name, folder).seen("call", "ok")) == 1


@pytest.mark.promise("gateway:not-sent")
@pytest.mark.parametrize(("path", "more"), [("1", {}), ("2", SLOWLY)])
def test_a_second_try_that_reaches_nobody_does_not_hide_the_first(
    booth: DrivenGateway, folder: Path, path: str, more: dict[str, str]
) -> None:
    name = f"second{path}"
    assert booth.call(f"{name}.ok").text == "ok"
    said = booth.builtin("call_tool", {"name": f"{name}.read_crash", "arguments": {}, **more})
    assert "no more lives. The call may have had its effect: check before you repeat it" in said.text
    assert len(HostileServer(name, folder).seen("call", "read_crash")) == 1


@pytest.mark.promise("gateway:gone-and-back")
def test_a_command_that_is_gone_is_said_and_found_again_when_it_is_back(
    booth: DrivenGateway, folder: Path
) -> None:
    assert booth.call("away.ok").text == "ok"
    shutil.move(folder / "command", folder / "elsewhere")
    os.kill(HostileServer("away", folder).pids[-1], signal.SIGKILL)
    until(lambda: "away: idle" in booth.builtin("manage_servers").text)
    said = booth.call("away.ok")
    assert said.error
    assert "was not found; correct the path" in said.text
    shutil.move(folder / "elsewhere", folder / "command")
    assert booth.call("away.ok").text == "ok"


@pytest.mark.promise("gateway:one-start")
def test_callers_of_a_server_that_starts_slowly_wait_for_one_process(
    booth: DrivenGateway, folder: Path
) -> None:
    late = HostileServer("late", folder)
    assert booth.call("late.ok").text == "ok"
    (folder / "go").unlink()
    os.kill(late.pids[-1], signal.SIGKILL)
    until(lambda: "late: idle" in booth.builtin("manage_servers").text)
    callers = [booth.begin_call("late.ok") for _ in range(5)]
    until(lambda: len(late.pids) == 2)
    assert "late: starting" in booth.builtin("manage_servers").text
    assert all(booth.unanswered(each) for each in callers)
    (folder / "go").touch()
    assert {booth.said(each).text for each in callers} == {"ok"}
    assert len(late.pids) == 2


@pytest.mark.promise("gateway:idle-stop")
def test_an_idle_server_is_stopped_and_the_next_call_starts_it_again(
    booth: DrivenGateway, folder: Path
) -> None:
    lazy = HostileServer("lazy", folder)
    assert booth.call("lazy.ok").text == "ok"
    starts = len(lazy.pids)
    until(lambda: not alive(lazy.pids[-1]))
    assert len(lazy.seen("end")) == starts
    until(lambda: "lazy: idle" in booth.builtin("manage_servers").text)
    assert booth.call("lazy.ok").text == "ok"
    assert len(lazy.pids) == starts + 1


@pytest.mark.promise("gateway:idle-stop")
def test_a_call_in_flight_keeps_its_server_up(booth: DrivenGateway, folder: Path) -> None:
    lazy, clock, release = HostileServer("lazy", folder), HostileServer("clock", folder), folder / "release"
    slow = booth.begin_call("lazy.slow", release=str(release))
    until(lambda: lazy.seen("call", "slow"))
    starts = len(lazy.pids)
    for _ in range(2):  # a round of its sibling lasts longer than the idle time of both
        assert booth.call("clock.ok").text == "ok"
        until(lambda: not alive(clock.pids[-1]))
    release.touch()
    assert booth.said(slow).text == "ok"
    assert len(lazy.pids) == starts


@pytest.mark.promise("gateway:no-orphans")
def test_no_server_outlives_the_gateway(tmp_path: Path) -> None:
    stubborn, good = HostileServer("stubborn", tmp_path, ("stubborn",)), HostileServer("good", tmp_path)
    with gateway(tmp_path, stubborn, good) as booth:
        booth.call("good.ok")
        booth.begin_call("stubborn.hang")
        until(lambda: stubborn.seen("call", "hang"))
        booth.process.terminate()
        booth.process.wait(240)
        assert [pid for pid in stubborn.pids + good.pids if alive(pid)] == []


@pytest.mark.promise("gateway:no-orphans")
def test_a_server_that_is_still_starting_does_not_outlive_the_gateway(tmp_path: Path) -> None:
    late = HostileServer("late", tmp_path, ("wait-for=/nowhere",))
    with gateway(tmp_path, late) as booth:
        until(lambda: late.pids)
        assert booth.process.stdin is not None
        booth.process.stdin.close()
        booth.process.wait(240)
        assert not alive(late.pids[0])


@pytest.mark.promise("gateway:no-orphans")
def test_after_a_kill_of_the_gateway_servers_see_the_end_of_their_input(tmp_path: Path) -> None:
    good = HostileServer("good", tmp_path)
    with started(tmp_path, good) as process:
        booth = DrivenGateway(process)
        shake_hands(booth)
        booth.call("good.ok")
        process.kill()
        until(lambda: not alive(good.pids[0]))
        assert len(good.seen("end")) == 1
