"""What `serve` keeps in its own environment, which the sandbox's workers inherit."""

import os

import pytest

from toolbooth.cli.serve import _take_secrets

KEPT = {
    "PATH": "/bin",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus",  # the way to the keyring
    "XDG_SESSION_TYPE": "wayland",
    "SSH_AUTH_SOCK": "/run/agent",
    "XAUTHORITY": "/home/me/.Xauthority",
    "PYTHON_KEYRING_BACKEND": "a.b.C",
}
TAKEN = {
    "GITHUB_TOKEN": "canary",
    "TOOLBOOTH_KEY": "canary",
    "HTTP_AUTHORIZATION": "canary",
    "VERCEL_AUTOMATION_BYPASS_SECRET": "canary",
    "XDG_SESSION_COOKIE": "canary",
}


@pytest.mark.promise("auth:keyring")
def test_secrets_are_taken_and_the_way_to_the_keyring_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**KEPT, **TAKEN})
    assert _take_secrets() == {**KEPT, **TAKEN}
    assert os.environ == KEPT
