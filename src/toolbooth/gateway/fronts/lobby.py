"""Connections to the HTTP port: strangers, who have not shown the key yet, and guests, who have.

Strangers have a budget of their own and little time; when it is full the oldest of them goes. So silent sockets cost
guests nothing, and whoever sends a request with the key at once always gets in.

A guest may leave streams open and forget them. When there is no room, a guest without a call goes, of the address that
holds the most the one that has been so longest; its client connects again if it is there.
"""

import asyncio
import errno
import socket
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from toolbooth.limits import (
    ACCEPT_PAUSE,
    ACCEPTED_AT_ONCE,
    DESCRIPTORS,
    MAX_GUESTS,
    MAX_STRANGERS,
    SPARE_DESCRIPTORS,
)

# For want of descriptors or memory: later there may be some. Any other failure is that of the one connection.
_SCARCE: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Visitor(Protocol):
    """A connection, as the lobby sees it."""

    @property
    def address(self) -> str:
        """Whose share it is counted in."""
        ...

    def drop(self) -> None:
        """Close at once."""
        ...


class Lobby:
    """Who is connected. `descriptors` is how many this process may have."""

    def __init__(self, descriptors: int = DESCRIPTORS) -> None:
        left = max(descriptors - SPARE_DESCRIPTORS, 16)
        self._most_strangers = min(MAX_STRANGERS, left // 4)
        self._most_guests = min(MAX_GUESTS, left - self._most_strangers)
        self._strangers: dict[Visitor, None] = {}  # the oldest first
        self._guests: dict[Visitor, bool] = {}  # whether a call is being answered; the longest so first

    def enter(self, visitor: Visitor) -> None:
        """A new connection."""
        self._strangers[visitor] = None
        if len(self._strangers) > self._most_strangers:
            self._drop_oldest()

    def admit(self, visitor: Visitor, *, standing: bool) -> bool:
        """A request with the key came on it, `standing` if it is no call; False where no more guests are taken."""
        if visitor not in self._guests and not self._find_place(visitor):
            return False
        self._strangers.pop(visitor, None)
        self._guests.pop(visitor, None)
        self._guests[visitor] = not standing
        return True

    def rest(self, visitor: Visitor) -> None:
        """Its request is answered."""
        if self._guests.pop(visitor, None) is not None:
            self._guests[visitor] = False

    def leave(self, visitor: Visitor) -> None:
        """It was closed."""
        self._strangers.pop(visitor, None)
        self._guests.pop(visitor, None)

    def make_room(self) -> None:
        """Descriptors are scarce: half of the strangers go, since a client with the key may stand behind many."""
        for _ in range((len(self._strangers) + 1) // 2):
            self._drop_oldest()

    def _find_place(self, visitor: Visitor) -> bool:
        if visitor not in self._strangers:
            return False  # it was dropped while its request was being read
        if len(self._guests) < self._most_guests:
            return True
        leaving = self._dispensable(visitor.address)
        if leaving is None:
            return False
        del self._guests[leaving]
        leaving.drop()
        return True

    def _dispensable(self, address: str) -> Visitor | None:
        """A call is cut off only for an address that holds less than the one that made it."""
        held = Counter(each.address for each in self._guests)
        first = min(self._guests, key=lambda each: (self._guests[each], -held[each.address]))
        return None if self._guests[first] and held[first.address] <= held[address] + 1 else first

    def _drop_oldest(self) -> None:
        """The stranger who has waited longest goes."""
        oldest = next(iter(self._strangers))
        del self._strangers[oldest]
        oldest.drop()


async def accept_all(listener: socket.socket, make: Callable[[], asyncio.Protocol], lobby: Lobby) -> None:
    """Take connections until cancelled. uvloop's own listener closes for good at the first failure."""
    accepting = _Accepting(listener, make, lobby)
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

    def __init__(self, listener: socket.socket, make: Callable[[], asyncio.Protocol], lobby: Lobby) -> None:
        listener.setblocking(False)
        self._listener, self._make, self._lobby = listener, make, lobby
        self._loop = asyncio.get_running_loop()
        self._greeting: set[asyncio.Task[None]] = set()
        self._resuming: asyncio.TimerHandle | None = None

    def resume(self) -> None:
        """Listen, for the first time or after a pause."""
        self._resuming = None
        self._loop.add_reader(self._listener.fileno(), self._take)

    def pause(self) -> None:
        """Take nobody."""
        if self._resuming is not None:
            self._resuming.cancel()
        self._loop.remove_reader(self._listener.fileno())

    def _take(self) -> None:
        """A few at a time, so that who was taken is also heard before others crowd it out."""
        for _ in range(ACCEPTED_AT_ONCE):
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
            self._lobby.make_room()
            self._loop.remove_reader(self._listener.fileno())
            self._resuming = self._loop.call_later(ACCEPT_PAUSE, self.resume)

    async def one_by_one(self) -> None:
        """The same where sockets cannot be watched."""
        while True:
            try:
                accepted, _ = await self._loop.sock_accept(self._listener)
            except OSError:
                self._lobby.make_room()
                await asyncio.sleep(ACCEPT_PAUSE)
            else:
                await self._greet(accepted)

    async def _greet(self, accepted: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, accepted)
        except OSError:
            accepted.close()
