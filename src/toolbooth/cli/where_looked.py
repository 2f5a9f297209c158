"""The places where no config was → lines for the person who now wants to write one."""

from collections.abc import Sequence
from pathlib import Path

from toolbooth.safetext import for_terminal

EXAMPLE = """\
  an example, as mcp.json, for `toolbooth {verb} mcp.json`:
    {"mcpServers": {
      "time": {"command": "uvx", "args": ["mcp-server-time"]}
    }}"""


_TAKE_FILES = frozenset({"doctor", "init", "lock", "profile", "scan"})  # as their first words


def where_looked(places: Sequence[str], verb: str = "doctor") -> list[str]:
    """Indented lines for who typed this verb; none where nothing was looked for."""
    if not places:
        return []
    return [
        "  looked at:",
        *(f"    {for_terminal(_short(place))}" for place in places),
        EXAMPLE.replace("{verb}", verb if verb in _TAKE_FILES else "doctor"),
    ]


def _short(place: str) -> str:
    path, home = Path(place), Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else place
