"""A place where nobody listens → a detached daemon that does, exactly one however many bridges ask."""

import fcntl
import os
import select
import sys
import time
from _socket import socket as Socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from toolbooth.errors import DaemonFault
from toolbooth.gateway.daemon.place import ID_VARIABLE, Place
from toolbooth.gateway.daemon.wire import connect
from toolbooth.limits import DAEMON_ANSWER, DAEMON_BACKOFF, DAEMON_START, DAEMON_STARTS
from toolbooth.safetext import for_terminal

READY_DESCRIPTOR = 3
COMMAND = ("-m", "toolbooth", "daemon", "run", "--ready-fd", str(READY_DESCRIPTOR))
READY, TAKEN = b"ready", b"taken"
# The daemon serves many sessions: it gets what any process of this user needs, and no session's secrets.
_KEPT = {"HOME", "PATH", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR"} | {
    "DBUS_SESSION_BUS_ADDRESS"  # the way to the keyring, where the tokens of `toolbooth auth` may lie
}
_KEPT_PREFIXES = ("LC_", "XDG_", "PYTHON", "TOOLBOOTH_DAEMON_")


class _EndedWhileStarting(DaemonFault):
    """It came to nothing, and said why or not."""


def start(place: Place, command: Sequence[str] = COMMAND) -> Socket:
    """A connection to the daemon that this call, or one at the same time, has started."""
    with _only_one_starts(place):
        deadline, ended = time.monotonic() + DAEMON_ANSWER, 0
        while time.monotonic() < deadline:
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return connect(place.socket)
            try:
                _start_one(place, command)
            except _EndedWhileStarting:  # somebody may have ended it; one that cannot start says so each time
                ended += 1
                if ended == DAEMON_STARTS:
                    raise
                time.sleep(DAEMON_BACKOFF * 2**ended)
    raise DaemonFault(f"a daemon holds {place.lock} and does not listen; end it and try again")


@contextmanager
def _only_one_starts(place: Place) -> Iterator[None]:
    lock = os.open(place.starting, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _start_one(place: Place, command: Sequence[str]) -> None:
    """Come back when it listens, or when it found another one that holds the place and is about to listen or end."""
    log = os.open(place.log, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    ready, told = os.pipe()
    try:
        before = os.fstat(log).st_size
        _spawn([sys.executable, "-P", *command], log, told, {**_daemon_environ(), ID_VARIABLE: place.id})
        os.close(told)
        if _answer(ready) not in (READY, TAKEN):
            last = _last_line(log, before)
            raise _EndedWhileStarting(f"the daemon ended while starting: {last}; its log: {place.log}")
    finally:
        os.close(ready)
        os.close(log)


def _spawn(arguments: list[str], log: int, told: int, environ: Mapping[str, str]) -> None:
    """Twice forked, in a session of its own: no terminal, no parent, no descriptor of the client."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            nowhere = os.open(os.devnull, os.O_RDONLY)
            log, told = os.dup(log), os.dup(told)
            for ours, theirs in ((nowhere, 0), (log, 1), (log, 2), (told, READY_DESCRIPTOR)):
                os.dup2(ours, theirs)
            os.closerange(READY_DESCRIPTOR + 1, 65_536)
            os.execve(arguments[0], arguments, environ)  # noqa: S606 - our own interpreter, no shell
    finally:
        os._exit(127)


def _daemon_environ() -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    if "PYTHONPATH" in kept:  # relative parts would mean another folder: the daemon stands in /
        parts = kept["PYTHONPATH"].split(os.pathsep)
        kept["PYTHONPATH"] = os.pathsep.join(os.path.abspath(part) for part in parts if part)  # noqa: PTH100
    return kept


def _answer(ready: int) -> bytes:
    if not select.select([ready], [], [], DAEMON_START)[0]:
        raise DaemonFault(f"the daemon did not come up within {DAEMON_START:.0f} s; try `--no-daemon`")
    return os.read(ready, 16)


def _last_line(log: int, before: int) -> str:
    size = os.fstat(log).st_size
    start = max(before if before <= size else 0, size - 4096)
    lines = os.pread(log, size - start, start).decode("utf-8", "replace").split("\n")
    said = [cleaned for line in lines if (cleaned := for_terminal(line))]
    return said[-1] if said else "it said nothing"
