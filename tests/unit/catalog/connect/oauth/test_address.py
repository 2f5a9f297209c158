"""One address has one spelling, and secrets travel only over TLS or on this machine."""

import httpx2
import pytest

from toolbooth.catalog.connect.oauth.address import canonical, is_safe_way, same_origin, shown


@pytest.mark.parametrize(
    "spelling",
    ["https://mcp.example.com/mcp", "HTTPS://MCP.Example.com:443/mcp", "https://u:p@mcp.example.com/mcp#top"],
)
def test_every_spelling_of_an_address_is_one_key(spelling: str) -> None:
    assert canonical(spelling) == "https://mcp.example.com/mcp"


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
    assert canonical(one) != canonical(other)


def test_an_empty_path_is_the_root() -> None:
    assert canonical("https://a.example") == canonical("https://a.example/")
    assert canonical("http://[::1]:80/x") == "http://[::1]/x"


def test_a_shown_address_has_no_query() -> None:
    assert shown("https://u:p@a.example/mcp?api_key=secret") == "https://a.example/mcp"


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
    assert is_safe_way(url, server) is safe


def test_an_origin_is_scheme_host_and_port() -> None:
    home = httpx2.URL("https://a.example/mcp")
    assert same_origin(httpx2.URL("https://A.example:443/other"), home)
    for other in ("http://a.example/mcp", "https://a.example:444/mcp", "https://a.example.evil.example/mcp"):
        assert not same_origin(httpx2.URL(other), home)
