"""A fresh link → an agreed protocol era, without making a slow or old server wait."""

from collections.abc import Mapping
from typing import Any

import anyio
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

from toolbooth.catalog.connect.peer import Peer, ServerError
from toolbooth.catalog.connect.protocol import ClientIdentity, NegotiatedProtocol
from toolbooth.errors import (
    BackendCrashed,
    BackendFault,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
)
from toolbooth.limits import LEGACY_PROBE_DELAY
from toolbooth.safetext import for_terminal


async def negotiate(peer: Peer, timeout: float, *, old_only: bool = False) -> NegotiatedProtocol:
    """Agree on a version: `server/discover` first, `initialize` where that is refused or not answered.

    A server that leaves the first question unanswered for a moment is asked the second as well, and the first
    answer that settles the matter wins: old servers often stay silent on what they do not know, and a new one
    may just be slow to start.
    """
    race = _Race(peer, timeout)
    async with anyio.create_task_group() as tasks:
        if old_only:
            race.try_old.set()
        else:
            tasks.start_soon(race.discover, tasks.cancel_scope)
        tasks.start_soon(race.shake_hands, tasks.cancel_scope)
    if race.protocol is None:
        if isinstance(race.refusal, BackendCrashed) and not old_only:
            raise QuitAtHandshake(race.refusal.message)
        raise race.refusal or BackendTimeout(f"did not answer within {timeout:g} s")
    peer.protocol = race.protocol
    if not peer.protocol.modern:
        peer.notify("notifications/initialized")
    return peer.protocol


class QuitAtHandshake(BackendCrashed):
    """The server ended before a version was agreed; an old one may have ended because of `server/discover`."""


class _Race:
    def __init__(self, peer: Peer, timeout: float) -> None:
        self._peer, self._timeout = peer, timeout
        self.try_old = anyio.Event()
        self.protocol: NegotiatedProtocol | None = None
        self.refusal: BackendFault | None = None

    async def discover(self, everything: anyio.CancelScope) -> None:
        """The stateless era."""
        try:
            hello = await self._ask_modern(LATEST_MODERN_VERSION)
            version = _mutual(hello.get("supportedVersions"))
            if version:
                self.protocol = NegotiatedProtocol(version, hello)
                everything.cancel()
        except BackendRefused as refusal:
            if isinstance(refusal, ServerError) and _modern_only(refusal):
                self.refusal = BackendProtocolError("speaks no protocol version that Toolbooth knows")
                everything.cancel()
        except BackendCrashed as crash:
            self.refusal = crash
            everything.cancel()
        except BackendFault as fault:  # an old server may answer what it does not know with anything
            self.refusal = self.refusal or fault
        finally:
            self.try_old.set()

    async def shake_hands(self, everything: anyio.CancelScope) -> None:
        """The era of `initialize` and sessions."""
        with anyio.move_on_after(LEGACY_PROBE_DELAY):
            await self.try_old.wait()
        try:
            hello = await self._peer.request("initialize", _offer(self._peer.client_identity), self._timeout)
        except ServerError as refusal:
            if refusal.code != UNSUPPORTED_PROTOCOL_VERSION:  # that one is a slow modern server: keep waiting
                self._give_up(refusal, everything)
        except BackendFault as fault:
            self._give_up(fault, everything)
        else:
            self._settle(hello, everything)

    def _give_up(self, fault: BackendFault, everything: anyio.CancelScope) -> None:
        self.refusal = fault
        everything.cancel()

    def _settle(self, hello: Mapping[str, Any], everything: anyio.CancelScope) -> None:
        version = hello.get("protocolVersion")
        if version in HANDSHAKE_PROTOCOL_VERSIONS:
            self.protocol = NegotiatedProtocol(str(version), hello)
        else:
            said = for_terminal(str(version), 40)
            self.refusal = BackendProtocolError(f"answered with protocol version {said}, which is unknown")
        everything.cancel()

    async def _ask_modern(self, version: str) -> Mapping[str, Any]:
        return await self._peer.request(
            "server/discover", None, self._timeout, protocol=NegotiatedProtocol(version)
        )


def _offer(client_identity: ClientIdentity) -> dict[str, Any]:
    return {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": client_identity.capabilities,
        "clientInfo": client_identity.info,
    }


def _mutual(offered: object) -> str | None:
    versions = offered if isinstance(offered, list) else []
    return next((version for version in reversed(MODERN_PROTOCOL_VERSIONS) if version in versions), None)


def _modern_only(refusal: ServerError) -> bool:
    supported = refusal.data.get("supported") if isinstance(refusal.data, Mapping) else None
    return (
        refusal.code == UNSUPPORTED_PROTOCOL_VERSION
        and isinstance(supported, list)
        and not any(version in HANDSHAKE_PROTOCOL_VERSIONS for version in supported)
    )
