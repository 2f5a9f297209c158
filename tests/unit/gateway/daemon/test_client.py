"""What a daemon inherits from the bridge that starts it."""

import pytest

from toolbooth.gateway.daemon.client import _daemon_environ


def test_no_secret_and_nothing_of_one_session_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "TOOLBOOTH_KEY", "PWD", "VIRTUAL_ENV", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "canary")
    assert "canary" not in _daemon_environ().values()


def test_what_every_process_of_a_user_needs_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"HOME": "/h", "PATH": "/p", "LC_ALL": "C", "XDG_CACHE_HOME": "/c", "TOOLBOOTH_DAEMON_IDLE": "3"}
    wanted["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/run/user/1/bus"  # without it there is no keyring
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)
    assert wanted.items() <= _daemon_environ().items()


def test_relative_parts_of_pythonpath_keep_their_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "src::/abs")
    first, second = _daemon_environ()["PYTHONPATH"].split(":")
    assert first.startswith("/")
    assert first.endswith("/src")
    assert second == "/abs"
