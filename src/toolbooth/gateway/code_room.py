"""The one sandbox of a process, made at the first run of code; gateways that run none do not pay for it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbooth.sandbox import Sandbox


class CodeRoom:
    """Shared by all gateways: workers keep nothing from one run to the next."""

    def __init__(self) -> None:
        self._sandbox: Sandbox | None = None
        self.runs = 0  # under way now

    @property
    def sandbox(self) -> "Sandbox":
        """Its import takes 25 ms."""
        if self._sandbox is None:
            from toolbooth.sandbox import Sandbox

            self._sandbox = Sandbox()
        return self._sandbox

    async def tidy(self) -> None:
        """To be called now and then: workers that nobody needs end."""
        if self._sandbox is not None:
            await self._sandbox.tidy()

    async def close(self) -> None:
        """End every worker."""
        if self._sandbox is not None:
            await self._sandbox.close()
