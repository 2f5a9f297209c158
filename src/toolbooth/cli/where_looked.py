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


def for_verb(message: str, verb: str) -> str:
    """The sentence that shows calls of `doctor`, with calls of the verb that was typed."""
    typed = "search WORDS --config" if verb == "search" else verb
    if verb not in _TAKE_FILES and verb != "search":
        return message
    return message.replace(
        "`toolbooth doctor --", f"`toolbooth {typed.removesuffix(' --config')} --"
    ).replace("`toolbooth doctor path", f"`toolbooth {typed} path")


def where_looked(places: Sequence[str], verb: str = "doctor") -> list[str]:
    """Indented lines for who typed this verb; none where nothing was looked for.

    Folders above this one have the same places, so they are only counted.
    """
    if not places:
        return []
    here, home = Path.cwd(), Path.home()
    above = {folder for folder in here.parents if folder != home}
    shown = [place for place in places if not _is_above(Path(place), above, here)]
    more = len(places) - len(shown)
    return [
        EXAMPLE.replace("{verb}", verb if verb in _TAKE_FILES else "doctor"),
        "  looked at:",
        *(f"    {for_terminal(_short(place, here))}" for place in shown),
        *([f"    and at the same {more} in the folders above this one"] if more else []),
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
