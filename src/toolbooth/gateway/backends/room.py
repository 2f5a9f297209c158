"""How many calls a backend may have at once: taken without waiting where there is room."""

import asyncio
from collections import deque


class Room:
    """Places for calls; who finds none waits in line."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def queued(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def take(self) -> bool:
        """A place at once, or none."""
        if self._free <= 0 or self._waiting:
            return False
        self._free -= 1
        return True

    async def enter(self) -> None:
        """A place, after those who came before."""
        if self.take():
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()  # it was given in the same moment in which the caller went away
            elif place in self._waiting:  # `leave` may have passed it by already
                self._waiting.remove(place)
            raise

    def leave(self) -> None:
        """Give the place to the next who still waits."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
