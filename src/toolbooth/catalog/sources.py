"""The sources of a catalog: config files, saved catalogs, URLs and commands, read one after the other.

Nothing is started here. A file or a server that cannot be used becomes a source error, and reading goes on.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth import errors, figures, limits
from toolbooth.catalog import adhoc, catalog_files, gateway_entries, server_spec, strict_json, tool
from toolbooth.catalog.config import (
    OURS,
    AnswerCaps,
    ConfigFile,
    ConfigLocation,
    Document,
    Enforcement,
    GatewaySettings,
    HostContext,
    Merged,
    ProjectConfig,
    Trust,
    find_configs,
    find_user_configs,
    is_kept_copy,
    known_locations,
    looks_like_config,
    merge,
    read_document,
    regular_file,
    repository_root,
    server_entry,
    stand_in,
    trust_none,
    trusted_projects,
)
from toolbooth.catalog.config.config_file import parse_bytes
from toolbooth.files import data_folder


class SourceError(NamedTuple):
    """A file or a server that could not be used, and why; the others are used."""

    where: str
    reason: str


class AbsentServer(NamedTuple):
    """A server that a config names but that cannot be used: it is incomplete or disabled."""

    server: str
    why: str


@dataclass(frozen=True)
class Sources:
    """What was found before any server is started; a change of one of the `looked_at` files may change it.

    `enforcements` are the different `contracts:` settings of all files; `gateway` has only the first one. `clients`
    say which servers each client sees, and which it reaches through a gateway.
    """

    servers: tuple[server_spec.ServerSpec, ...] = ()
    recorded: tuple[tool.ServerTools, ...] = ()
    read: tuple[str, ...] = ()
    source_errors: tuple[SourceError, ...] = ()
    notes: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    enforcements: tuple[Enforcement, ...] = ()
    looked_at: tuple[Path, ...] = ()
    clients: tuple[gateway_entries.ClientServers, ...] = ()
    not_started: tuple[
        server_spec.ServerSpec, ...
    ] = ()  # of a project's config that is not trusted, as written
    absent: tuple[AbsentServer, ...] = ()
    unusable: frozenset[str] = frozenset()  # the servers with an error before anything is started
    one_file: bool = False  # exactly one was named, so errors need not say which

    def source_error(self, server: str, reason: str, source: str = "") -> SourceError:
        """The error of a server, with the config that names it."""
        if not source:
            source = next((spec.source for spec in self.servers if spec.name == server), "")
        named = source and not self.one_file and source != adhoc.TYPED
        return SourceError(server, f"{reason}; from {source}" if named else reason)

    @property
    def wrong_files(self) -> tuple[SourceError, ...]:
        """The errors of files and names, which a person must correct; all others are of servers."""
        servers = set(self.server_names)
        return tuple(source_error for source_error in self.source_errors if source_error.where not in servers)

    @property
    def failure_code(self) -> int:
        """The exit code where the source errors decide: a file that is wrong goes before a server that is down."""
        return errors.UserMistake.exit_code if self.wrong_files else errors.NothingToWeigh.exit_code

    @property
    def server_names(self) -> list[str]:
        """The names of all servers, those that cannot be used last."""
        usable = (*(spec.name for spec in self.servers), *(each.server for each in self.recorded))
        return list(dict.fromkeys((*usable, *sorted(self.unusable))))

    def only(self, names: Collection[str]) -> "Sources":
        """The sources with these servers only; errors of other servers are left out."""
        others = self.unusable.difference(names)
        return replace(
            self,
            servers=tuple(spec for spec in self.servers if spec.name in names),
            recorded=tuple(each for each in self.recorded if each.server in names),
            source_errors=tuple(
                source_error for source_error in self.source_errors if source_error.where not in others
            ),
            unusable=self.unusable - others,
        )


class SourceFinder:
    def __init__(self, host: HostContext) -> None:
        self.host = host
        self.specs: list[server_spec.ServerSpec] = []
        self.recorded: list[tool.ServerTools] = []
        self.configs: list[ConfigFile] = []
        self.read: list[str] = []
        self.source_errors: list[SourceError] = []
        self.notes: list[str] = []
        self.enforcements: list[Enforcement] = []
        self._numbers: dict[Path, int] = {}  # where each of `configs` was read
        self._followed: list[gateway_entries.Followed] = []
        self._only_behind: frozenset[int] = frozenset()
        self.not_started: list[server_spec.ServerSpec] = []
        self._unrecorded: list[str] = []  # servers that failed when a saved catalog was made
        self.one_file = False
        self._trust: Trust = trust_none
        self._of_project: set[int] = set()  # the numbers of configs that need trust

    def add(self, name: str) -> None:
        if "://" in name:
            self.add_url(name)
            return
        if not name:  # from an unset shell variable; Path("") would be the working folder
            self.source_errors.append(SourceError('""', "the name is empty; name a file, a folder or a URL"))
            return
        try:
            path = Path(name).expanduser()
            files = sorted(path.glob("*.json")) if path.is_dir() else None
        except (OSError, RuntimeError, ValueError) as error:  # a name too long, `~nobody`
            reason = getattr(error, "strerror", None) or str(error)
            self.source_errors.append(SourceError(name, f"cannot be read: {reason}"))
            return
        if files is None:
            self.add_file(path)
            return
        if not files:
            self.source_errors.append(
                SourceError(name, "this folder has no .json file; name a file or another folder")
            )
        for file in files:
            self.add_from_folder(file)

    def add_known_places(self, trust: Trust) -> None:
        looked_at = known_locations(*self.host, repository_root(self.host.cwd))
        found = find_configs(*self.host)
        self._trust = trust
        projects = {
            place.path: self._project_config(place.path, place.data) for place in found if place.project
        }
        in_question = [each for each in projects.values() if each is not None and each.needs_trust]
        trusted = trust(in_question) if in_question else ()
        for place in found:
            if not place.project:
                self.add_file(place.path, self.host.cwd, place.data)
            elif (project := projects[place.path]) is not None:
                self._add_project(project, start=not project.needs_trust or place.path in trusted)
        if not found:
            raise errors.NothingToWeigh(_nowhere(looked_at), tuple(str(place.path) for place in looked_at))

    def add_url(self, url: str) -> None:
        try:
            self.specs.append(adhoc.spec_of_url(url))
        except errors.UserMistake as error:
            self.source_errors.append(SourceError(server_entry.redact_url(url), str(error)))

    def add_file(self, path: Path, cwd: Path | None = None, data: bytes | None = None) -> None:
        """Read one file; `cwd` keeps to the servers for that project where a file holds those of many.

        `data` is what it holds, where it was read before.
        """
        try:
            if data is None:
                data = regular_file.read_regular(path, limits.MAX_CATALOG_BYTES)
            document = self._document(path, data)
            if document is not None:
                self._add_config(read_document(document, self.host.environ, cwd), path)
        except errors.ConfigError as error:
            if not is_kept_copy(path) or path.exists():
                self.source_errors.append(_source_error(error, path))
            elif (found := stand_in(path)) is None:
                self.source_errors.append(SourceError(str(path), gateway_entries.GONE))
            else:
                self.notes.append(gateway_entries.stands_in_words(found))
                self.add_file(found.kept.copy, cwd)
                self._numbers.setdefault(gateway_entries.target_of(path), len(self.configs) - 1)

    def add_behind(self, number: int, path: Path) -> None:
        """Read a file that the gateway in an earlier config reads."""
        before = len(self.source_errors)
        self._add_behind(number, path)
        known, new = self.source_errors[:before], self.source_errors[before:]
        file = self.configs[number]
        reader = f"a gateway entry in {file.client} {file.path} reads it"
        self.source_errors = [
            *known,
            *(SourceError(at, f"{why}; {reader}") for at, why in new if (at, why) not in known),
        ]

    def _add_behind(self, number: int, path: Path) -> None:
        data = data_folder(self.host.home, self.host.environ, self.host.platform)
        if number not in self._of_project or gateway_entries.target_of(path).is_relative_to(
            gateway_entries.target_of(data)
        ):
            self.add_file(path, self.host.cwd)
        elif (project := self._project_config(path)) is not None:
            trusted = not project.needs_trust or path in self._trust([project])
            self._add_project(project, start=trusted)

    def add_from_folder(self, path: Path) -> None:
        """Read one file of a folder: only catalogs, because naming a folder does not approve the commands in it."""
        project = self._project_config(path)
        if project is not None:
            number = _server_count(project.as_written)
            reason = f"is a config with {number}, which a folder does not start; name the file itself"
            self.source_errors.append(SourceError(str(path), reason))

    def _project_config(self, path: Path, data: bytes | None = None) -> ProjectConfig | None:
        """The config in a file that nobody named; a catalog is taken as it is. Nothing it refers to is looked up."""
        try:
            if data is None:
                data = regular_file.read_regular(path, limits.MAX_CATALOG_BYTES)
            document = self._document(path, data)
            if document is None:
                return None
            return trusted_projects.project_config(document, data, self.host.environ, self.host.cwd)
        except errors.ConfigError as error:
            self.source_errors.append(_source_error(error, path))
            return None

    def _document(self, path: Path, data: bytes) -> Document | None:
        """The config in these bytes, or None for a catalog, which is added here."""
        value = _strict_json(data)
        if catalog_files.looks_like_catalog(value):
            self._add_catalog(catalog_files.read_catalog(value, path), path)
            return None
        document = parse_bytes(path, regular_file.bounded(path, data, limits.MAX_CONFIG_BYTES))
        if catalog_files.looks_like_catalog(document.value):
            self._add_catalog(catalog_files.read_catalog(document.value, path), path)
            return None
        if looks_like_config(document.value) or document.syntax == "yaml":
            return document
        raise errors.ConfigError("has neither servers (mcpServers, servers, …) nor a list of tools", path)

    def _add_config(self, file: ConfigFile, path: Path) -> None:
        self.put(file, path)
        if "contracts" in file.gateway:
            self.enforcements.append(file.gateway["contracts"])
        self.read.append(f"{file.client} {path}")

    def _add_project(self, project: ProjectConfig, *, start: bool) -> None:
        file = project.as_written
        if start:
            file = read_document(project.document, self.host.environ, self.host.cwd, in_project=True)
        self._of_project.add(len(self.configs))
        self._add_config(file if start else self._not_started(file), project.path)

    def put(self, file: ConfigFile, path: Path) -> None:
        """Add a config that was read at `path`."""
        self._numbers.setdefault(gateway_entries.target_of(path), len(self.configs))
        self.configs.append(file)

    def number_of(self, path: Path) -> int | None:
        """The number of the config that was read at a path."""
        return self._numbers.get(gateway_entries.target_of(path))

    def look_through(self, cwd: Path | None) -> list[Path]:
        """Replace each entry of this gateway by the servers behind it; returns the files that these come from."""
        first = len(self.configs)
        led_to, self._followed = gateway_entries.look_through(self, cwd, user_config_files)
        self._only_behind = frozenset(range(first, len(self.configs)))
        return led_to

    def _add_catalog(self, catalog: tool.Catalog, path: Path) -> None:
        self.recorded += catalog.servers
        self.source_errors += (SourceError(where, reason) for where, reason in catalog.missing)
        self._unrecorded += (where for where, _reason in catalog.missing)
        self.read.append(f"catalog {path}")

    def _not_started(self, file: ConfigFile) -> ConfigFile:
        """The config of an untrusted project: a note counts its servers, and only its caps on answers are used."""
        if file.servers or file.problems:
            they = "it is" if len(file.servers) + len(file.problems) == 1 else "they are"
            self.notes.append(
                f"project config {file.path} names {_server_count(file)}; {they} not started before you trust it"
            )
        self.not_started += file.servers
        settings = {key: value for key, value in file.gateway.items() if key not in ("contracts", "scripts")}
        return replace(file, servers=(), problems=(), notes=(), gateway=settings)

    def finish(self) -> Sources:
        merged = merge(self.configs, self.specs)
        notes = [*self.notes, *merged.notes]
        taken = {spec.name for spec in merged.servers}
        recorded = tuple(catalog_files.uniquely_named(self.recorded, taken, notes))
        found = Sources(
            servers=merged.servers,
            recorded=recorded,
            read=tuple(self.read),
            notes=tuple(notes),
            disabled=merged.disabled,
            answer_caps=merged.answer_caps,
            gateway=merged.gateway,
            enforcements=tuple(dict.fromkeys(self.enforcements)),
            clients=self._clients(merged, [each.server for each in recorded]),
            not_started=tuple(self.not_started),
            absent=tuple(_absent(merged)),
            unusable=frozenset([*self._unrecorded, *(each.server for each in merged.problems)]),
            one_file=self.one_file,
        )
        problems = (found.source_error(each.server, each.reason, each.source) for each in merged.problems)
        return replace(found, source_errors=(*self.source_errors, *dict.fromkeys(problems)))

    def _clients(self, merged: Merged, recorded: Sequence[str]) -> tuple[gateway_entries.ClientServers, ...]:
        """What each client sees; servers that no config names were typed, or are in a saved catalog."""
        found = gateway_entries.per_client(
            self.configs, merged.names, merged.filters, self._followed, self._only_behind, self.host.home
        )
        known = {name for each in found for name in each.all_servers}
        everything = (*(spec.name for spec in merged.servers), *recorded)
        others = tuple(name for name in everything if name not in known)
        return (*found, gateway_entries.ClientServers("", others)) if others else found


def _absent(merged: Merged) -> Iterator[AbsentServer]:
    """The servers that cannot be used; a problem is reported rather than that the server is disabled elsewhere."""
    known = {spec.name for spec in merged.servers}
    for each in merged.problems:
        if each.server not in known:
            known.add(each.server)
            yield AbsentServer(
                each.server, f"{each.reason}; from {each.source}" if each.source else each.reason
            )
    yield from (
        AbsentServer(name, "is disabled in its config") for name in merged.disabled if name not in known
    )


def _strict_json(data: bytes) -> Any:
    """The value of strict JSON, or None. A catalog may be far larger than a config."""
    try:
        return strict_json.decode(data)
    except strict_json.NotJson:
        return None  # it is parsed again as a config, which reports what is wrong and where


def _server_count(file: ConfigFile) -> str:
    return figures.counted(len(file.servers) + len(file.problems), "server")


def _source_error(error: errors.ConfigError, path: Path) -> SourceError:
    place = ":".join(str(part) for part in (error.path or path, error.line, error.column) if part is not None)
    return SourceError(place, error.message)


def _nowhere(places: Sequence[ConfigLocation]) -> str:
    clients = ", ".join(dict.fromkeys(place.client for place in places))
    return (
        f"no MCP server is configured in any of {len(places)} known places ({clients}); name a file, as in "
        "`toolbooth doctor path/to/mcp.json`, or a command: `toolbooth doctor -- npx -y some-mcp-server`"
    )


def user_config_files(host: HostContext) -> list[Path]:
    """The user's configs. If our own file names servers, or is broken, no other client's file is used."""
    found = find_user_configs(*host)
    ours = SourceFinder(host)
    for place in (place for place in found if place.client == OURS):
        ours.add_file(place.path, host.cwd)
    alone = ours.source_errors or any(map(_names_servers, ours.configs))
    return [place.path for place in found if place.client == OURS or not alone]


def _names_servers(file: ConfigFile) -> bool:
    return bool(file.servers or file.problems or file.disabled)
