"""What one client's model is sent at the first turn: for the config as it is, and with Toolbooth in front of it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from toolbooth import errors, gateway, tokens
from toolbooth.catalog import (
    Catalog,
    ClientProfile,
    ClientServers,
    FirstTurn,
    GatewayEntry,
    LoadedCatalog,
    ServerTools,
    Sources,
    Tool,
    first_turn,
    joined_filters,
)
from toolbooth.catalog.config import AUTO_SURFACE, OFFERED_SURFACES, GatewaySettings
from toolbooth.cli.doctor.report import HiddenTools, hidden_tools, let_through

OURS: Final = "toolbooth"  # the name that `wrap` gives to the gateway's entry


class TurnTokens(NamedTuple):
    """What a turn costs: definitions of loaded tools, names of deferred ones, and instructions of servers."""

    definitions: int
    names: int
    instructions: int

    @property
    def all(self) -> int:
        """Everything."""
        return self.definitions + self.names + self.instructions


class Setup(NamedTuple):
    """One way to have these servers, and what the model is sent then."""

    name: str
    turn: FirstTurn
    tokens: TurnTokens


class Mode(NamedTuple):
    """The setups under one condition: with the client's own tool search, or without it."""

    searches: bool
    where: str
    setups: tuple[Setup, ...]


@dataclass(frozen=True)
class ClientReport:
    """One client. The first setup of the first mode is the config as it is."""

    profile: ClientProfile
    encoding: str
    modes: tuple[Mode, ...]
    choice: gateway.SurfaceChoice
    hidden: tuple[HiddenTools, ...]
    sources: Sources
    budget: int | None

    @property
    def now(self) -> Setup:
        """What is sent with the config as it is."""
        return self.modes[0].setups[0]

    @property
    def over_by(self) -> int:
        """Tokens above the budget."""
        return max(0, self.now.tokens.all - self.budget) if self.budget is not None else 0

    @property
    def exit_code(self) -> int:
        """As for the whole report of doctor."""
        if self.over_by:
            return 1
        incomplete = self.budget is not None and self.sources.source_errors
        return self.sources.failure_code if incomplete else 0


def only_of(profile: ClientProfile, sources: Sources) -> Sources:
    """The servers in the client's own configs; raises NothingToWeigh if there are none."""
    own = own_servers(profile, sources)
    if not own.all_servers:
        raise errors.NothingToWeigh(
            f"no server is configured for {profile.name}; name a file to see it as {profile.name} would, as in "
            f"`toolbooth doctor --client {profile.key} mcp.json`"
        )
    return replace(sources.only(own.all_servers), clients=(own,))


def own_servers(profile: ClientProfile, sources: Sources) -> ClientServers:
    """What the client's configs name, those of its projects included."""
    return _joined(
        profile.name, [each for each in sources.clients if each.client.partition(" in ")[0] == profile.name]
    )


def _joined(name: str, parts: Sequence[ClientServers]) -> ClientServers:
    return ClientServers(
        name,
        tuple(dict.fromkeys(server for each in parts for server in each.servers)),
        tuple(entry for each in parts for entry in each.gateways),
        joined_filters(each.filters for each in parts),
    )


def client_report(
    profile: ClientProfile, loaded: LoadedCatalog, encoding: str, budget: int | None
) -> ClientReport:
    """What this client sends for all that was loaded."""
    client = _joined(profile.name, loaded.sources.clients)
    catalog = let_through(loaded.catalog, client.filters)
    choice = _choice(profile, catalog)
    configs = [
        *_as_it_is(profile, client, catalog, loaded.sources),
        *_with_toolbooth(profile, catalog, loaded.sources.gateway, choice.surface),
    ]
    most = max(sum(len(each.tools) for each in config.servers) for config in configs)
    found = [
        Mode(searching, where, tuple(_setup(profile, encoding, searching, each) for each in configs))
        for searching, where in _conditions(profile, most)
    ]
    hidden = hidden_tools(loaded.catalog, client.filters)
    return ClientReport(profile, encoding, tuple(found), choice, hidden, loaded.sources, budget)


