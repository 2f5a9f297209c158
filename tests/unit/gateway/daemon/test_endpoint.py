"""Where a user's daemon listens."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings, strategies as st
from tests.unit.gateway.daemon.bridges import Home, own_home

from toolbooth import __version__
from toolbooth.errors import DaemonFault
from toolbooth.gateway.daemon.endpoint import (
    END,
    LONGEST_SOCKET,
    OK,
    PROTOCOL,
    connect,
    find_paths,
    framed,
    peer_uid,
    quoted,
    receive,
    send_with_descriptors,
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with own_home() as home:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(home.folder))
        monkeypatch.setenv("TMPDIR", str(_made(home, "temporary")))
        yield home.folder


def _made(home: Home, name: str) -> Path:
    made = home.folder / name
    made.mkdir()
    return made


def test_it_is_an_owner_only_folder_below_the_runtime_folder(folder: Path) -> None:
    paths = find_paths()
    assert paths.folder == str(folder / "toolbooth")
    assert Path(paths.folder).stat().st_mode & 0o777 == 0o700
    assert find_paths().socket == paths.socket


def test_another_version_has_another_socket(folder: Path) -> None:
    assert Path(find_paths().socket).name.startswith(f"v{PROTOCOL}-{__version__}-")


@pytest.mark.promise("daemon:own-home")
@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"])
def test_another_home_has_another_socket(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    before = find_paths()
    monkeypatch.setenv(variable, str(folder))
    assert find_paths().socket != before.socket


def test_a_variable_that_says_the_usual_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    before = find_paths()
    monkeypatch.setenv("XDG_CACHE_HOME", f"{folder}/.cache")
    assert find_paths().socket == before.socket


@pytest.mark.promise("daemon:own-home")
def test_another_install_has_another_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_paths()
    monkeypatch.setattr("sys.prefix", str(folder))
    other_python = find_paths()
    monkeypatch.setattr("toolbooth.__file__", str(folder / "toolbooth" / "__init__.py"))
    assert len({before.socket, other_python.socket, find_paths().socket}) == 3


@pytest.mark.parametrize("given", [None, "", "relative", "/nowhere/at/all"])
def test_without_a_runtime_folder_it_is_below_the_temporary_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR") if given is None else monkeypatch.setenv("XDG_RUNTIME_DIR", given)
    assert find_paths().folder == str(folder / "temporary" / f"toolbooth-{os.geteuid()}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_runtime_folder_of_another_user_is_not_touched(folder: Path) -> None:
    """As under `sudo -E`."""
    os.chown(folder, 12345, -1)
    assert find_paths().folder == str(folder / "temporary" / f"toolbooth-{os.geteuid()}")
    assert not (folder / "toolbooth").exists()
    os.chown(folder, 0, -1)


def test_a_path_that_no_socket_can_have_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = folder / ("x" * LONGEST_SOCKET)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    assert find_paths().folder == f"/tmp/toolbooth-{os.geteuid()}"


@pytest.mark.parametrize("mode", [0o710, 0o701, 0o777, 0o1777])
def test_a_folder_that_others_may_enter_is_refused(folder: Path, mode: int) -> None:
    (folder / "toolbooth").mkdir()
    (folder / "toolbooth").chmod(mode)
    with pytest.raises(DaemonFault, match="run `chmod 700 "):
        find_paths()


def test_a_symlink_in_its_place_is_refused(folder: Path) -> None:
    (folder / "toolbooth").symlink_to(folder / "temporary")
    with pytest.raises(DaemonFault, match="not a folder of yours"):
        find_paths()


def test_a_file_in_its_place_is_refused(folder: Path) -> None:
    (folder / "toolbooth").touch()
    with pytest.raises(DaemonFault, match="not a folder of yours"):
        find_paths()


def test_a_folder_that_cannot_be_made_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    with pytest.raises(DaemonFault, match="set XDG_RUNTIME_DIR to a folder of yours"):
        find_paths()


@settings(deadline=None)
@given(st.text() | st.text(st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)))
def test_any_text_of_an_environment_survives(text: str) -> None:
    """Lone surrogates stand for bytes that are no UTF-8."""
    assert json.loads(quoted(text)) == text


def test_the_usual_answers_are_what_json_writes() -> None:
    assert json.dumps({"ok": True}).encode() == OK
    assert json.dumps({"end": 0}).encode() == END


def test_a_large_message_arrives_with_its_descriptors() -> None:
    message = framed(b"x" * 3_000_000)
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    reader, writer = os.pipe()
    with ours, theirs:
        sending = Thread(target=send_with_descriptors, args=(ours, message, [writer]))
        sending.start()
        first, descriptors, _, _ = socket.recv_fds(theirs, 65_536, 3)
        rest = b""
        while len(first) + len(rest) < len(message):
            rest += theirs.recv(1_000_000)
        assert first + rest == message
        sending.join()
    os.write(descriptors[0], b"through")
    assert os.read(reader, 100) == b"through"
    for descriptor in (reader, writer, *descriptors):
        os.close(descriptor)


@pytest.mark.parametrize("cut", [0, 2, 4, 9])
def test_a_message_that_is_cut_off_is_none(cut: int) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        ours.sendall(framed(b"0123456789")[:cut])
        ours.shutdown(socket.SHUT_WR)
        assert receive(theirs) is None


def test_messages_come_one_by_one() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        ours.sendall(framed(b"one") + framed(b"") + framed(b"two"))
        assert [receive(theirs) for _ in range(3)] == [b"one", b"", b"two"]


def test_the_kernel_knows_who_is_at_the_other_end() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_uid(ours) == os.geteuid()


def test_nobody_listening_is_an_error_and_leaves_nothing_open() -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    with pytest.raises(FileNotFoundError):
        connect("/nowhere/at/all")
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208
