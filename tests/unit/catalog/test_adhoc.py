"""A server typed by hand gets a name that a person recognises."""

import pytest

from toolbooth.catalog.adhoc import spec_of_command, spec_of_url
from toolbooth.errors import UserMistake


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything@1.2 stdio", "server-everything"),
        ("uvx mcp-server-git --repository .", "mcp-server-git"),
        ("python3.12 -m my.server", "my-server"),
        ("node /opt/acme/build/index.js", "acme"),
        ("/usr/local/bin/mytool.sh --x", "mytool"),
        ("docker run -i image", "docker"),
        ("pnpm dlx some-server", "some-server"),
        ("node --api-key SECRET srv.js", "srv"),
        ("node --api-key SECRET", "node"),
        ("uvx --token SECRET some-server", "uvx"),
        ("uvx --db postgres://me:SECRET@host/db", "uvx"),
        ("npx --token=SECRET some-server", "some-server"),
        ("npx --token /SECRET/+a @scope/server-x@2.1.0", "server-x"),
        ("uvx --python 3.12 --from git+https://x/y mcp-server-git", "mcp-server-git"),
        ("python3 -c SECRET", "python3"),
        ("python -u -m my.server", "my-server"),
    ],
)
def test_the_name_of_a_command(command: str, name: str) -> None:
    spec = spec_of_command(command.split())
    assert (spec.name, spec.transport, spec.command, spec.args) == (
        name,
        "stdio",
        *[command.split()[0], tuple(command.split()[1:])],
    )


def test_the_name_of_a_url() -> None:
    spec = spec_of_url("https://mcp.example.com:8443/mcp?key=secret")
    assert (spec.name, spec.transport) == ("mcp-example-com", "auto")
    assert "secret" not in repr(spec)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://[::1", "invalid host"),
        ("http://", "has no host"),
        ("http://:80/x", "has no host"),
        ("http://x:0/", "port"),
        ("http://x:65536/", "port"),
        ("http://x:SECRET/", "port"),
        ("http://a b/", "blank"),
        ("http://a..SECRET/", "invalid host"),
        ("http://[SECRET]/", "invalid host"),
        ("ftp://SECRET/", "http://"),
    ],
)
def test_a_bad_url_is_one_line_that_does_not_repeat_it(url: str, says: str) -> None:
    with pytest.raises(UserMistake, match=says) as caught:
        spec_of_url(url)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://[::1]:80/x", "HTTPS://my_host.local:65535", "http://bücher.example/?q=1"]
)
def test_a_usual_url_is_taken(url: str) -> None:
    assert spec_of_url(url).url == url
