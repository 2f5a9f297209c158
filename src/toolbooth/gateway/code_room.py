"""The one sandbox of a process, made at the first run of code; gateways that run none do not pay for it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbooth.sandbox import Sandbox


class CodeRoom:
    """Shared by all gateways: workers keep nothing from one run to the next.

    Code that runs within code (a script that is called by code) has workers of its own: were they shared, those who
    wait could hold all of them.
    """

    def __init__(self) -> None:
        self._sandboxes: dict[int, Sandbox] = {}
        self.runs = 0  # under way now

    def sandbox(self, depth: int = 0) -> "Sandbox":
        """For code that runs so deep within other code; the import takes 25 ms."""
        from toolbooth.sandbox import Sandbox

        return self._sandboxes.setdefault(depth, Sandbox())

    async def tidy(self) -> None:
        """To be called now and then: workers that nobody needs end."""
        for each in tuple(self._sandboxes.values()):
            await each.tidy()

    async def close(self) -> None:
        """End every worker."""
        for each in self._sandboxes.values():
            await each.close()