def _conditions(profile: ClientProfile, tools: int) -> list[tuple[bool, str]]:
    """Under which conditions the client defers this many tools or not, the usual one first."""
    if not profile.searches or tools < profile.search_from:
        return [(False, "")]
    return [(True, profile.search_where), *([(False, profile.direct_where)] if profile.direct_where else [])]


class _Config(NamedTuple):
    """Servers as a client would have them. Entries of the `loaded` ones forbid it to defer their tools; `written` are
    the names in its file, where they differ.
    """

    name: str
    servers: Sequence[ServerTools]
    loaded: Collection[str] = ()
    written: Mapping[str, str] = {}


def _as_it_is(
    profile: ClientProfile, client: ClientServers, catalog: Catalog, sources: Sources
) -> Iterator[_Config]:
    """The config as it is and, where the gateway is in it already, as it would be without."""
    behind = {name for entry in client.gateways for name in entry.servers} - {*client.servers}
    direct = [each for each in catalog.servers if each.server not in behind]
    menus = [_menu_of(profile, entry, catalog, sources.gateway) for entry in client.gateways]
    loaded = {spec.name for spec in sources.servers if spec.loaded}
    ours = {entry.name for entry in client.gateways if entry.loaded}
    written = {spec.name: spec.written for spec in sources.servers if spec.written}
    yield _Config("as configured", [*menus, *direct], loaded | ours, written)
    if menus:
        yield _Config("without Toolbooth", catalog.servers, loaded, written)


def _menu_of(
    profile: ClientProfile, entry: GatewayEntry, catalog: Catalog, settings: GatewaySettings
) -> ServerTools:
    part = replace(catalog, servers=tuple(each for each in catalog.servers if each.server in entry.servers))
    surface = _choice(profile, part).surface if entry.surface == AUTO_SURFACE else entry.surface
    return _menu(entry.name, part, settings, surface if surface in OFFERED_SURFACES else OFFERED_SURFACES[0])


def _with_toolbooth(
    profile: ClientProfile, catalog: Catalog, settings: GatewaySettings, chosen: str
) -> Iterator[_Config]:
    """As `wrap` would leave the config: with the key that forbids to defer our few tools, if the client has one."""
    for surface, name in (("search", "with Toolbooth, search"), (chosen, f"with Toolbooth, auto: {chosen}")):
        loaded = {OURS} if profile.loading and surface != "direct" else ()
        yield _Config(name, [_menu(OURS, catalog, settings, surface)], loaded)


def _menu(name: str, catalog: Catalog, settings: GatewaySettings, surface: str) -> ServerTools:
    offline = gateway.OfflineGateway(catalog, settings)
    tools = tuple(Tool.from_raw(name, definition) for definition in offline.menu(surface))
    return ServerTools(name, tools, offline.instructions(surface))


def _choice(profile: ClientProfile, catalog: Catalog) -> gateway.SurfaceChoice:
    """What `auto` shows a current version of this client."""
    return gateway.choose_surface(profile, gateway.OfflineGateway(catalog).weight())


def _setup(profile: ClientProfile, encoding: str, searching: bool, config: _Config) -> Setup:
    # By the names in the file, of which clients make theirs
    servers = [replace(each, server=config.written.get(each.server, each.server)) for each in config.servers]
    loaded = {config.written.get(name, name) for name in config.loaded}
    turn = first_turn(profile, servers, searching=searching, loaded=loaded)
    cost = TurnTokens(
        tokens.weigh([each.as_sent() for each in turn.loaded], encoding).total_tokens,
        sum(tokens.count(f"{name}\n", encoding) for name in turn.names),
        sum(tokens.count(each.text, encoding) for each in turn.instructions.values()),
    )
    return Setup(config.name, turn, cost)
