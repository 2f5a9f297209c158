"""A server's URL → the one spelling its tokens are kept under, and whether a token may travel there."""

import ipaddress
from urllib.parse import urlsplit, urlunsplit

import httpx2

_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical(url: str) -> str:
    """The same for every spelling of one address: no user, no fragment, no default port, small letters."""
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(scheme)) else f":{parts.port}"
    return urlunsplit((scheme, host + port, parts.path or "/", parts.query, ""))


def shown(url: str) -> str:
    """An address for a person: a query may hold a key and stays out."""
    return urlunsplit((*urlsplit(canonical(url))[:3], "", ""))


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


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
