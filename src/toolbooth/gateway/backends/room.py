"""How many calls may be at work at once, and whose turn is next: taken without waiting where there is room.

Clients are served fairly: a place that is free goes to the waiting client with the fewest calls at work, in turn among
equals. A client with a hundred calls waits for its own; one with a single call waits for at most one of the others'.
"""

import asyncio
from collections import deque


class Room:
    """Places for calls; who finds none waits in the line of its client.

    `most_each`: places that one client may hold, so that it cannot keep all of them from the others.
    """

    def __init__(self, places: int, most_each: int | None = None) -> None:
        self._free = places
        self._most_each = places if most_each is None else most_each
        self._held: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # in the order of their turns

    @property
    def queued(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    def has_line_for(self, client: str, most: int) -> bool:
        """Whether one more call of this client may wait: of `most` in all, each who waits has an equal share."""
        own = len(self._waiting.get(client, ()))
        others = len(self._waiting) - (client in self._waiting)
        return self.queued < most or own < most // (others + 1)

    def take(self, client: str = "") -> bool:
        """A place at once, or none."""
        held = self._held.get(client, 0)
        if self._free <= 0 or held >= self._most_each or client in self._waiting:
            return False
        self._free -= 1
        self._held[client] = held + 1
        return True

    async def enter(self, client: str = "") -> None:
        """A place, when it is this client's turn."""
        if self.take(client):
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave(client)  # it was given in the same moment in which the caller went away
            else:
                self._forget(client, place)
            raise

    def leave(self, client: str = "") -> None:
        """Give the place back, and to the next who still waits."""
        held = self._held.pop(client) - 1
        if held:
            self._held[client] = held
        self._free += 1
        if self._waiting:
            self._hand_out()

    def _hand_out(self) -> None:
        while self._free > 0 and (next_client := self._whose_turn()) is not None:
            line = self._waiting.pop(next_client)
            place = line.popleft()
            if line:
                self._waiting[next_client] = line  # behind the others now
            if not place.done():
                self._free -= 1
                self._held[next_client] = self._held.get(next_client, 0) + 1
                place.set_result(None)

    def _whose_turn(self) -> str | None:
        """The waiting client with the fewest places, the first in turn of several."""
        clients = (each for each in self._waiting if self._held.get(each, 0) < self._most_each)
        return min(clients, key=lambda each: self._held.get(each, 0), default=None)

    def _forget(self, client: str, place: "asyncio.Future[None]") -> None:
        line = self._waiting.get(client)
        if line is not None and place in line:  # `leave` may have passed it by already
            line.remove(place)
            if not line:
                del self._waiting[client]
