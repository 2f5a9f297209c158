"""Where a user's daemon listens, and the messages between it and a bridge.

The folder is owner-only. A message is JSON with its length before it; descriptors are sent with the first
byte. The bridge imports this before a client's first message, so it uses only modules that Python has loaded
anyway: `_socket` instead of `socket`, no `array`, no `json` (they cost 8, 2 and 8 ms, half of the time
allowed for a start).
"""

import _socket
import os
import stat
import sys

from toolbooth import __version__

PROTOCOL = 1
ID_VARIABLE = "TOOLBOOTH_DAEMON_ID"  # the bridge passes its daemon's id on, so that both use the same paths
LONGEST_SOCKET = 100  # bytes of a socket's path: macOS holds 104 with the final zero, Linux 108
_GROUP_OR_OTHERS = 0o077


class DaemonPaths:
    """The paths of one daemon. `id` stands for a home and an install, so that calls are recorded where their
    user looks.
    """

    def __init__(self, folder: str, daemon_id: str) -> None:
        self.folder, self.id = folder, daemon_id
        base = os.path.join(folder, f"v{PROTOCOL}-{__version__}-{daemon_id}")  # noqa: PTH118 - pathlib costs 5 ms
        self.socket = base + ".sock"
        self.lock = base + ".lock"  # held by the daemon while it owns the socket
        self.starting = base + ".start"  # held by the bridge that starts a daemon
        self.log = base + ".log"


def find_paths() -> DaemonPaths:
    """The folder is created if it is missing, and refused if others could write into it."""
    temporary = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - below it stands a folder of our own, checked
    name = f"toolbooth-{os.geteuid()}"
    daemon_id = os.environ.get(ID_VARIABLE) or _id_of(*_home(), *_install())
    paths = DaemonPaths(_in_runtime_folder() or f"{temporary.rstrip('/')}/{name}", daemon_id)
    if len(os.fsencode(paths.socket)) > LONGEST_SOCKET:
        paths = DaemonPaths(f"/tmp/{name}", daemon_id)  # noqa: S108
    _make_private(paths.folder)
    return paths


def _home() -> tuple[str, ...]:
    """Where this user's configs, ledger and cache are; a variable that names the default changes nothing.

    The rules are those of `toolbooth.files`, written again: its imports cost 12 ms, which a bridge cannot
    afford.
    """
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
    """Our folder in XDG_RUNTIME_DIR, if that is ours: under `sudo -E` it belongs to another user."""
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
        # Another process may be faster; the owner is checked below
        if not isinstance(error, FileExistsError):
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
            f"other users have access to {folder}, so the daemon does not listen there; run `chmod 700 {folder}`"
        )


def _refusal(message: str) -> Exception:
    from toolbooth import errors  # imported late: its module imports pathlib

    return errors.DaemonFault(message)


LENGTH = 4
# As `json` writes them: what a bridge usually receives needs no parser
OK, END = (
    b'{"ok": true}',
    b'{"end": 0}',
)


def framed(body: bytes) -> bytes:
    """The message with its length before it."""
    return len(body).to_bytes(LENGTH, "big") + body


def quoted(text: str) -> str:
    """A text as a JSON string."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:  # a Python without C parts
        from json.encoder import encode_basestring_ascii
    return encode_basestring_ascii(text)


def send_with_descriptors(sock: _socket.socket, message: bytes, descriptors: list[int]) -> None:
    """Send the whole message; the descriptors go with its first bytes."""
    packed = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
    beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)] if descriptors else []
    sent = sock.sendmsg([message], beside)
    if sent < len(message):
        sock.sendall(message[sent:])


def receive(sock: _socket.socket) -> bytes | None:
    """The next message; None once the daemon has ended, however it ended."""
    try:
        length = _exactly(sock, LENGTH)
        return None if length is None else _exactly(sock, int.from_bytes(length, "big"))
    except ConnectionError:
        return None


def _exactly(sock: _socket.socket, count: int) -> bytes | None:
    parts = b""
    while len(parts) < count:
        part = sock.recv(count - len(parts))
        if not part:
            return None
        parts += part
    return parts


def connect(path: str) -> _socket.socket:
    """A connection to a daemon of the same user; OSError if nobody listens."""
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        sock.connect(path)
    except BaseException:
        sock.close()
        raise
    return sock


def peer_uid(sock: _socket.socket) -> int:
    """The user at the other end, as the kernel knows it."""
    if hasattr(_socket, "SO_PEERCRED"):
        return int.from_bytes(
            sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[4:8], sys.byteorder
        )
    # macOS and BSD: `struct xucred`, the uid after its version
    local = (
        0,
        getattr(_socket, "LOCAL_PEERCRED", 1),
    )
    return int.from_bytes(sock.getsockopt(*local, 76)[4:8], sys.byteorder)
