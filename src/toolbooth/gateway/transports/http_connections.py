"""Connections to the HTTP port: listening sockets, and the admission of connections.

A connection that has not shown the key yet counts against a small budget of its own and has little time; when
the budget is full, the oldest is closed. So silent sockets cost authenticated clients nothing. Those may
leave streams open and forget them: when the limit is reached, an idle connection is closed, of the address
that holds the most, the one idle longest.
"""

import asyncio
import errno
import os
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final, Protocol

from toolbooth import errors, limits

_BACKLOG = 1024  # a client that comes in a flood waits for its turn
_NOT_THIS_MACHINE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def raise_descriptor_limit() -> int:
    """As far as the system allows, but not beyond DESCRIPTORS, because servers inherit it. Returns the limit."""
    try:
        import resource
    except ImportError:  # Windows: sockets are not counted there
        return limits.DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.DESCRIPTORS if hard == resource.RLIM_INFINITY else min(limits.DESCRIPTORS, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits.DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def listen(host: str, port: int) -> list[socket.socket]:
    """One socket for each address of the host, all on the same port (`localhost` has two); raises UserMistake."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise errors.UserMistake(
            f"there is no host {host}; choose an address of this machine with --host"
        ) from None
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
                raise errors.UserMistake(
                    f"cannot listen on {host}:{port} ({reason}); choose another with --port"
                ) from None
            undo.enter_context(made)
            sockets.append(made)
            port = int(made.getsockname()[1])
        if not sockets:
            raise errors.UserMistake(f"cannot listen on {host} ({reason}); choose an address with --host")
        undo.pop_all()
    return sockets


# No descriptors or no memory: later there may be some. Any other failure concerns one connection.
_SCARCE: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class AdmittedConnection(Protocol):
    """A connection, as the admission sees it."""

    @property
    def address(self) -> str:
        """The address whose share it counts against."""
        ...

    def drop(self) -> None:
        """Close the connection at once."""
        ...


class ConnectionAdmission:
    """Who is connected. `descriptors` is how many this process may have."""

    def __init__(self, descriptors: int = limits.DESCRIPTORS) -> None:
        left = max(descriptors - limits.SPARE_DESCRIPTORS, 16)
        self._most_unauthenticated = min(limits.MAX_UNAUTHENTICATED, left // 4)
        self._most_authenticated = min(limits.MAX_AUTHENTICATED, left - self._most_unauthenticated)
        self._unauthenticated: dict[AdmittedConnection, None] = {}  # the oldest first
        self._authenticated: dict[
            AdmittedConnection, bool
        ] = {}  # whether a call is being answered; the longest so first

    def enter(self, connection: AdmittedConnection) -> None:
        """Count a new connection."""
        self._unauthenticated[connection] = None
        if len(self._unauthenticated) > self._most_unauthenticated:
            self._drop_oldest()

    def admit(self, connection: AdmittedConnection, *, standing: bool) -> bool:
        """A request with the key came, `standing` if it is not a call; False if the limit is reached."""
        if connection not in self._authenticated and not self._find_place(connection):
            return False
        self._unauthenticated.pop(connection, None)
        self._authenticated.pop(connection, None)
        self._authenticated[connection] = not standing
        return True

    def rest(self, connection: AdmittedConnection) -> None:
        """Note that its request is answered."""
        if self._authenticated.pop(connection, None) is not None:
            self._authenticated[connection] = False

    def leave(self, connection: AdmittedConnection) -> None:
        """Note that it was closed."""
        self._unauthenticated.pop(connection, None)
        self._authenticated.pop(connection, None)

    def evict_idle(self) -> None:
        """Descriptors are scarce: close half of the unauthenticated ones, since a client with the key may wait
        behind them.
        """
        for _ in range((len(self._unauthenticated) + 1) // 2):
            self._drop_oldest()

    def _find_place(self, connection: AdmittedConnection) -> bool:
        if connection not in self._unauthenticated:
            return False  # it was dropped while its request was being read
        if len(self._authenticated) < self._most_authenticated:
            return True
        leaving = self._dispensable(connection.address)
        if leaving is None:
            return False
        del self._authenticated[leaving]
        leaving.drop()
        return True

    def _dispensable(self, address: str) -> AdmittedConnection | None:
        """A call is interrupted only for an address with fewer connections than the caller's."""
        held = Counter(each.address for each in self._authenticated)
        first = min(self._authenticated, key=lambda each: (self._authenticated[each], -held[each.address]))
        return None if self._authenticated[first] and held[first.address] <= held[address] + 1 else first

    def _drop_oldest(self) -> None:
        """Close the connection that has gone without a key the longest."""
        oldest = next(iter(self._unauthenticated))
        del self._unauthenticated[oldest]
        oldest.drop()


async def accept_all(
    listener: socket.socket, make: Callable[[], asyncio.Protocol], admission: ConnectionAdmission
) -> None:
    """Accept connections until cancelled. uvloop's own listener closes for good at the first failure."""
    accepting = _Accepting(listener, make, admission)
    try:
        accepting.resume()
    except NotImplementedError:  # the event loop of Windows watches no sockets
        await accepting.one_by_one()
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        accepting.pause()


class _Accepting:
    """A listening socket in the event loop."""

    def __init__(
        self, listener: socket.socket, make: Callable[[], asyncio.Protocol], admission: ConnectionAdmission
    ) -> None:
        listener.setblocking(False)
        self._listener, self._make, self._admission = listener, make, admission
        self._loop = asyncio.get_running_loop()
        self._greeting: set[asyncio.Task[None]] = set()
        self._resuming: asyncio.TimerHandle | None = None

    def resume(self) -> None:
        """Listen, for the first time or after a pause."""
        self._resuming = None
        self._loop.add_reader(self._listener.fileno(), self._take)

    def pause(self) -> None:
        """Accept no connection for a while."""
        if self._resuming is not None:
            self._resuming.cancel()
        self._loop.remove_reader(self._listener.fileno())

    def _take(self) -> None:
        """A few at a time, so that accepted clients are served before others crowd them out."""
        for _ in range(limits.ACCEPTED_AT_ONCE):
            try:
                accepted, _ = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                self._fail(error)
                return
            task = self._loop.create_task(self._greet(accepted))
            self._greeting.add(task)
            task.add_done_callback(self._greeting.discard)

    def _fail(self, error: OSError) -> None:
        if error.errno in _SCARCE:
            self._admission.evict_idle()
            self._loop.remove_reader(self._listener.fileno())
            self._resuming = self._loop.call_later(limits.ACCEPT_PAUSE, self.resume)

    async def one_by_one(self) -> None:
        """Accept connections one at a time, where sockets cannot be watched."""
        while True:
            try:
                accepted, _ = await self._loop.sock_accept(self._listener)
            except OSError:
                self._admission.evict_idle()
                await asyncio.sleep(limits.ACCEPT_PAUSE)
            else:
                await self._greet(accepted)

    async def _greet(self, accepted: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, accepted)
        except OSError:
            accepted.close()
