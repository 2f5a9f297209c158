"""Entries of configs that start this gateway, the files behind them, and the servers that each client sees.

A client whose config names the gateway sees the gateway's few tools, and reaches the servers behind it through them.
Commands that read configs replace such an entry by those servers, because they are what is weighed, locked and tested.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from toolbooth.catalog.config import ConfigFile, HostContext, KeptVersion, is_gateway_server, serve_options
from toolbooth.catalog.config.clients import OURS, client_of
from toolbooth.catalog.config.read import project_of
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool_filter import EVERY_TOOL, ToolFilter
from toolbooth.files import from_home

DEFAULT_SURFACE: Final = "search"
GONE: Final = (
    "is the kept copy of a wrapped config and is gone, and so is its original; put its servers back by hand"
)


class GatewayEntry(NamedTuple):
    """An entry of a client's config that starts the gateway: its surface, and the servers behind it.

    `loaded` says that the client is told to defer none of its tools.
    """

    name: str
    surface: str
    servers: tuple[str, ...]
    loaded: bool = False


class ClientServers(NamedTuple):
    """What one client's model is offered: `servers` directly, the others through `gateways`.

    `client` is "" for servers that were typed or saved: a command, a URL, a catalog. `filters` say which tools its
    configs let through, by server; behind a gateway they hold as well.
    """

    client: str
    servers: tuple[str, ...] = ()
    gateways: tuple[GatewayEntry, ...] = ()
    filters: Mapping[str, ToolFilter] = {}

    @property
    def all_servers(self) -> tuple[str, ...]:
        """All servers of the client, each once."""
        behind = (name for entry in self.gateways for name in entry.servers)
        return tuple(dict.fromkeys((*self.servers, *behind)))


@dataclass
class Followed:
    """One entry of the gateway: the number of its file, and the numbers of the files behind it."""

    spec: ServerSpec
    file: int
    behind: list[int] = field(default_factory=list)
    reason: str = ""


def gateways_in(file: ConfigFile) -> list[ServerSpec]:
    """The servers of a file that are this gateway."""
    return [spec for spec in file.servers if is_gateway_server(spec)]


def stands_in_words(version: KeptVersion) -> str:
    """The note that the original is read instead of the kept copy of a wrapped file."""
    manifest = version.kept.manifest
    return (
        f"the kept copy of {manifest.path} is gone: its original of {version.when:%Y-%m-%d %H:%M} UTC is read instead; "
        f"`toolbooth unwrap {shlex.quote(str(manifest.path))}` puts the servers back into that file"
    )


class ConfigReader(Protocol):
    """A reader of configs: `configs` are those read so far, `host` has the variables and folders to use."""

    configs: list[ConfigFile]
    host: HostContext

    def add_behind(self, number: int, path: Path) -> None: ...

    def add_url(self, url: str) -> None: ...

    def number_of(self, path: Path) -> int | None: ...


class LookedThrough(NamedTuple):
    """The files that entries of the gateway led to, and those entries."""

    led_to: list[Path]
    followed: list[Followed]


def look_through(
    reader: ConfigReader, cwd: Path | None, user_config_files: Callable[[HostContext], Sequence[Path]]
) -> LookedThrough:
    """Remove each entry of the gateway from its config, and read the files behind it.

    Relative paths start at `cwd` if neither the entry nor its project has a folder. An entry that names no file stands
    for `user_config_files`. A file behind a gateway may name another gateway; each file is read once.
    """
    done = LookedThrough([], [])
    number = 0
    while number < len(reader.configs):
        file = reader.configs[number]
        entries = [
            _follow(reader, number, spec, cwd, user_config_files, done.led_to) for spec in gateways_in(file)
        ]
        reader.configs[number] = _without_gateways(file, entries)
        done.followed.extend(entries)
        number += 1
    return done


def _follow(
    reader: ConfigReader,
    number: int,
    spec: ServerSpec,
    cwd: Path | None,
    user_config_files: Callable[[HostContext], Sequence[Path]],
    led_to: list[Path],
) -> Followed:
    done, names, host = Followed(spec, number), serve_options(spec.args).configs, reader.host
    base = spec.cwd or project_of(reader.configs[number].path, host.home) or cwd
    placed = (_placed(name, host.home, base) for name in names)
    found = [each for each in placed if each is not None] if names else [*user_config_files(host)]
    if found:
        done.reason = ": the servers behind it are read instead"
    elif names:
        done.reason = f": {names[0]} is relative to wherever its client starts it"
    reader.host = host._replace(environ={**host.environ, **spec.env})  # as its client would start it
    for each in found:
        if isinstance(each, str):
            reader.add_url(each)
            continue
        led_to.append(each)
        if reader.number_of(each) is None:
            reader.add_behind(number, each)
        done.behind += [] if (behind := reader.number_of(each)) is None else [behind]
    reader.host = host
    return done


def target_of(path: Path) -> Path:
    """The path with links resolved; for a cycle of links, the path itself."""
    try:
        return path.absolute().resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def _placed(name: str, home: Path, base: Path | None) -> Path | str | None:
    if "://" in name:
        return name
    path = from_home(Path(name), home)
    if path.is_absolute():
        return path
    return base / path if base is not None else None


def _without_gateways(file: ConfigFile, followed: Iterable[Followed]) -> ConfigFile:
    """The file without its entries of the gateway, with a note for each."""
    notes = [
        f"{each.spec.name} in {file.path} is this gateway itself, so it is left out{each.reason}"
        for each in followed
    ]
    others = tuple(spec for spec in file.servers if not is_gateway_server(spec))
    return replace(file, servers=others, notes=(*file.notes, *notes))


def per_client(
    files: Sequence[ConfigFile],
    names: Sequence[Sequence[str]],
    filters: Sequence[Mapping[str, ToolFilter]],
    followed: Sequence[Followed],
    only_behind: frozenset[int],
    home: Path,
) -> tuple[ClientServers, ...]:
    """What each client sees; `names` are the servers of each file, `filters` what it lets through of them, and
    `only_behind` the files that no client reads itself.
    """
    reached = {number for each in followed for number in each.behind}
    labels = _labels(files, home)
    found: dict[str, ClientServers] = {}
    for number, file in enumerate(files):
        if number in only_behind or (file.client == OURS and number in reached):
            continue
        before = found.get(labels[number], ClientServers(labels[number]))
        entries = tuple(_entry(each, files, names, followed) for each in followed if each.file == number)
        servers = tuple(dict.fromkeys((*before.servers, *names[number])))
        behind = (one for each in followed if each.file == number for one in _reached(each, followed))
        parts = [before.filters, *(filters[one] for one in dict.fromkeys((number, *behind)))]
        gateways = (*before.gateways, *entries)
        found[labels[number]] = ClientServers(labels[number], servers, gateways, joined_filters(parts))
    return tuple(each for each in found.values() if each.all_servers)


def joined_filters(filters: Iterable[Mapping[str, ToolFilter]]) -> Mapping[str, ToolFilter]:
    """By server, what all of them let through."""
    found: dict[str, ToolFilter] = {}
    for server, each in (pair for part in filters for pair in part.items()):
        found[server] = found.get(server, EVERY_TOOL).joined(each)
    return found


def _entry(
    each: Followed, files: Sequence[ConfigFile], names: Sequence[Sequence[str]], followed: Sequence[Followed]
) -> GatewayEntry:
    behind = list(_reached(each, followed))
    settings: list[Mapping[str, object]] = [files[number].gateway for number in behind]
    said = next((str(found["surface"]) for found in settings if "surface" in found), DEFAULT_SURFACE)
    servers = dict.fromkeys(name for number in behind for name in names[number])
    return GatewayEntry(
        each.spec.name, serve_options(each.spec.args).surface or said, tuple(servers), each.spec.loaded
    )


def _reached(each: Followed, followed: Sequence[Followed]) -> Iterator[int]:
    """The numbers of the files behind an entry, also through gateways behind it; each once."""
    seen: list[int] = []
    todo = list(each.behind)
    while todo:
        number = todo.pop(0)
        if number in seen:
            continue
        seen.append(number)
        todo += (inner for other in followed if other.file == number for inner in other.behind)
    yield from seen


def _labels(files: Sequence[ConfigFile], home: Path) -> list[str]:
    """A label for each file: files of one client share one, but not across projects; other files have their own."""
    projects: dict[str, set[Path]] = {}
    for file in files:
        if (project := project_of(file.path, home)) is not None:
            projects.setdefault(file.client, set()).add(project)
    return [_label(file, projects.get(file.client, set()), project_of(file.path, home)) for file in files]


def _label(file: ConfigFile, projects: set[Path], project: Path | None) -> str:
    if client_of(file.path) is None:
        return str(file.path)
    # Nested folders are one project: a client reads its files from the working folder upward.
    nested = all(
        one.is_relative_to(other) or other.is_relative_to(one) for one in projects for other in projects
    )
    return file.client if nested or project is None else f"{file.client} in {project}"
