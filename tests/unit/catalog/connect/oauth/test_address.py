"""One address has one spelling, and secrets travel only over TLS or on this machine."""

import httpx2
import pytest

from toolbooth.catalog.connect.oauth.address import (
    NetworkZone,
    canonical_url,
    check_zone,
    is_safe_route,
    same_origin,
    shown_url,
    written_zone,
    zone_of,
)
from toolbooth.errors import BackendProtocolError


@pytest.mark.parametrize(
    "spelling",
    ["https://mcp.example.com/mcp", "HTTPS://MCP.Example.com:443/mcp", "https://u:p@mcp.example.com/mcp#top"],
)
def test_every_spelling_of_an_address_is_one_key(spelling: str) -> None:
    assert canonical_url(spelling) == "https://mcp.example.com/mcp"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/mcp", "https://a.example/mcp/"),
        ("https://a.example/mcp", "http://a.example/mcp"),
        ("https://a.example/mcp", "https://a.example:8443/mcp"),
        ("https://a.example/mcp?team=1", "https://a.example/mcp?team=2"),
        ("https://a.example/Mcp", "https://a.example/mcp"),
    ],
)
def test_different_addresses_share_nothing(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


def test_an_empty_path_is_the_root() -> None:
    assert canonical_url("https://a.example") == canonical_url("https://a.example/")
    assert canonical_url("http://[::1]:80/x") == "http://[::1]/x"


def test_a_shown_address_has_no_query() -> None:
    assert shown_url("https://u:p@a.example/mcp?api_key=secret") == "https://a.example/mcp"


@pytest.mark.parametrize(
    ("url", "server", "safe"),
    [
        ("https://as.example/token", "https://a.example/mcp", True),
        ("http://as.example/token", "https://a.example/mcp", False),
        ("http://as.example/token", "http://as.example/mcp", False),
        ("http://127.0.0.1:9/token", "http://localhost:8/mcp", True),
        ("http://[::1]:9/token", "http://127.0.0.1:8/mcp", True),
        ("http://127.0.0.1:9/token", "https://a.example/mcp", False),
        ("http://127.0.0.1.example/token", "http://127.0.0.1:8/mcp", False),
        ("file:///etc/passwd", "http://127.0.0.1:8/mcp", False),
    ],
)
def test_secrets_travel_over_tls_or_between_programs_of_this_machine(
    url: str, server: str, safe: bool
) -> None:
    assert is_safe_route(url, server) is safe


def test_an_origin_is_scheme_host_and_port() -> None:
    home = httpx2.URL("https://a.example/mcp")
    assert same_origin(httpx2.URL("https://A.example:443/other"), home)
    for other in ("http://a.example/mcp", "https://a.example:444/mcp", "https://a.example.evil.example/mcp"):
        assert not same_origin(httpx2.URL(other), home)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("127.0.0.1", "loopback"),
        ("127.8.8.8", "loopback"),
        ("0.0.0.0", "loopback"),  # noqa: S104
        ("::", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("2002:7f00:1::", "loopback"),
        ("64:ff9b::7f00:1", "loopback"),
        ("10.0.0.1", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("fd00::1", "private"),
        ("::ffff:10.0.0.1", "private"),
        ("224.0.0.1", "private"),
        ("ff0e::1", "private"),
        ("240.0.0.1", "private"),
        ("169.254.169.254", "link-local"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("1.1.1.1", "public"),
        ("2606:4700::1111", "public"),
    ],
)
def test_every_address_is_somewhere(address: str, place: NetworkZone) -> None:
    assert zone_of(address) == place


@pytest.mark.parametrize(
    ("home", "reached"),
    [
        ("public", {"public"}),
        ("private", {"public", "private"}),
        ("link-local", {"public", "link-local"}),
        ("loopback", {"public", "private", "loopback"}),
    ],
)
def test_a_sign_in_leads_only_to_where_its_server_is_or_to_the_open_network(
    home: NetworkZone, reached: set[NetworkZone]
) -> None:
    places: tuple[NetworkZone, ...] = ("public", "private", "link-local", "loopback")
    for place in places:
        if place in reached:
            check_zone("https://as.example/token", place, home)
        else:
            with pytest.raises(BackendProtocolError, match=f"leads to https://as.example/token at a {place}"):
                check_zone("https://as.example/token?code=secret", place, home)


def test_a_url_may_say_where_it_is() -> None:
    assert written_zone("https://LOCALHOST:1/x") == "loopback"
    assert written_zone("https://[fe80::1]/x") == "link-local"
    assert written_zone("https://10.1.2.3/x") == "private"
    assert written_zone("https://a.example/x") is None
