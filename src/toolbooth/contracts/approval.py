"""What is locked × what servers offer now, by digest → which tools are approved, and which may be found and called.

Nothing is read or written here. A tool is approved by a lock that holds its digest and by nothing else: that a server
is connected again, lists again, or was known before says nothing.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

from toolbooth.catalog import Json
from toolbooth.contracts.digest import canonical_bytes

Mode = Literal["enforce", "warn", "off"]
Digests = Mapping[str, str]
# What a definition is made of; any other key is a server's own word, and is not repeated to a model.
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


class Standing(StrEnum):
    """How a tool stands to the lock."""

    APPROVED = "approved"  # the lock holds this very definition
    PENDING = "pending"  # the lock does not know it
    CHANGED = "changed"  # the lock holds another definition of it


class Approvals:
    """The standing of every tool that servers offer. It is stored once, and whoever finds or calls asks here.

    Before the first lock nothing is approved; a lock that cannot be read is never given here, so the last one stays.
    """

    def __init__(self, mode: Mode = "enforce") -> None:
        self.mode: Mode = mode
        self._locked: Mapping[str, Digests] = {}
        self._offered: dict[str, Digests] = {}
        self._standing: dict[str, dict[str, Standing]] = {}

    def lock(self, locked: Mapping[str, Digests]) -> None:
        """By server and tool: from now on this is approved, and nothing else."""
        self._locked = {server: dict(tools) for server, tools in locked.items()}
        for server in self._offered:
            self._judge(server)

    def offer(self, server: str, digests: Digests) -> None:
        """All that a server offers now, by tool; what it offered before counts no more."""
        self._offered[server] = dict(digests)
        self._judge(server)

    def forget(self, server: str) -> None:
        """It is not served any more."""
        self._offered.pop(server, None)
        self._standing.pop(server, None)

    def standing(self, server: str, tool: str) -> Standing | None:
        """None where the server does not offer it."""
        return self._standing.get(server, {}).get(tool)

    def passes(self, server: str, tool: str) -> bool:
        """Whether it may be found and called: one answer for both."""
        standing = self.standing(server, tool)
        return standing is Standing.APPROVED or (standing is not None and self.mode != "enforce")

    def counts(self, server: str) -> dict[Standing, int]:
        """How many of its tools stand how, every standing named."""
        found = Counter(self._standing.get(server, {}).values())
        return {standing: found[standing] for standing in Standing}

    def differing(self, server: str) -> dict[str, Standing]:
        """Its tools that are not approved, in the order in which it offers them."""
        known = self._standing.get(server, {})
        return {tool: standing for tool, standing in known.items() if standing is not Standing.APPROVED}

    def _judge(self, server: str) -> None:
        locked = self._locked.get(server, {})
        self._standing[server] = {
            tool: _standing(locked.get(tool), digest) for tool, digest in self._offered[server].items()
        }


def _standing(locked: str | None, digest: str) -> Standing:
    if locked is None:
        return Standing.PENDING
    return Standing.APPROVED if digest == locked else Standing.CHANGED


def changed_parts(locked: Json, now: Json) -> tuple[str, ...]:
    """Which parts of a definition are others than the locked ones."""
    differing = {key for key in {*locked, *now} if _part(locked, key) != _part(now, key)}
    known = tuple(part for part in _PARTS if part in differing)
    return known if differing <= set(_PARTS) else (*known, "other keys")


def _part(wire: Json, key: str) -> bytes | None:
    return canonical_bytes(wire[key]) if key in wire else None
