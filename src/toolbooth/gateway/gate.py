"""What stands between what servers offer and the book: an offer → what of it may show."""

from typing import Protocol

from toolbooth.catalog import ServerTools, Tool


class Gate(Protocol):
    """Stands before the book and decides what of an offer gets in: only that is found, listed and called."""

    def admit(self, offered: ServerTools) -> ServerTools:
        """What may be shown of all that a server offers now; the very same object where that is all of it."""
        ...

    def forget(self, server: str) -> None:
        """The server is not served any more."""
        ...

    def why(self, tool: Tool) -> str:
        """One line on a tool that did not get in."""
        ...

    def note(self, count: int) -> str:
        """One line on so many of them."""
        ...
