"""The negotiated protocol version, and the identity that the client presents.

MCP has two kinds of versions. Up to 2025-11-25 a handshake (`initialize`) opens a session. Since 2026-07-28 there is
no handshake: every request carries the version, the client's identity and its capabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolbooth import __version__

_NAME: Final = "toolbooth"
_MEASURING: Final = "Toolbooth, measuring"


@dataclass(frozen=True)
class ClientIdentity:
    """Name, version and capabilities of a client; Toolbooth's own identity declares no capabilities."""

    info: Mapping[str, Any] = field(default_factory=lambda: {"name": _NAME, "version": __version__})
    capabilities: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measures(self) -> bool:
        """Whether this is Toolbooth itself, connected in order to measure; also behind another gateway."""
        info = self.info
        return info.get("name") == _NAME and info.get("title") == _MEASURING


TOOLBOOTH_IDENTITY = ClientIdentity()
# Of doctor, bench, lock and all other commands that connect in order to measure: a gateway does not book their calls.
MEASURING_IDENTITY = ClientIdentity({**TOOLBOOTH_IDENTITY.info, "title": _MEASURING})


Stamped = tuple[Mapping[str, Any] | None, dict[str, str]]


@dataclass(frozen=True)
class NegotiatedProtocol:
    """An agreed protocol version. `hello` is the server's answer to `initialize` or `server/discover`."""

    version: str
    hello: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def _old_headers(self) -> dict[str, str]:
        return {MCP_PROTOCOL_VERSION_HEADER: self.version} if self.version else {}

    @cached_property
    def modern(self) -> bool:
        """Whether the version is stateless: every request carries version, client and capabilities itself."""
        return self.version in MODERN_PROTOCOL_VERSIONS

    @property
    def server_info(self) -> Mapping[str, Any]:
        """Name and version of the server, if it gave them."""
        meta = self.hello.get("_meta")
        info = meta.get(SERVER_INFO_META_KEY) if self.modern and isinstance(meta, Mapping) else None
        info = info or self.hello.get("serverInfo")
        return info if isinstance(info, Mapping) else {}

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """What the server declares; None if it declares nothing readable."""
        declared = self.hello.get("capabilities")
        return declared if isinstance(declared, Mapping) else None

    @property
    def offers_tools(self) -> bool:
        """False for a server that declares capabilities without tools."""
        return self.capabilities is None or "tools" in self.capabilities

    def stamp(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        client_identity: ClientIdentity = TOOLBOOTH_IDENTITY,
    ) -> Stamped:
        """The parameters and HTTP headers that a request needs in this protocol version."""
        if not self.modern:
            return params, self._old_headers
        given = dict(params or {})
        given["_meta"] = {
            **given.get("_meta", {}),
            PROTOCOL_VERSION_META_KEY: self.version,
            CLIENT_INFO_META_KEY: client_identity.info,
            CLIENT_CAPABILITIES_META_KEY: client_identity.capabilities,
        }
        headers = {MCP_PROTOCOL_VERSION_HEADER: self.version, MCP_METHOD_HEADER: method}
        name = given.get(NAME_BEARING_METHODS.get(method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
        return given, headers


def not_negotiated() -> NegotiatedProtocol:
    """The state before a version is agreed: requests are sent as they are."""
    return NegotiatedProtocol("")
