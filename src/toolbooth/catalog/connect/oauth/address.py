"""Addresses in a sign-in: the canonical URL that names a server's tokens, and where a sign-in may lead.

Every address belongs to a network zone. A server in one zone must not make Toolbooth connect to another zone that the
server itself could not reach.
"""

import ipaddress
from typing import Final, Literal
from urllib.parse import urlsplit, urlunsplit

import httpx2

from toolbooth import errors, safetext

NetworkZone = Literal["loopback", "private", "link-local", "public"]
# The zones that the sign-in of a server in each zone may lead to. A server on this machine can reach its network
# anyway; link-local addresses hold the metadata services of clouds.
_REACH: Final[dict[NetworkZone, frozenset[NetworkZone]]] = {
    "loopback": frozenset({"loopback", "private", "public"}),
    "private": frozenset({"private", "public"}),
    "link-local": frozenset({"link-local", "public"}),
    "public": frozenset({"public"}),
}
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_url(url: str) -> str:
    """One spelling for each address: no user, no fragment, no default port, scheme and host in lower case."""
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(scheme)) else f":{parts.port}"
    return urlunsplit((scheme, host + port, parts.path or "/", parts.query, ""))


def shown_url(url: str) -> str:
    """An address to show to a person: without its query, which may hold a key."""
    return urlunsplit((*urlsplit(canonical_url(url))[:3], "", ""))


def same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """Whether scheme, host and port are the same."""
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)


def is_safe_route(url: str, server: str) -> bool:
    """Whether secrets of `server` may be sent to `url`: over TLS, or on this machine if `server` runs here too.

    A server elsewhere must not reach the ports of this machine.
    """
    if urlsplit(url).scheme.lower() == "https":
        return True
    return _is_loopback(url) and _is_loopback(server)


def zone_of(address: str) -> NetworkZone:
    """The zone of an IP address; raises ValueError if it is not one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = None if found.version == 4 else found.ipv4_mapped or found.sixtofour or _translated(found)
    found = inner or found
    if found.is_loopback or found.is_unspecified:  # 0.0.0.0 connects to this machine
        return "loopback"
    if found.is_link_local:
        return "link-local"
    return "public" if found.is_global and not found.is_multicast else "private"


def written_zone(url: str) -> NetworkZone | None:
    """The zone of a URL whose host is an IP address or localhost; None for a name, which must be resolved first."""
    host = urlsplit(url).hostname or ""
    try:
        return "loopback" if host == "localhost" else zone_of(host)
    except ValueError:
        return None


def check_zone(url: str, place: NetworkZone, home: NetworkZone) -> None:
    """Raise BackendProtocolError if the sign-in of a server in the zone `home` must not lead to the zone `place`."""
    if place not in _REACH[home]:
        raise errors.BackendProtocolError(
            f"its sign-in leads to {safetext.for_terminal(shown_url(url), 100)} at a {place} address,"
            " where the server itself is not"
        )


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address in a NAT64 address."""
    known = address in ipaddress.ip_network("64:ff9b::/96")
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if known else None


def _is_loopback(url: str) -> bool:
    return written_zone(url) == "loopback"
