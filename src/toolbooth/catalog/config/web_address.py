"""Checks of the URL and headers in a config, before a request is made with them."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

_NOT_IN_URLS: Final = re.compile(r"[\x00-\x20\x7f\s]")
_NOT_IN_HOSTS: Final = re.compile(r"[<>\"{}|\\^`%:\[\]]")
_BAD_HOST: Final = "its url has an invalid host"
_BAD_PORT: Final = "its url has a port that is not a number from 1 to 65535"
_LINE_BREAKS: Final = re.compile(r"[\r\n\0]")
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]*")  # ASCII: what every HTTP library sends unchanged


def fault_of_url(url: str) -> str:
    """What is wrong with a URL, in words that do not quote it; empty if it is valid."""
    if not url.lower().startswith(("http://", "https://")):
        return "its url does not begin with http:// or https://"
    if _NOT_IN_URLS.search(url):
        return "its url contains a blank or a control character"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return _BAD_PORT if "ort" in str(error) else _BAD_HOST
    if port == 0:
        return _BAD_PORT
    return "" if _is_host(parts) else _BAD_HOST if parts.hostname else "its url has no host"


def _is_host(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        if "[" in parts.netloc:
            return bool(ipaddress.IPv6Address(host))
        return bool(host.encode("idna")) and not _NOT_IN_HOSTS.search(host)
    except ValueError:  # UnicodeError is one: an empty label, or one over 63 characters
        return False


def fault_of_headers(headers: Mapping[str, str]) -> str:
    """The same for headers; neither a name nor a value is quoted."""
    if any(_LINE_BREAKS.search(text) for pair in headers.items() for text in pair):
        return "a header contains a line break"
    if not all(_HEADER_NAME.fullmatch(name) for name in headers):
        return "the name of a header is not plain ASCII without blanks"
    if not all(_HEADER_VALUE.fullmatch(value) for value in headers.values()):
        return "the value of a header is not plain ASCII"
    return ""


def redact_url(url: str) -> str:
    """A URL for a message: no password before the host, no query, no fragment."""
    scheme, slashes, rest = re.split(r"[?#]", url, maxsplit=1)[0].partition("//")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"
