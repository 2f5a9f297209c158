"""A host and a port → sockets that listen there, or one line that says why not; descriptors for who comes."""

import errno
import os
import socket
from contextlib import ExitStack, suppress

from toolbooth.errors import UserMistake
from toolbooth.limits import DESCRIPTORS

_BACKLOG = 1024  # a client that comes in a flood waits for its turn
_NOT_THIS_MACHINE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def raise_descriptor_limit() -> int:
    """Up to what the system lets us have, but not beyond DESCRIPTORS: servers inherit it. Gives back the limit."""
    try:
        import resource
    except ImportError:  # Windows: sockets are not counted there
        return DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def listen(host: str, port: int) -> list[socket.socket]:
    """One socket for each address of the host, all at the same port (`localhost` has two); raises UserMistake."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise UserMistake(f"there is no host {host}; choose an address of this machine with --host") from None
    addresses = dict.fromkeys((family, str(address[0])) for family, _, _, _, address in found)
    return _bound(list(addresses), host, port)


def _bound(addresses: list[tuple[socket.AddressFamily, str]], host: str, port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    reason = ""
    with ExitStack() as undo:
        for family, address in addresses:
            try:
                made = socket.create_server((address, port), family=family, backlog=_BACKLOG)
            except OSError as error:
                reason = os.strerror(error.errno or 0).lower()
                if error.errno in _NOT_THIS_MACHINE:
                    continue  # a machine without IPv6 may still resolve localhost to ::1
                raise UserMistake(
                    f"cannot listen on {host}:{port} ({reason}); choose another with --port"
                ) from None
            undo.enter_context(made)
            sockets.append(made)
            port = int(made.getsockname()[1])
        if not sockets:
            raise UserMistake(f"cannot listen on {host} ({reason}); choose an address with --host")
        undo.pop_all()
    return sockets
