"""Negotiating the protocol version of a new connection."""

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

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect.peer import Peer, ServerError
from toolbooth.catalog.connect.protocol import ClientIdentity, NegotiatedProtocol


async def negotiate(peer: Peer, timeout: float, *, old_only: bool = False) -> NegotiatedProtocol:
    """Agree on a version: `server/discover` first, and `initialize` if that is refused or not answered.

    A server that does not answer `server/discover` at once is sent `initialize` as well, and the first usable answer
    decides: old servers often ignore methods they do not know, and a new server may only be slow to start.
    """
    race = _Race(peer, timeout)
    async with anyio.create_task_group() as tasks:
        if old_only:
            race.try_old.set()
        else:
            tasks.start_soon(race.discover, tasks.cancel_scope)
        tasks.start_soon(race.shake_hands, tasks.cancel_scope)
    if race.protocol is None:
        if isinstance(race.refusal, errors.BackendCrashed) and not old_only:
            raise QuitAtHandshake(race.refusal.message)
        raise race.refusal or errors.BackendTimeout(f"did not answer within {timeout:g} s")
    peer.protocol = race.protocol
    if not peer.protocol.modern:
        peer.notify("notifications/initialized")
    return peer.protocol


class QuitAtHandshake(errors.BackendCrashed):
    """The server exited before a version was agreed; an old server may have exited because of `server/discover`."""


class _Race:
    def __init__(self, peer: Peer, timeout: float) -> None:
        self._peer, self._timeout = peer, timeout
        self.try_old = anyio.Event()
        self.protocol: NegotiatedProtocol | None = None
        self.refusal: errors.BackendFault | None = None

    async def discover(self, everything: anyio.CancelScope) -> None:
        """Try the stateless protocol versions."""
        try:
            hello = await self._ask_modern(LATEST_MODERN_VERSION)
            version = _mutual(hello.get("supportedVersions"))
            if version:
                self.protocol = NegotiatedProtocol(version, hello)
                everything.cancel()
        except errors.BackendRefused as refusal:
            if isinstance(refusal, ServerError) and _modern_only(refusal):
                self.refusal = errors.BackendProtocolError(
                    "supports no protocol version that Toolbooth knows"
                )
                everything.cancel()
        except errors.BackendCrashed as crash:
            self.refusal = crash
            everything.cancel()
        except errors.BackendFault as fault:  # an old server may give any answer to a method it does not know
            self.refusal = self.refusal or fault
        finally:
            self.try_old.set()

    async def shake_hands(self, everything: anyio.CancelScope) -> None:
        """Try the protocol versions with `initialize` and sessions."""
        with anyio.move_on_after(limits.LEGACY_PROBE_DELAY):
            await self.try_old.wait()
        try:
            hello = await self._peer.request("initialize", _offer(self._peer.client_identity), self._timeout)
        except ServerError as refusal:
            # With that code it is a slow modern server: wait
            if refusal.code != UNSUPPORTED_PROTOCOL_VERSION:
                self._give_up(refusal, everything)
        except errors.BackendFault as fault:
            self._give_up(fault, everything)
        else:
            self._settle(hello, everything)

    def _give_up(self, fault: errors.BackendFault, everything: anyio.CancelScope) -> None:
        self.refusal = fault
        everything.cancel()

    def _settle(self, hello: Mapping[str, Any], everything: anyio.CancelScope) -> None:
        version = hello.get("protocolVersion")
        if version in HANDSHAKE_PROTOCOL_VERSIONS:
            self.protocol = NegotiatedProtocol(str(version), hello)
        else:
            said = safetext.for_terminal(str(version), 40)
            self.refusal = errors.BackendProtocolError(
                f"answered with protocol version {said}, which is unknown"
            )
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
