"""A server typed by hand gets a name that a person recognises."""

import pytest

from toolbooth.catalog.adhoc import spec_of_command, spec_of_url


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
