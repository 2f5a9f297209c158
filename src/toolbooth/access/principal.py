"""A principal is whoever a call is made for; an authorizer decides which tools it may use.

A transport makes the principal: over stdio it is the user of this machine, over HTTP the owner of the key. It stays
with the session, every call, its row in the ledger and the results that it keeps. All paths to a tool (lists, search,
calls, code, completion, resources, kept results) ask the same predicate, `Authorizer.may`.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from toolbooth.catalog import Tool

__all__ = ["LOCAL_USER", "OPEN", "Authorizer", "Principal"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking. `id` is the same for ever and reveals no secret; `name` is for people, and may be empty."""

    id: str
    name: str = ""

    @property
    def label(self) -> str:
        """The name that people see."""
        return self.name or self.id


class Authorizer(Protocol):
    """The one decision about access. It is asked on every path, so it must be fast and never wait."""

    def may(self, principal: Principal, tool: Tool) -> bool:
        """Whether this principal may see and use this tool."""
        ...


class _Open:
    """Without config, everyone may use everything."""

    def may(self, principal: Principal, tool: Tool) -> bool:  # noqa: ARG002
        return True


LOCAL_USER: Final = Principal("local")
OPEN: Final[Authorizer] = _Open()
