"""Where a user's daemon listens."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.gateway.daemon.bridges import Home, own_home

from toolbooth import __version__
from toolbooth.errors import DaemonFault
from toolbooth.gateway.daemon.place import LONGEST_SOCKET, PROTOCOL, find_place


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
    place = find_place()
    assert place.folder == str(folder / "toolbooth")
    assert Path(place.folder).stat().st_mode & 0o777 == 0o700
    assert find_place().socket == place.socket


def test_another_version_has_another_socket(folder: Path) -> None:
    assert Path(find_place().socket).name.startswith(f"v{PROTOCOL}-{__version__}-")


@pytest.mark.promise("daemon:own-home")
@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"])
def test_another_home_has_another_socket(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    before = find_place()
    monkeypatch.setenv(variable, str(folder))
    assert find_place().socket != before.socket


def test_a_variable_that_says_the_usual_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    before = find_place()
    monkeypatch.setenv("XDG_CACHE_HOME", f"{folder}/.cache")
    assert find_place().socket == before.socket


@pytest.mark.promise("daemon:own-home")
def test_another_install_has_another_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_place()
    monkeypatch.setattr("sys.prefix", str(folder))
    other_python = find_place()
    monkeypatch.setattr("toolbooth.__file__", str(folder / "toolbooth" / "__init__.py"))
    assert len({before.socket, other_python.socket, find_place().socket}) == 3


@pytest.mark.parametrize("given", [None, "", "relative", "/nowhere/at/all"])
def test_without_a_runtime_folder_it_is_below_the_temporary_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR") if given is None else monkeypatch.setenv("XDG_RUNTIME_DIR", given)
    assert find_place().folder == str(folder / "temporary" / f"toolbooth-{os.geteuid()}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_runtime_folder_of_another_user_is_not_touched(folder: Path) -> None:
    """As under `sudo -E`."""
    os.chown(folder, 12345, -1)
    assert find_place().folder == str(folder / "temporary" / f"toolbooth-{os.geteuid()}")
    assert not (folder / "toolbooth").exists()
    os.chown(folder, 0, -1)


def test_a_path_that_no_socket_can_have_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = folder / ("x" * LONGEST_SOCKET)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    assert find_place().folder == f"/tmp/toolbooth-{os.geteuid()}"


@pytest.mark.parametrize("mode", [0o710, 0o701, 0o777, 0o1777])
def test_a_folder_that_others_may_enter_is_refused(folder: Path, mode: int) -> None:
    (folder / "toolbooth").mkdir()
    (folder / "toolbooth").chmod(mode)
    with pytest.raises(DaemonFault, match="run `chmod 700 "):
        find_place()


def test_a_link_in_its_place_is_refused(folder: Path) -> None:
    (folder / "toolbooth").symlink_to(folder / "temporary")
    with pytest.raises(DaemonFault, match="not a folder of yours"):
        find_place()


def test_a_file_in_its_place_is_refused(folder: Path) -> None:
    (folder / "toolbooth").touch()
    with pytest.raises(DaemonFault, match="not a folder of yours"):
        find_place()


def test_a_folder_that_cannot_be_made_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    with pytest.raises(DaemonFault, match="set XDG_RUNTIME_DIR to a folder of yours"):
        find_place()
