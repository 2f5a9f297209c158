"""The places where no config was → lines for the person who now wants to write one."""

from collections.abc import Sequence
from pathlib import Path

from toolbooth.safetext import for_terminal

EXAMPLE = """\
  an example, as mcp.json, for `toolbooth doctor mcp.json`:
    {"mcpServers": {
      "time": {"command": "uvx", "args": ["mcp-server-time"]}
    }}"""


def where_looked(places: Sequence[str]) -> list[str]:
    """Indented lines; none where nothing was looked for."""
    if not places:
        return []
    return ["  looked at:", *(f"    {for_terminal(_short(place))}" for place in places), EXAMPLE]


def _short(place: str) -> str:
    path, home = Path(place), Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else place
