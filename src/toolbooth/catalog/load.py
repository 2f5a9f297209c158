"""What a user named (files, folders, URLs, a command, nothing) → one catalog, and every trouble met."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth.catalog.adhoc import spec_of_command, spec_of_url
from toolbooth.catalog.config import (
    OURS,
    AnswerCaps,
    ConfigFile,
    Enforcement,
    GatewaySettings,
    Merged,
    Place,
    ServerProblem,
    Surroundings,
    find_configs,
    find_user_configs,
    is_kept_copy,
    known_places,
    looks_like_config,
    merge,
    parse_document,
    read_config,
    read_document,
    repository_root,
    stand_in,
)
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.web_address import without_secrets
from toolbooth.catalog.gateway_entries import (
    GONE,
    ClientServers,
    Followed,
    GatewayEntry,
    gateways_in,
    look_through,
    per_client,
    stands_in_words,
    target_of,
)
from toolbooth.catalog.offline import looks_like_catalog, read_catalog, uniquely_named
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import NotJson, decode
from toolbooth.catalog.tool import Catalog, ServerTools
from toolbooth.errors import ConfigError, NothingToWeigh, UserMistake
from toolbooth.limits import MAX_CATALOG_BYTES

__all__ = [
    "ClientServers",
    "GatewayEntry",
    "Loaded",
    "Sources",
    "Surroundings",
    "Trouble",
    "config_sources",
    "find_sources",
    "gateway_sources",
    "load",
]


class Trouble(NamedTuple):
    """A file or a server that could not be used, and why; all else goes on."""

    where: str
    reason: str


@dataclass(frozen=True)
class Sources:
    """What was found before any server is started; `looked_at` are the files whose change may change it.

    `enforcements` are the different `contracts:` of the files whose servers count; of `gateway` only the first is.
    `clients` say which of the servers each client sees, and which it reaches through a gateway.
    """

    servers: tuple[ServerSpec, ...] = ()
    recorded: tuple[ServerTools, ...] = ()
    read: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    notes: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    enforcements: tuple[Enforcement, ...] = ()
    looked_at: tuple[Path, ...] = ()
    clients: tuple[ClientServers, ...] = ()


@dataclass(frozen=True)
class Loaded:
    """The catalog, and the sources it came from with every trouble, the servers' included."""

    catalog: Catalog
    sources: Sources


def find_sources(
    named: Sequence[str] = (),
    command: Sequence[str] = (),
    around: Surroundings | None = None,
    *,
    trust_project: bool = False,
) -> Sources:
    """Read what was named, or else every known place; raises NothingToWeigh where there is nothing at all.

    A project's config may be a stranger's, and starting its servers runs their commands: unless `trust_project`,
    its servers are only counted in a note. A config that names this gateway stands for the servers behind it; a
    `command` is taken as it is typed, so that a gateway, too, can be looked at.
    """
    around = around or Surroundings.here()
    finding = _Finding(around)
    if command:
        finding.specs.append(spec_of_command(command))
    for name in named:
        finding.add(name)
    if not named and not command:
        finding.add_known_places(trust_project)
    finding.look_through(around.cwd if named else None)
    return finding.finish()


def config_sources(path: Path, environ: Mapping[str, str]) -> ConfigFile:
    """One config with the servers behind its gateways in their place; raises ConfigError where it cannot be read."""
    file = read_config(path, environ)
    if not gateways_in(file):
        return file
    finding = _Finding(Surroundings.of(environ, Path.cwd()))
    finding.put(file, path)
    finding.look_through(finding.around.cwd)
    found = finding.finish()
    problems = tuple(ServerProblem(*trouble) for trouble in found.troubles)
    return replace(file, servers=found.servers, problems=problems, notes=found.notes)


