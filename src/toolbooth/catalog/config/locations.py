"""Where the clients keep their configs, for a home folder, a working folder, an environment and a platform."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth import errors, limits
from toolbooth.catalog.config import clients, config_file, regular_file
from toolbooth.catalog.config.formats import looks_like_config
from toolbooth.catalog.config.read import home_of


class HostContext(NamedTuple):
    """The folders, environment and platform that decide where configs are."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def here(cls) -> "HostContext":
        """The context of this process."""
        return cls(Path.home(), Path.cwd(), os.environ, sys.platform)

    @classmethod
    def of(cls, environ: Mapping[str, str], cwd: Path) -> "HostContext":
        """The context of another process on this machine."""
        return cls(home_of(environ), cwd, environ, sys.platform)


_PLATFORMS: Final = {"darwin": "macos", "macos": "macos", "win32": "windows", "windows": "windows"}
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MENTIONS: Final = (
    b"mcpServers",
    b"mcp_servers",
    b"context_servers",
    b'"servers"',
    b"servers:",
    b"tools:",
    b"McpjsonServers",
)
_SHARED: Final = ("settings.json", "config.toml", "default.json")  # clients keep other settings in these too


class ConfigLocation(NamedTuple):
    """A file where this client may keep servers; that of a `project` may come from an untrusted repository."""

    client: str
    path: Path
    project: bool = False
    data: bytes | None = None  # of a file that was found: what it holds, so that it is read once

    def __repr__(self) -> str:
        """Without the data, which may hold secrets."""
        return f"ConfigLocation({self.client!r}, {self.path!r}, project={self.project})"


def known_locations(
    home: Path, cwd: Path, environ: Mapping[str, str], platform: str, root: Path | None = None
) -> tuple[ConfigLocation, ...]:
    """Every possible file, those of projects first; this reads nothing from disk.

    Project files are expected in `cwd` and the folders above it, up to `root` (a repository) or else below `home`.
    """
    system = _PLATFORMS.get(platform, "linux")
    folders = {name: folder(home, environ) for name, folder in _FOLDERS[system].items()}
    projects = _upward(cwd, home, root)
    own = [
        ConfigLocation(client.name, path)
        for client in clients.CLIENTS
        if system in client.platforms
        for path in _user_files(client, home, folders, environ)
    ]
    users = {place.path for place in own}  # in the home folder a project's path may be the user's
    found = [
        ConfigLocation(client.name, path, path not in users)
        for project in projects
        for client, file in _project_files()
        for path in (project / file,)
    ]
    return tuple({place.path: place for place in reversed((*found, *own))}.values())[::-1]


def find_configs(
    home: Path, cwd: Path, environ: Mapping[str, str], platform: str
) -> tuple[ConfigLocation, ...]:
    """The known files that exist and mention servers, and broken files that hold nothing but servers."""
    places = known_locations(home, cwd, environ, platform, repository_root(cwd))
    return tuple(found for place in places if (found := _found(place)) is not None)


def find_user_configs(
    home: Path, cwd: Path, environ: Mapping[str, str], platform: str
) -> tuple[ConfigLocation, ...]:
    """The user's configs, without those of projects, but with a `toolbooth.yaml` that has only settings."""
    places = (place for place in known_locations(home, cwd, environ, platform) if not place.project)
    found = ((place, _found(place)) for place in places)
    return tuple(
        read or place
        for place, read in found
        if read is not None or (place.client == clients.OURS and _is_there(place.path))
    )


def default_scripts_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """The folder `scripts` beside the user's own toolbooth.yaml, which need not exist."""
    system = _PLATFORMS.get(platform, "linux")
    folders = {name: folder(home, environ) for name, folder in _FOLDERS[system].items()}
    own = next(
        client for client in clients.CLIENTS if client.name == clients.OURS and system in client.platforms
    )
    return next(iter(_user_files(own, home, folders, environ))).parent / "scripts"


def repository_root(cwd: Path) -> Path | None:
    """The nearest repository: `cwd` or a folder above it."""
    return next((folder for folder in (cwd, *cwd.parents) if _exists(folder / ".git")), None)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder without permission
        return False


def _is_there(path: Path) -> bool:
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        return error.errno == errno.ELOOP  # a cycle of symbolic links is a mistake that should be reported


def _found(place: ConfigLocation) -> ConfigLocation | None:
    """The place with its data, if it mentions servers or cannot be read; whoever uses it then says why."""
    path = place.path
    if not _is_there(path):
        return None
    try:
        data = regular_file.read_start(path, limits.MAX_CONFIG_BYTES)
    except errors.ConfigError:
        return place
    whole = len(data) < limits.MAX_CONFIG_BYTES
    found = place._replace(data=data) if whole else place
    if data.startswith(_UTF16_MARKS):
        return found  # nothing else will tell the user that no client can read it
    mentioned = any(mention in data for mention in _MENTIONS)
    if not mentioned and (path.name in _SHARED or not data.strip() or not whole):
        return None
    try:
        value = (config_file.parse_bytes(path, data) if whole else config_file.parse_document(path)).value
    except errors.ConfigError:
        return found
    return found if looks_like_config(value) or (mentioned and path.stem == "toolbooth") else None


def _project_files() -> Iterator[tuple[clients.Client, str]]:
    return ((client, file) for client in clients.CLIENTS for file in client.project)


def _user_files(
    client: clients.Client, home: Path, folders: Mapping[str, Path], environ: Mapping[str, str]
) -> Iterable[Path]:
    moved = [_under(type(home)(environ[name]), tail) for name, tail in client.moved if environ.get(name)]
    usual = [
        _under(folders[template[1 : template.index("}")]], template.partition("}/")[2])
        for template in client.user
    ]
    return [*moved, *usual]


def _under(folder: Path, tail: str) -> Path:
    return folder.joinpath(*tail.split("/")) if tail else folder


def _upward(cwd: Path, home: Path, root: Path | None) -> list[Path]:
    folders = [cwd]
    last = root or cwd.anchor
    while folders[-1] != last and (parent := folders[-1].parent) not in (home, type(cwd)(cwd.anchor)):
        folders.append(parent)
    return folders


_Folder = Callable[[Path, Mapping[str, str]], Path]


def _environ_or(variable: str, *usual: str) -> _Folder:
    return lambda home, environ: (
        type(home)(environ[variable]) if environ.get(variable) else home.joinpath(*usual)
    )


def _home(*parts: str) -> _Folder:
    return lambda home, _environ: home.joinpath(*parts)


def _fixed(path: str) -> _Folder:
    return lambda home, _environ: type(home)(path)


_ROAMING: Final = _environ_or("APPDATA", "AppData", "Roaming")
_XDG: Final = _environ_or("XDG_CONFIG_HOME", ".config")
_FOLDERS: Final[Mapping[str, Mapping[str, _Folder]]] = {
    "linux": {"home": _home(), "appconfig": _XDG, "xdg": _XDG, "system": _fixed("/etc")},
    "macos": {
        "home": _home(),
        "appconfig": _home("Library", "Application Support"),
        "xdg": _home(".config"),
        "system": _fixed("/Library/Application Support"),
    },
    "windows": {
        "home": _home(),
        "appconfig": _ROAMING,
        "localappdata": _environ_or("LOCALAPPDATA", "AppData", "Local"),
        "system": lambda home, environ: type(home)(environ.get("PROGRAMDATA", "C:\\ProgramData")),
    },
}
