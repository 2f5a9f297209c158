"""The gateway knows itself in a config, and nobody else."""

import pytest

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.config import is_gateway_server


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("toolbooth serve", True),
        ("/opt/venv/bin/toolbooth serve --config x.json", True),
        ("C:\\Tools\\Toolbooth.exe serve", True),
        ("/usr/bin/python3 -m toolbooth serve --no-daemon", True),
        ("uvx toolbooth serve", True),
        ("uv run toolbooth@latest serve", True),
        ("toolbooth doctor", False),
        ("python -m toolbooth.demo files", False),
        ("npx -y server-filesystem /src/toolbooth serve", False),
        ("serve toolbooth", False),
    ],
)
def test_only_toolbooth_serve_is_it(line: str, own: bool) -> None:
    command, *args = line.split()
    assert is_gateway_server(ServerSpec("x", "stdio", command=command, args=tuple(args))) is own
