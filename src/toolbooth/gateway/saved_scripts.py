"""A folder of saved scripts → tools that agents find and call like any other; read again when a file changes."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbooth.catalog import ServerTools, Tool

if TYPE_CHECKING:
    from toolbooth.sandbox.scripts import Loaded, Script, Stamp

_NAMES: Final = ("scripts", "saved_scripts")  # the second where a real server is called like the first
_ABOUT: Final = "Saved scripts of this user: several steps in one call"


class SavedScripts:
    """The scripts of one gateway. Nothing of the sandbox is imported while there are none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder: Path | None = folder
        self._stamp: Stamp | None = None
        self._loaded: Loaded | None = None
        self._tools: dict[Tool, Script] = {}
        self.look(folder)

    def look(self, folder: Path | None) -> bool:
        """Whether anything is different since the last look; reads the files only then. Fit for a thread."""
        if folder == self._folder and self._stamp is None and (folder is None or not folder.is_dir()):
            return False
        from toolbooth.sandbox.scripts import ScriptFolder

        there = ScriptFolder(folder) if folder is not None else None
        stamp = there.stamp() if there is not None else ()
        if folder == self._folder and stamp == self._stamp:
            return False
        self._folder, self._stamp = folder, stamp
        self._loaded = there.load() if there is not None else None
        return True

    def offered(self, taken: Collection[str]) -> ServerTools | None:
        """The scripts as tools of a server whose name none of the others has; None without any."""
        name = next((each for each in _NAMES if each not in taken), None)
        scripts = self._loaded.scripts.values() if self._loaded is not None and name is not None else ()
        self._tools = {script.tool(str(name)): script for script in scripts}
        return ServerTools(str(name), tuple(self._tools), description=_ABOUT) if self._tools else None

    def get(self, tool: Tool) -> "Script | None":
        """The script behind a tool, if it is one."""
        return self._tools.get(tool) if self._tools else None

    @property
    def problems(self) -> tuple[str, ...]:
        """A clean line for each file that is left out."""
        return self._loaded.problems if self._loaded is not None else ()
