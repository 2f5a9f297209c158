"""A user's environment → the owner-only folder where their daemon listens, and the names in it.

The bridge imports this before a client's first message, so it stays with modules that Python has loaded anyway.
"""

import os
import stat
import sys

from toolbooth import __version__

PROTOCOL = 1
ID_VARIABLE = "TOOLBOOTH_DAEMON_ID"  # what a bridge calls the daemon that it starts: both mean the same place
LONGEST_SOCKET = 100  # bytes of a socket's path: macOS holds 104 with the final zero, Linux 108
_GROUP_OR_OTHERS = 0o077


class Place:
    """The paths of one daemon. `id` stands for a home and an install: calls are booked where their user looks."""

    def __init__(self, folder: str, daemon_id: str) -> None:
        self.folder, self.id = folder, daemon_id
        base = os.path.join(folder, f"v{PROTOCOL}-{__version__}-{daemon_id}")  # noqa: PTH118 - pathlib costs 5 ms
        self.socket = base + ".sock"
        self.lock = base + ".lock"  # held by the daemon while the socket is its own
        self.starting = base + ".start"  # held by the bridge that starts a daemon
        self.log = base + ".log"


def find_place() -> Place:
    """The folder is made where it is missing, and refused where others could reach into it."""
    temporary = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - below it stands a folder of our own, checked
    name = f"toolbooth-{os.geteuid()}"
    daemon_id = os.environ.get(ID_VARIABLE) or _id_of(*_home(), *_install())
    place = Place(_in_runtime_folder() or f"{temporary.rstrip('/')}/{name}", daemon_id)
    if len(os.fsencode(place.socket)) > LONGEST_SOCKET:
        place = Place(f"/tmp/{name}", daemon_id)  # noqa: S108
    _make_private(place.folder)
    return place


def _home() -> tuple[str, ...]:
    """Where this user's configs, ledger and cache are; a variable that says the usual says nothing."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    usual = {"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_CACHE_HOME": ".cache"}
    named = {variable: os.environ.get(variable, "") for variable in usual}
    folders = (
        named[variable] if named[variable].startswith("/") else f"{home}/{usual[variable]}"
        for variable in usual
    )
    return (home, *map(os.path.realpath, folders))


def _install() -> tuple[str, ...]:
    """Which code runs, in which Python: a checkout never answers for the installed package."""
    package = os.path.dirname(os.path.realpath(sys.modules["toolbooth"].__file__ or ""))  # noqa: PTH120
    return package, os.path.realpath(sys.prefix), ".".join(map(str, sys.version_info[:2]))


def _id_of(*facts: str) -> str:
    """Twelve hex digits, without the 4 ms of `hashlib`."""
    try:
        from _blake2 import blake2b
    except ImportError:  # a Python without it
        from hashlib import blake2b
    return blake2b(b"\0".join(map(os.fsencode, facts)), digest_size=6).hexdigest()


def _in_runtime_folder() -> str | None:
    """Only below a folder of our own: under `sudo -E` the variable names that of another user."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    try:
        found = folder.startswith("/") and os.stat(folder).st_uid == os.geteuid()  # noqa: PTH116
    except OSError:
        found = False
    return f"{folder.rstrip('/')}/toolbooth" if found else None


def _make_private(folder: str) -> None:
    try:
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)  # noqa: PTH102
    except OSError as error:
        if not isinstance(error, FileExistsError):  # another one may be faster: whose it is, is checked below
            raise _refusal(
                f"{folder} cannot be made: {error.strerror}; set XDG_RUNTIME_DIR to a folder of yours"
            ) from None
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise _refusal(
            f"{folder} is not a folder of yours, so the daemon does not listen there;"
            " remove it, or set XDG_RUNTIME_DIR to a folder of yours"
        )
    if status.st_mode & _GROUP_OR_OTHERS:
        raise _refusal(
            f"others may enter {folder}, so the daemon does not listen there; run `chmod 700 {folder}`"
        )


def _refusal(message: str) -> Exception:
    from toolbooth.errors import DaemonFault  # not before it is needed: its module imports pathlib

    return DaemonFault(message)
