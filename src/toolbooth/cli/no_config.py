"""What a command prints when no config was found: the places searched, and an example to start from."""

from collections.abc import Sequence
from pathlib import Path

from toolbooth import safetext

EXAMPLE = """\
  save this as mcp.json and run `toolbooth {command} mcp.json`:
    {"mcpServers": {
      "time": {"command": "uvx", "args": ["mcp-server-time"]}
    }}"""


_TAKE_FILES = frozenset({"doctor", "init", "lock", "profile", "scan"})  # as their first words
_BEFORE_CONFIG = {"search": "search WORDS", "diff": "diff LOCK"}  # these take files by --config


def for_command(message: str, command: str) -> str:
    """The message with the current command in place of `doctor` in its examples."""
    typed = command if command in _TAKE_FILES else _BEFORE_CONFIG.get(command)
    if typed is None:
        return message
    file = typed if command in _TAKE_FILES else f"{typed} --config"
    return message.replace("`toolbooth doctor --", f"`toolbooth {typed} --").replace(
        "`toolbooth doctor path", f"`toolbooth {file} path"
    )


def searched_places(places: Sequence[str], command: str = "doctor") -> list[str]:
    """Indented lines: an example and the places searched; empty if nothing was searched.

    Parent folders have the same places, so they are only counted.
    """
    if not places:
        return []
    here, home = Path.cwd(), Path.home()
    above = {folder for folder in here.parents if folder != home}
    shown = [place for place in places if not _is_above(Path(place), above, here)]
    more = len(places) - len(shown)
    return [
        EXAMPLE.replace("{command}", command if command in _TAKE_FILES else "doctor"),
        "  searched:",
        *(f"    {safetext.for_terminal(_short(place, here))}" for place in shown),
        *([f"    and the same {more} in the folders above this one"] if more else []),
    ]


def _is_above(path: Path, above: set[Path], here: Path) -> bool:
    """Whether it is a project's place of a folder above: known places of the user and the system are not."""
    if path.is_relative_to(here) or path.is_relative_to(Path.home()):
        return False
    return any(path.is_relative_to(folder) for folder in above if folder != Path(folder.anchor))


def _short(place: str, here: Path) -> str:
    path, home = Path(place), Path.home()
    if path.is_relative_to(here):
        return str(path.relative_to(here))
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else place
