"""A question of `toolbooth daemon` → the running daemon's answer, or that there is none."""

import json
import os
from _socket import socket as Socket
from typing import Any

from toolbooth.errors import DaemonFault
from toolbooth.gateway.daemon.place import PROTOCOL, find_place
from toolbooth.gateway.daemon.wire import connect, framed, peer_uid, receive
from toolbooth.limits import DAEMON_ANSWER, SHUTDOWN_GRACE

__all__ = ["ask_status", "stop_daemon", "tell_to_forget"]


def ask_status() -> dict[str, Any] | None:
    """None where no daemon runs."""
    sock = _connected()
    if sock is None:
        return None
    try:
        return dict(_ask(sock, "status")["status"])
    finally:
        sock.close()


def tell_to_forget() -> None:
    """Configs were unwrapped: servers that no client uses any more end now; where no daemon runs, none do."""
    sock = _connected()
    if sock is not None:
        try:
            _ask(sock, "forget")
        finally:
            sock.close()


def stop_daemon() -> int | None:
    """The process that has ended; None where no daemon ran."""
    sock = _connected()
    if sock is None:
        return None
    try:
        pid = int(_ask(sock, "stop")["stopping"])
        sock.settimeout(DAEMON_ANSWER + SHUTDOWN_GRACE)
        receive(sock)  # the end of the connection is the end of the process
    except TimeoutError:
        raise DaemonFault(f"the daemon is still ending; `kill -9 {pid}` ends it at once") from None
    finally:
        sock.close()
    return pid


def _connected() -> Socket | None:
    place = find_place()
    try:
        sock = connect(place.socket)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    if peer_uid(sock) != os.geteuid():
        sock.close()
        raise DaemonFault(f"a process of another user listens at {place.socket}; remove that file")
    sock.settimeout(DAEMON_ANSWER)
    return sock


def _ask(sock: Socket, do: str) -> dict[str, Any]:
    try:
        sock.sendall(framed(json.dumps({"do": do, "protocol": PROTOCOL}).encode("ascii")))
        said = receive(sock)
    except OSError:
        said = None
    if said is None:
        raise DaemonFault(f"the daemon does not answer; end it with `kill -9 $(cat {find_place().lock})`")
    return dict(json.loads(said))
