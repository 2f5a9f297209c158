"""Loading a catalog from what a user names: files, folders, URLs, a command, or nothing (the known configs)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toolbooth import errors, files
from toolbooth.catalog import adhoc, strict_json, tool
from toolbooth.catalog.config import (
    ConfigFile,
    HostContext,
    ServerProblem,
    Trust,
    known_locations,
    looks_like_config,
    read_config,
    read_document,
    trust_none,
)
from toolbooth.catalog.config.config_file import parse_bytes
from toolbooth.catalog.gateway_entries import (
    ClientServers,
    GatewayEntry,
    gateways_in,
)
from toolbooth.catalog.sources import SourceError, SourceFinder, Sources, user_config_files

__all__ = [
    "ClientServers",
    "GatewayEntry",
    "HostContext",
    "LoadedCatalog",
    "SourceError",
    "Sources",
    "config_sources",
    "find_sources",
    "gateway_sources",
    "load",
    "written_sources",
]


@dataclass(frozen=True)
class LoadedCatalog:
    """The catalog, and its sources with all errors, including those of servers."""

    catalog: tool.Catalog
    sources: Sources


def find_sources(
    named: Sequence[str] = (),
    command: Sequence[str] = (),
    host: HostContext | None = None,
    *,
    trust: Trust = trust_none,
) -> Sources:
    """Read what was named, or else every known config; raises NothingToWeigh if there is nothing at all.

    A project's config may come from anyone: starting its servers runs their commands, and filling in its variables
    reads files and secrets. Unless `trust` allows it, its servers are only counted in a note. A config that names this
    gateway stands for the servers behind it; a `command` is used as typed, so that a gateway itself can be examined.
    """
    host = host or HostContext.here()
    finder = SourceFinder(host)
    if command:
        finder.specs.append(adhoc.spec_of_command(command))
    finder.one_file = len(named) == 1 and not command
    for name in named:
        finder.add(name)
    if not named and not command:
        finder.add_known_places(trust)
    finder.look_through(host.cwd if named else None)
    return finder.finish()


def config_sources(path: Path, environ: Mapping[str, str]) -> ConfigFile:
    """One config, with the servers behind its gateways instead of them; raises ConfigError if it cannot be read."""
    file = read_config(path, environ)
    if not gateways_in(file):
        return file
    finder = SourceFinder(HostContext.of(environ, Path.cwd()))
    finder.one_file = True
    finder.put(file, path)
    finder.look_through(finder.host.cwd)
    found = finder.finish()
    problems = tuple(ServerProblem(*source_error) for source_error in found.source_errors)
    return replace(file, servers=found.servers, problems=problems, notes=found.notes)


def gateway_sources(config: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Sources:
    """What a gateway serves to a process in `cwd` with this `environ`: the named configs, or else the user's own.

    A project's config is never used unasked, because an editor starts the gateway in any repository that it opens.
    This raises nothing: a gateway without servers waits until one of `looked_at` changes.
    """
    finder = SourceFinder(HostContext.of(environ, cwd))
    looked_at = _add_named(finder, config) if config else _add_user_configs(finder)
    looked_at += finder.look_through(finder.host.cwd if config else None)
    looked_at += (rule for file in finder.configs for rule in file.rules)
    sources = finder.finish()
    notes = [f"{each.server} is a saved catalog, so nothing in it can be called" for each in sources.recorded]
    return replace(sources, notes=(*sources.notes, *notes), looked_at=tuple(dict.fromkeys(looked_at)))


def written_sources(config: Mapping[str, Any], environ: Mapping[str, str], cwd: Path) -> Sources:
    """Sources from a config that a program made, with the keys of `toolbooth.yaml` or of any client's file.

    Raises ConfigError if it has no servers or cannot be written as JSON.
    """
    place = Path("the config")  # stands in errors only
    try:
        document = parse_bytes(place, strict_json.encode_line(config))
    except (TypeError, ValueError) as error:
        raise errors.ConfigError(f"cannot be written as JSON: {error}", place) from None
    if not looks_like_config(document.value):
        raise errors.ConfigError("has no servers (mcpServers, servers, …)", place)
    finder = SourceFinder(HostContext.of(environ, cwd))
    finder.put(read_document(document, environ, cwd), place)
    finder.look_through(cwd)
    return finder.finish()


def _add_named(finder: SourceFinder, config: Sequence[str]) -> list[Path]:
    looked_at = []
    for name in config:
        if not name or "://" in name:
            finder.add(name)
            continue
        path = finder.host.cwd / files.from_home(Path(name), finder.host.home)
        looked_at.append(path)
        finder.add_file(path, finder.host.cwd)
    return looked_at


def _add_user_configs(finder: SourceFinder) -> list[Path]:
    for path in user_config_files(finder.host):
        finder.add_file(path, finder.host.cwd)
    return [place.path for place in known_locations(*finder.host) if not place.project]


async def load(sources: Sources, on_reached: Callable[[Any], None] | None = None) -> LoadedCatalog:
    """Connect to all servers at once, and join their tools with those of saved catalogs."""
    live: list[tool.ServerTools] = []
    source_errors = list(sources.source_errors)
    if sources.servers:
        from toolbooth.catalog.connect import reach_all  # the protocol SDK takes a second to import

        for reached in await reach_all(sources.servers, on_reached or (lambda _reached: None)):
            if reached.tools is not None:
                live.append(reached.tools)
            elif reached.fault is not None:
                source_errors.append(
                    sources.source_error(reached.spec.name, reached.fault.message, reached.spec.source)
                )
    catalog = tool.Catalog((*sources.recorded, *live))
    source_errors += [
        SourceError(entry.server, f"its list was cut: {entry.reason}")
        for entry in catalog.set_aside
        if entry.kind == "cut"
    ]
    return LoadedCatalog(catalog, replace(sources, source_errors=tuple(dict.fromkeys(source_errors))))
