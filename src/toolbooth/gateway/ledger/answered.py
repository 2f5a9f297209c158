"""A call that has ended → what the desk tells the ledger of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Union

import msgspec

if TYPE_CHECKING:  # who only reads the ledger does not pay for the protocol SDK behind this door
    from toolbooth.catalog import Tool
    from toolbooth.catalog.connect import RawResult


class Sized(NamedTuple):
    """An answer of which only the size is known."""

    size: int


class Menu:
    """Tools and instructions that a model reads, or would read; weighed once, however many sessions list it."""

    __slots__ = ("instructions", "tools", "weight")

    def __init__(self, tools: Sequence["Tool | Mapping[str, Any]"], instructions: str = "") -> None:
        self.tools, self.instructions = tools, instructions
        self.weight: Any = None  # the measuring thread's own note


Payload: TypeAlias = Union["RawResult", Mapping[str, Any], str, Sized, Menu, None]


class Answered(msgspec.Struct, frozen=True, gc=False):
    """One call. What it carried is only measured; `ms` is the time of its server, or of our own work.

    `kind` is one of those in `row`, or "discovery", "read" or "servers". `before` is what the server answered and
    `after` what the client got: the same object where nothing was reduced. A frozen dataclass takes five times as
    long to make.
    """

    server: str
    tool: str
    session: str
    kind: str
    ms: float
    outcome: str
    before: Payload = None
    after: Payload = None
    steps: tuple[str, ...] = ()
