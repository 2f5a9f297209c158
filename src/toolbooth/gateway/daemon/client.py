"""The daemon from outside: start exactly one for any number of bridges, ask for its status, stop it."""

import fcntl
import json
import os
import select
import sys
import time
from _socket import socket as Socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from toolbooth import errors, limits, safetext
from toolbooth.gateway.daemon.endpoint import (
    ID_VARIABLE,
    PROTOCOL,
    DaemonPaths,
    connect,
    find_paths,
    framed,
    peer_uid,
    receive,
)

__all__ = ["ask_status", "send_forget", "stop_daemon"]


READY_DESCRIPTOR = 3
COMMAND = ("-m", "toolbooth", "daemon", "run", "--ready-fd", str(READY_DESCRIPTOR))
READY, TAKEN = b"ready", b"taken"
# The daemon serves many sessions: it gets what any process of this user needs, and no session's secrets.
_KEPT = {"HOME", "PATH", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR"} | {
    "DBUS_SESSION_BUS_ADDRESS"  # the way to the keyring, where the tokens of `toolbooth auth` may be
}
_KEPT_PREFIXES = ("LC_", "XDG_", "PYTHON", "TOOLBOOTH_DAEMON_")


class _EndedWhileStarting(errors.DaemonFault):
    """The daemon ended before it was ready, with or without a message."""


def start(paths: DaemonPaths, command: Sequence[str] = COMMAND) -> Socket:
    """A connection to the daemon that this call, or one at the same time, has started."""
    with _only_one_starts(paths):
        deadline, ended = time.monotonic() + limits.DAEMON_ANSWER, 0
        while time.monotonic() < deadline:
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return connect(paths.socket)
            try:
                _start_one(paths, command)
            except _EndedWhileStarting:  # somebody may have ended it; one that cannot start says so each time
                ended += 1
                if ended == limits.DAEMON_STARTS:
                    raise
                time.sleep(limits.DAEMON_BACKOFF * 2**ended)
    raise errors.DaemonFault(f"a daemon holds {paths.lock} and does not listen; end it and try again")


@contextmanager
def _only_one_starts(paths: DaemonPaths) -> Iterator[None]:
    """A lock like `DaemonLock`, by hand: a bridge runs this, and `filelock` would add 14 ms to its start."""
    lock = os.open(paths.starting, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _start_one(paths: DaemonPaths, command: Sequence[str]) -> None:
    """Return when it listens, or when it found another daemon that holds the lock."""
    log = os.open(paths.log, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    ready, ready_out = os.pipe()
    try:
        before = os.fstat(log).st_size
        _spawn([sys.executable, "-P", *command], log, ready_out, {**_daemon_environ(), ID_VARIABLE: paths.id})
        os.close(ready_out)
        if _answer(ready) not in (READY, TAKEN):
            last = _last_line(log, before)
            raise _EndedWhileStarting(f"the daemon ended while starting: {last}; its log: {paths.log}")
    finally:
        os.close(ready)
        os.close(log)


def _spawn(arguments: list[str], log: int, ready: int, environ: Mapping[str, str]) -> None:
    """Forked twice, in a session of its own: no terminal, no parent, no descriptor of the client."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            nowhere = os.open(os.devnull, os.O_RDONLY)
            log, ready = os.dup(log), os.dup(ready)
            for ours, theirs in ((nowhere, 0), (log, 1), (log, 2), (ready, READY_DESCRIPTOR)):
                os.dup2(ours, theirs)
            os.closerange(READY_DESCRIPTOR + 1, 65_536)
            os.execve(arguments[0], arguments, environ)  # noqa: S606 - our own interpreter, no shell
    finally:
        os._exit(127)


def _daemon_environ() -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    if "PYTHONPATH" in kept:  # relative parts would mean another folder: the daemon runs in /
        parts = kept["PYTHONPATH"].split(os.pathsep)
        kept["PYTHONPATH"] = os.pathsep.join(os.path.abspath(part) for part in parts if part)  # noqa: PTH100
    return kept


def _answer(ready: int) -> bytes:
    if not select.select([ready], [], [], limits.DAEMON_START)[0]:
        raise errors.DaemonFault(
            f"the daemon did not come up within {limits.DAEMON_START:.0f} s; try `--no-daemon`"
        )
    return os.read(ready, 16)


def _last_line(log: int, before: int) -> str:
    size = os.fstat(log).st_size
    start = max(before if before <= size else 0, size - 4096)
    lines = os.pread(log, size - start, start).decode("utf-8", "replace").split("\n")
    said = [cleaned for line in lines if (cleaned := safetext.for_terminal(line))]
    return said[-1] if said else "it wrote nothing"


def ask_status() -> dict[str, Any] | None:
    """The daemon's status; None if no daemon runs."""
    sock = _connected()
    if sock is None:
        return None
    try:
        return dict(_ask(sock, "status")["status"])
    finally:
        sock.close()


def send_forget() -> None:
    """Configs were unwrapped: the daemon, if there is one, stops servers that no client uses any more."""
    sock = _connected()
    if sock is not None:
        try:
            _ask(sock, "forget")
        finally:
            sock.close()


def stop_daemon() -> int | None:
    """The id of the process that has ended; None if no daemon was running."""
    sock = _connected()
    if sock is None:
        return None
    try:
        pid = int(_ask(sock, "stop")["stopping"])
        sock.settimeout(limits.DAEMON_ANSWER + limits.SHUTDOWN_GRACE)
        receive(sock)  # the end of the connection is the end of the process
    except TimeoutError:
        raise errors.DaemonFault(f"the daemon is still ending; `kill -9 {pid}` ends it at once") from None
    finally:
        sock.close()
    return pid


def _connected() -> Socket | None:
    paths = find_paths()
    try:
        sock = connect(paths.socket)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    if peer_uid(sock) != os.geteuid():
        sock.close()
        raise errors.DaemonFault(f"a process of another user listens at {paths.socket}; remove that file")
    sock.settimeout(limits.DAEMON_ANSWER)
    return sock


def _ask(sock: Socket, do: str) -> dict[str, Any]:
    try:
        sock.sendall(framed(json.dumps({"do": do, "protocol": PROTOCOL}).encode("ascii")))
        said = receive(sock)
    except OSError:
        said = None
    if said is None:
        raise errors.DaemonFault(
            f"the daemon does not answer; end it with `kill -9 $(cat {find_paths().lock})`"
        )
    return dict(json.loads(said))
