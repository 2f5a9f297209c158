"""Reading a config file of any client: its servers, problems and settings."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from toolbooth import safetext
from toolbooth.catalog.config import (
    claude_settings,
    clients,
    config_file,
    gateway_settings,
    merging,
    server_entry,
    variables,
)
from toolbooth.catalog.config.config_file import Document, parse_document
from toolbooth.catalog.config.formats import format_of
from toolbooth.catalog.config.originals import Manifest, manifest_beside
from toolbooth.catalog.server_spec import ServerSpec

_PROJECT_FILES: Final = frozenset({".mcp.json"})
_PROJECT_SUFFIXES: Final = frozenset({".code-workspace"})


def read_config(
    path: Path, environ: Mapping[str, str] | None = None, cwd: Path | None = None
) -> config_file.ConfigFile:
    """Read the config of any client; raises ConfigError.

    `cwd` is the project that the user works in: in a file with servers for many projects (Claude Code), only those for
    `cwd` are used. Without it all are used, and relative paths start at the process's own folder.
    """
    environ = os.environ if environ is None else environ
    return read_document(parse_document(path), environ, cwd)


def read_document(
    document: Document,
    environ: Mapping[str, str],
    cwd: Path | None = None,
    *,
    in_project: bool = False,
    literal: bool = False,
) -> config_file.ConfigFile:
    """Read a parsed file; with `literal`, no variable and no file is looked up.

    A kept copy of a wrapped file is read as if it were at its old path, without the servers that stayed there. A file
    in a project is never treated as such a copy, because its manifest could be forged.
    """
    kept = None if in_project else manifest_beside(document.path)
    path = kept.path if kept else document.path
    chosen = format_of(document)
    reading = chosen.read(document)
    client = clients.client_of(path)
    collector = _Collector(path, client.name if client else chosen.name)
    scope = replace(scope_of(path, reading, environ, cwd), literal=literal)
    rules = _rules_of(collector.client, path, scope, cwd)
    for raw in in_force(_moved(reading, kept) if kept else reading, cwd):
        collector.add(rules.applied(raw, path), scope)
    collector.problems += rules.problems
    settings = gateway_settings.with_absolute_paths(reading.gateway, scope.workspace, scope.home)
    return replace(collector.finish(replace(reading, gateway=settings)), rules=rules.places)


def _rules_of(
    client: str, path: Path, scope: variables.Scope, cwd: Path | None
) -> claude_settings.ClaudeSettings:
    """What the client keeps in files of its own about the servers in this one."""
    if client != claude_settings.CLIENT or scope.literal:
        return claude_settings.ClaudeSettings()
    folders = (folder for folder in (project_of(path, scope.home), cwd) if folder is not None)
    return claude_settings.read_settings(scope.home, tuple(folders), scope.environ)


def scope_of(
    path: Path, reading: config_file.RawConfig, environ: Mapping[str, str], cwd: Path | None = None
) -> variables.Scope:
    """The scope in which the references of a file are resolved."""
    client, home = clients.client_of(path), home_of(environ)
    return variables.Scope(
        environ=environ,
        home=home,
        workspace=reading.base or project_of(path, home) or cwd or Path.cwd(),
        inputs=reading.inputs,
        bare_dollar=reading.bare_dollar or (client is not None and client.bare_dollar),
    )


def project_of(path: Path, home: Path) -> Path | None:
    """The project that a config belongs to; None for a config of the user or the machine."""
    path = path.absolute()
    if path.name in _PROJECT_FILES or path.suffix in _PROJECT_SUFFIXES:
        return path.parent
    dotted = next((folder for folder in list(path.parents)[:2] if folder.name.startswith(".")), None)
    return dotted.parent if dotted is not None and dotted.parent != home else None


def _moved(reading: config_file.RawConfig, kept: Manifest) -> config_file.RawConfig:
    moved = [raw for raw in reading.servers if raw.project is None and raw.name not in kept.stays]
    return replace(reading, servers=tuple(moved), disables=frozenset())


def home_of(environ: Mapping[str, str]) -> Path:
    """The home folder in this environment."""
    named = environ.get("HOME") or environ.get("USERPROFILE")
    return Path(named) if named else Path.home()


def in_force(reading: config_file.RawConfig, cwd: Path | None) -> list[config_file.RawServer]:
    """The servers of a file that are used in `cwd`."""
    if cwd is None:
        return list(reading.servers)
    meant = [raw for raw in reading.servers if raw.project is None or cwd.is_relative_to(raw.project)]
    return [
        replace(raw, disabled=raw.disabled or any(map(cwd.is_relative_to, raw.disabled_in))) for raw in meant
    ]


class _Collector:
    """Sorts the servers of one file into usable ones, disabled ones and problems."""

    def __init__(self, path: Path, client: str) -> None:
        self.path, self.client = path, client
        self.specs: list[ServerSpec] = []
        self.problems: list[config_file.ServerProblem] = []
        self.disabled: list[str] = []
        self.notes: list[str] = []

    def add(self, raw: config_file.RawServer, scope: variables.Scope) -> None:
        name = merging.clean_name(raw.name)
        if not name:
            self.problems.append(
                config_file.ServerProblem("(no name)", f"a server in {self.path} has no usable name")
            )
            return
        if raw.disabled:
            self.disabled.append(name)
            return
        try:
            spec = server_entry.server_spec(raw, name, of_project(scope, raw), self.source(raw))
        except server_entry.Unusable as error:
            self.problems.append(config_file.ServerProblem(name, str(error), self.source(raw)))
            return
        self.specs.append(spec if name == raw.name else replace(spec, written=raw.name))
        if name != raw.name:
            self.notes.append(f"{safetext.for_terminal(raw.name, 80)!r} in {self.path} is called {name} here")

    def source(self, raw: config_file.RawServer) -> str:
        project = f", project {raw.project}" if raw.project else ""
        return f"{self.client} ({self.path}{project})"

    def finish(self, reading: config_file.RawConfig) -> config_file.ConfigFile:
        folded = merging.fold(self.specs)
        return config_file.ConfigFile(
            path=self.path,
            client=self.client,
            servers=folded.servers,
            problems=tuple(self.problems),
            disabled=tuple(dict.fromkeys(self.disabled)),
            answer_caps=reading.answer_caps,
            gateway=reading.gateway,
            notes=(*self.notes, *folded.notes),
            disables=frozenset((path, merging.clean_name(name)) for path, name in reading.disables),
        )


def of_project(scope: variables.Scope, raw: config_file.RawServer) -> variables.Scope:
    """The scope of a server, which may be for one project only."""
    return replace(scope, workspace=raw.project) if raw.project else scope
