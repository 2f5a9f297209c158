"""What the loop needs of tools: a menu as the model sees it, and calls that say which real tools they came to."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from toolbooth.catalog import Catalog
from toolbooth.suite.trace import MadeCall


class Called(NamedTuple):
    """An answer as the model reads it, and the real calls behind it."""

    text: str
    is_error: bool = False
    made: tuple[MadeCall, ...] = ()


class Toolbox(Protocol):
    """The tools of one run. `instructions` are what the servers, or the gateway, tell a model beside them."""

    menu: tuple[Mapping[str, Any], ...]
    instructions: str
    catalog: Catalog

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Call a tool of the menu; raises BackendFault where its server did not do its part."""
        ...

    def picked(self, name: str, arguments: Mapping[str, Any]) -> tuple[MadeCall, ...]:
        """Which real tools such a call would come to, without making it."""
        ...
