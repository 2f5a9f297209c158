"""A server's URL → the one spelling its tokens are kept under, and where a sign-in of that server may lead."""

import ipaddress
from typing import Final, Literal
from urllib.parse import urlsplit, urlunsplit

import httpx2

from toolbooth.errors import BackendProtocolError
from toolbooth.safetext import for_terminal

NetworkZone = Literal["loopback", "private", "link-local", "public"]
# Where a server is → where its sign-in may lead. Who is on this machine could reach its network anyway; metadata of
# clouds stands at link-local addresses.
_REACH: Final[dict[NetworkZone, frozenset[NetworkZone]]] = {
    "loopback": frozenset({"loopback", "private", "public"}),
    "private": frozenset({"private", "public"}),
    "link-local": frozenset({"link-local", "public"}),
    "public": frozenset({"public"}),
}
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_url(url: str) -> str:
    """The same for every spelling of one address: no user, no fragment, no default port, small letters."""
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(scheme)) else f":{parts.port}"
    return urlunsplit((scheme, host + port, parts.path or "/", parts.query, ""))


def shown_url(url: str) -> str:
    """An address for a person: a query may hold a key and stays out."""
    return urlunsplit((*urlsplit(canonical_url(url))[:3], "", ""))


def same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """Scheme, host and port are the same."""
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)


def is_safe_way(url: str, server: str) -> bool:
    """Whether secrets of `server` may travel to `url`: over TLS, or on this machine where `server` runs, too.

    A server elsewhere has no business with the ports of this machine.
    """
    if urlsplit(url).scheme.lower() == "https":
        return True
    return _is_loopback(url) and _is_loopback(server)


def zone_of(address: str) -> NetworkZone:
    """Where an IP address is; raises ValueError where it is none."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = None if found.version == 4 else found.ipv4_mapped or found.sixtofour or _translated(found)
    found = inner or found
    if found.is_loopback or found.is_unspecified:  # 0.0.0.0 connects to this machine
        return "loopback"
    if found.is_link_local:
        return "link-local"
    return "public" if found.is_global and not found.is_multicast else "private"


def written_zone(url: str) -> NetworkZone | None:
    """Where the host of a URL says it is; None for a name, which only a connection tells."""
    host = urlsplit(url).hostname or ""
    try:
        return "loopback" if host == "localhost" else zone_of(host)
    except ValueError:
        return None


def check_zone(url: str, place: NetworkZone, home: NetworkZone) -> None:
    """Raises BackendProtocolError where a sign-in of a server at `home` has no business at this place."""
    if place not in _REACH[home]:
        raise BackendProtocolError(
            f"its sign-in leads to {for_terminal(shown_url(url), 100)} at a {place} address,"
            " where the server itself is not"
        )


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address behind one of NAT64."""
    known = address in ipaddress.ip_network("64:ff9b::/96")
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if known else None


def _is_loopback(url: str) -> bool:
    return written_zone(url) == "loopback"
