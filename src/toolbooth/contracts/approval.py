"""Approvals: which of the tools that servers offer now match the lock, and so may be found and called.

Nothing is read or written here. A tool is approved only by a lock that holds its digest. It makes no difference that
a server reconnects, lists its tools again, or was known before.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

from toolbooth import catalog
from toolbooth.contracts.digest import canonical_bytes

Mode = Literal["enforce", "warn", "off"]
Digests = Mapping[str, str]
# The known parts of a definition. A server chooses any other key, so its name is not shown to a model.
_PARTS: Final = (
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "icons",
    "execution",
    "_meta",
)


class ApprovalState(StrEnum):
    """How a tool compares with the lock."""

    APPROVED = "approved"  # the lock holds exactly this definition
    PENDING = "pending"  # the lock does not know it
    CHANGED = "changed"  # the lock holds another definition of it


class Approvals:
    """The state of every tool that servers offer. Both search and calls ask here, so they cannot disagree.

    Before the first lock, nothing is approved. A lock that cannot be read never gets here, so the last good one holds.
    """

    def __init__(self, mode: Mode = "enforce") -> None:
        self.mode: Mode = mode
        self._locked: Mapping[str, Digests] = {}
        self._offered: dict[str, Digests] = {}
        self._states: dict[str, dict[str, ApprovalState]] = {}

    def lock(self, locked: Mapping[str, Digests]) -> None:
        """Approve exactly these digests, by server and tool, from now on."""
        self._locked = {server: dict(tools) for server, tools in locked.items()}
        for server in self._offered:
            self._judge(server)

    def offer(self, server: str, digests: Digests) -> None:
        """Replace what a server offers by these digests, by tool."""
        self._offered[server] = dict(digests)
        self._judge(server)

    def forget(self, server: str) -> None:
        """Drop a server that is no longer served."""
        self._offered.pop(server, None)
        self._states.pop(server, None)

    def state_of(self, server: str, tool: str) -> ApprovalState | None:
        """The state of a tool; None if the server does not offer it."""
        return self._states.get(server, {}).get(tool)

    def passes(self, server: str, tool: str) -> bool:
        """Whether a tool may be found and called."""
        state = self.state_of(server, tool)
        return state is ApprovalState.APPROVED or (state is not None and self.mode != "enforce")

    def counts(self, server: str) -> dict[ApprovalState, int]:
        """How many of a server's tools are in each state, including zeros."""
        found = Counter(self._states.get(server, {}).values())
        return {state: found[state] for state in ApprovalState}

    def differing(self, server: str) -> dict[str, ApprovalState]:
        """A server's tools that are not approved, in the order in which it lists them."""
        known = self._states.get(server, {})
        return {tool: state for tool, state in known.items() if state is not ApprovalState.APPROVED}

    def _judge(self, server: str) -> None:
        locked = self._locked.get(server, {})
        self._states[server] = {
            tool: _state(locked.get(tool), digest) for tool, digest in self._offered[server].items()
        }


def _state(locked: str | None, digest: str) -> ApprovalState:
    if locked is None:
        return ApprovalState.PENDING
    return ApprovalState.APPROVED if digest == locked else ApprovalState.CHANGED


def changed_parts(locked: catalog.Json, now: catalog.Json) -> tuple[str, ...]:
    """The parts of a definition that differ from the locked ones."""
    differing = {key for key in {*locked, *now} if _part(locked, key) != _part(now, key)}
    known = tuple(part for part in _PARTS if part in differing)
    return known if differing <= set(_PARTS) else (*known, "other keys")


def _part(raw: catalog.Json, key: str) -> bytes | None:
    return canonical_bytes(raw[key]) if key in raw else None
