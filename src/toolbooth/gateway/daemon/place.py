"""A user's environment → the owner-only folder where their daemon listens, and the names in it.

The bridge imports this before a client's first message, so it stays with modules that Python has loaded anyway.
"""

import os
import stat

from toolbooth import __version__

PROTOCOL = 1
LONGEST_SOCKET = 100  # bytes of a socket's path: macOS holds 104 with the final zero, Linux 108
_GROUP_OR_OTHERS = 0o077


class Place:
    """The paths of one version's daemon: an upgraded Toolbooth never talks to an old daemon."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        base = os.path.join(folder, f"v{PROTOCOL}-{__version__}")  # noqa: PTH118 - pathlib costs 5 ms
        self.socket = base + ".sock"
        self.lock = base + ".lock"  # held by the daemon while the socket is its own
        self.starting = base + ".start"  # held by the bridge that starts a daemon
        self.log = base + ".log"


def find_place() -> Place:
    """The folder is made where it is missing, and refused where others could reach into it."""
    temporary = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - below it stands a folder of our own, checked
    name = f"toolbooth-{os.geteuid()}"
    place = Place(_in_runtime_folder() or f"{temporary.rstrip('/')}/{name}")
    if len(os.fsencode(place.socket)) > LONGEST_SOCKET:
        place = Place(f"/tmp/{name}")  # noqa: S108
    _make_private(place.folder)
    return place


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