def gateway_sources(config: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Sources:
    """What a gateway serves to a process in `cwd` with this `environ`: the named configs, or else the user's own.

    Never a project's config unasked: an editor starts the gateway in whatever clone it opens. Raises nothing;
    a gateway without servers waits for one of `looked_at` to change.
    """
    finding = _Finding(Surroundings.of(environ, cwd))
    looked_at = _add_named(finding, config) if config else _add_users(finding)
    looked_at += finding.look_through(finding.around.cwd if config else None)
    sources = finding.finish()
    notes = [f"{each.server} is a saved catalog, so nothing in it can be called" for each in sources.recorded]
    return replace(sources, notes=(*sources.notes, *notes), looked_at=tuple(looked_at))


def _add_named(finding: "_Finding", config: Sequence[str]) -> list[Path]:
    looked_at = []
    for name in config:
        if not name or "://" in name:
            finding.add(name)
            continue
        path = finding.around.cwd / _from_home(name, finding.around.home)
        looked_at.append(path)
        finding.add_file(path, finding.around.cwd)
    return looked_at


def _add_users(finding: "_Finding") -> list[Path]:
    for path in _users_own(finding.around):
        finding.add_file(path, finding.around.cwd)
    return [place.path for place in known_places(*finding.around) if not place.project]


def _users_own(around: Surroundings) -> list[Path]:
    """Our own file wins alone if it names servers, and also if it is broken: then nothing else is guessed."""
    found = find_user_configs(*around)
    ours = _Finding(around)
    for place in (place for place in found if place.client == OURS):
        ours.add_file(place.path, around.cwd)
    alone = ours.troubles or any(map(_names_servers, ours.configs))
    return [place.path for place in found if place.client == OURS or not alone]


def _names_servers(file: ConfigFile) -> bool:
    return bool(file.servers or file.problems or file.disabled)


def _from_home(name: str, home: Path) -> Path:
    path = Path(name)
    return home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


async def load(sources: Sources, on_reached: Callable[[Any], None] | None = None) -> Loaded:
    """Reach every server at once and join what they offer with what was recorded."""
    live: list[ServerTools] = []
    troubles = list(sources.troubles)
    if sources.servers:
        from toolbooth.catalog.connect import reach_all  # the protocol SDK takes a second to import

        for reached in await reach_all(sources.servers, on_reached or (lambda _reached: None)):
            if reached.tools is not None:
                live.append(reached.tools)
            elif reached.fault is not None:
                troubles.append(Trouble(reached.spec.name, reached.fault.message))
    catalog = Catalog((*sources.recorded, *live))
    troubles += [
        Trouble(entry.server, f"its list was cut: {entry.reason}")
        for entry in catalog.set_aside
        if entry.kind == "cut"
    ]
    return Loaded(catalog, replace(sources, troubles=tuple(dict.fromkeys(troubles))))


class _Finding:
    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.specs: list[ServerSpec] = []
        self.recorded: list[ServerTools] = []
        self.configs: list[ConfigFile] = []
        self.read: list[str] = []
        self.troubles: list[Trouble] = []
        self.notes: list[str] = []
        self.enforcements: list[Enforcement] = []
        self._numbers: dict[Path, int] = {}  # where each of `configs` was read
        self._followed: list[Followed] = []
        self._only_behind: frozenset[int] = frozenset()

    def add(self, name: str) -> None:
        if "://" in name:
            self.add_url(name)
            return
        if not name:  # as an unset variable of a shell gives it; Path("") would be the working folder
            self.troubles.append(Trouble('""', "the name is empty; name a file, a folder or a URL"))
            return
        try:
            files = _files_of(Path(name).expanduser())
        except (OSError, RuntimeError, ValueError) as error:  # a name too long, `~nobody`
            reason = getattr(error, "strerror", None) or str(error)
            self.troubles.append(Trouble(name, f"cannot be read: {reason}"))
            return
        if not files:
            self.troubles.append(Trouble(name, "there is no .json file in this folder"))
        for file in files:
            self.add_file(file)

    def add_known_places(self, trust_project: bool) -> None:
        looked_at = known_places(*self.around, repository_root(self.around.cwd))
        found = find_configs(*self.around)
        for place in found:
            self.add_file(place.path, self.around.cwd, start=trust_project or not place.project)
        if not found:
            raise NothingToWeigh(_nowhere(looked_at), tuple(str(place.path) for place in looked_at))
        if self.notes and not any((self.troubles, *(file.servers or file.disabled for file in self.configs))):
            raise NothingToWeigh("; ".join(self.notes))

    def add_url(self, url: str) -> None:
        try:
            self.specs.append(spec_of_url(url))
        except UserMistake as error:
            self.troubles.append(Trouble(without_secrets(url), str(error)))

    def add_file(self, path: Path, cwd: Path | None = None, *, start: bool = True) -> None:
        """Read one file; `cwd` keeps to the servers for that project where a file holds those of many.

        Without `start` its servers are named in a note, and all else in it (caps, switches) counts.
        """
        try:
            self._read_file(path, cwd, start)
        except ConfigError as error:
            if not is_kept_copy(path) or path.exists():
                self.troubles.append(Trouble(*_place_and_reason(error, path)))
            elif (found := stand_in(path)) is None:
                self.troubles.append(Trouble(str(path), GONE))
            else:
                self.notes.append(stands_in_words(found))
                self.add_file(found.kept.copy, cwd, start=start)
                self._numbers.setdefault(target_of(path), len(self.configs) - 1)

    def _read_file(self, path: Path, cwd: Path | None, start: bool) -> None:
        value = _strict_json_of(path)
        if looks_like_catalog(value):
            self._add_catalog(read_catalog(value, path), path)
            return
        document = parse_document(path)
        if looks_like_catalog(document.value):
            self._add_catalog(read_catalog(document.value, path), path)
        elif looks_like_config(document.value) or document.syntax == "yaml":
            file = read_document(document, self.around.environ, cwd)
            self.put(file if start else self._not_started(file), path)
            if start and "contracts" in file.gateway:
                self.enforcements.append(file.gateway["contracts"])
            self.read.append(f"{file.client} {path}")
        else:
            raise ConfigError("holds neither servers (mcpServers, servers, …) nor a list of tools", path)

    def put(self, file: ConfigFile, path: Path) -> None:
        """Take a config that was read at `path`."""
        self._numbers.setdefault(target_of(path), len(self.configs))
        self.configs.append(file)

    def number_of(self, path: Path) -> int | None:
        """Which of `configs` was read at a path."""
        return self._numbers.get(target_of(path))

    def look_through(self, cwd: Path | None) -> list[Path]:
        """Put what is behind each entry of this gateway in its place; gives back the files that this has led to."""
        first = len(self.configs)
        led_to, self._followed = look_through(self, cwd, _users_own)
        self._only_behind = frozenset(range(first, len(self.configs)))
        return led_to

    def _add_catalog(self, catalog: Catalog, path: Path) -> None:
        self.recorded += catalog.servers
        self.troubles += (Trouble(where, reason) for where, reason in catalog.missing)
        self.read.append(f"catalog {path}")

    def _not_started(self, file: ConfigFile) -> ConfigFile:
        number = len(file.servers) + len(file.problems)
        if number:
            servers, they = ("server", "it is") if number == 1 else ("servers", "they are")
            self.notes.append(
                f"project config {file.path} names {number} {servers}; {they} not started unless you name the file: "
                f"toolbooth doctor {file.path}"
            )
        return replace(file, servers=(), problems=(), notes=())

    def finish(self) -> Sources:
        merged = merge(self.configs, self.specs)
        problems = [Trouble(problem.server, problem.reason) for problem in merged.problems]
        notes = [*self.notes, *merged.notes]
        taken = {spec.name for spec in merged.servers}
        recorded = tuple(uniquely_named(self.recorded, taken, notes))
        return Sources(
            servers=merged.servers,
            recorded=recorded,
            read=tuple(self.read),
            troubles=(*self.troubles, *problems),
            notes=tuple(notes),
            disabled=merged.disabled,
            answer_caps=merged.answer_caps,
            gateway=merged.gateway,
            enforcements=tuple(dict.fromkeys(self.enforcements)),
            clients=self._clients(merged, [each.server for each in recorded]),
        )

    def _clients(self, merged: Merged, recorded: Sequence[str]) -> tuple[ClientServers, ...]:
        """What no config names was typed by hand, or is a saved catalog."""
        found = per_client(self.configs, merged.names, self._followed, self._only_behind, self.around.home)
        known = {name for each in found for name in each.all_servers}
        everything = (*(spec.name for spec in merged.servers), *recorded)
        others = tuple(name for name in everything if name not in known)
        return (*found, ClientServers("", others)) if others else found


def _files_of(path: Path) -> list[Path]:
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def _strict_json_of(path: Path) -> Any:
    """The value of a strict JSON file, or None: a catalog may be far larger than a config may be."""
    try:
        return decode(read_regular(path, MAX_CATALOG_BYTES))
    except NotJson:
        return None  # read again as a config, which says exactly what is wrong and where


def _place_and_reason(error: ConfigError, path: Path) -> Trouble:
    place = ":".join(str(part) for part in (error.path or path, error.line, error.column) if part is not None)
    return Trouble(place, error.message)


def _nowhere(places: Sequence[Place]) -> str:
    clients = ", ".join(dict.fromkeys(place.client for place in places))
    return (
        f"no MCP server is configured in any of {len(places)} known places ({clients}); name a file, as in "
        "`toolbooth doctor path/to/mcp.json`, or a command: `toolbooth doctor -- npx -y some-mcp-server`"
    )
