"""What doctor found: one tool surface for each client, its price, and the verdict on its budget.

A model sees the tools of one client, so tokens are summed, compared with the budget and advised on for each client.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, NamedTuple, TypeVar

from toolbooth import economics, gateway, safetext
from toolbooth.catalog import (
    EVERY_TOOL,
    UNKNOWN_CLIENT,
    Catalog,
    ClientServers,
    GatewayEntry,
    LoadedCatalog,
    Sources,
    ToolFilter,
    profile_named,
)
from toolbooth.catalog.config import AUTO_SURFACE, OFFERED_SURFACES, GatewaySettings
from toolbooth.tokens import CarryPrice, weigh

_OF_SERVERS: Final = frozenset({"unbounded-answers", "set-aside", "twice-in-one-list"})  # kinds of advice
Caps = Callable[[str], tuple[int | None, int | None]]


class GatewayMenu(NamedTuple):
    """The gateway as one client has it: the tools of its surface, and the servers behind it; `auto` if it chose."""

    entry: str
    surface: str
    tools: int
    tokens_by_encoding: dict[str, int]
    servers: tuple[str, ...]
    auto: bool = False


class HiddenTools(NamedTuple):
    """The tools of one server that a client's config hides from its model; `keys` say where."""

    server: str
    tools: tuple[str, ...]
    of: int
    keys: tuple[str, ...]


@dataclass(frozen=True)
class ClientSurface:
    """One client; its diagnosis is of all its servers, also of those behind its gateway, as far as its config lets them
    through.

    `client` is "" for what no client's config names: a typed command, a URL, saved catalogs. `choice` is what `auto`
    shows this client, or would.
    """

    client: str
    diagnosis: economics.Diagnosis
    choice: gateway.SurfaceChoice
    menus: tuple[GatewayMenu, ...] = ()
    direct: frozenset[str] = frozenset()
    hidden: tuple[HiddenTools, ...] = ()

    @property
    def tokens_by_encoding(self) -> dict[str, int]:
        """What its model reads on every call, in each encoding."""
        parts = [
            *(each.tokens_by_encoding for each in self.seen),
            *(menu.tokens_by_encoding for menu in self.menus),
        ]
        return {name: sum(part[name] for part in parts) for name in self.diagnosis.encodings}

    @property
    def tokens(self) -> int:
        """The tokens in the first encoding."""
        return self.tokens_by_encoding[self.diagnosis.encodings[0]]

    @property
    def seen(self) -> list[economics.ServerDiagnosis]:
        """The servers whose tools its model sees."""
        return [each for each in self.diagnosis.servers if each.server.server in self.direct]

    @property
    def behind(self) -> list[economics.ServerDiagnosis]:
        """The servers that it reaches through a gateway alone."""
        return [each for each in self.diagnosis.servers if each.server.server not in self.direct]

    @property
    def tools(self) -> int:
        """How many tools its model sees."""
        return sum(len(each.server.tools) for each in self.seen) + sum(menu.tools for menu in self.menus)


def surfaces_of(loaded: LoadedCatalog, encodings: Sequence[str], caps: Caps) -> tuple[ClientSurface, ...]:
    """One for each client that has a server, the heaviest first."""
    named = {name for each in loaded.sources.clients for name in each.all_servers}
    others = tuple(each.server for each in loaded.catalog.servers if each.server not in named)
    clients = (*loaded.sources.clients, *([ClientServers("", others)] if others else []))
    found = [
        _surface(each, loaded.catalog, loaded.sources.gateway, encodings, caps)
        for each in clients
        if _part(loaded.catalog, each.all_servers).servers
    ]
    return tuple(sorted(found, key=lambda each: -each.tokens))


def joined_diagnosis(parts: Sequence[ClientSurface], catalog: Catalog) -> economics.Diagnosis:
    """Everything that was weighed, each server and tool once; look-alikes and advice hold for single clients."""
    if len(parts) == 1:
        return parts[0].diagnosis
    tools = {each.tool.id: each for part in parts for each in part.diagnosis.tools}
    # Of a server that clients filter differently, the largest part stands here.
    found = sorted((each for part in parts for each in part.diagnosis.servers), key=lambda each: each.tokens)
    servers = {each.server.server: each for each in found}
    total = sum(each.weight.tokens for each in tools.values()) or 1
    return economics.Diagnosis(
        encodings=parts[0].diagnosis.encodings,
        fingerprint=catalog.fingerprint,
        tools=tuple(
            replace(each, share=each.weight.tokens / total)
            for each in sorted(tools.values(), key=lambda each: (-each.weight.tokens, each.tool.id))
        ),
        servers=tuple(
            replace(each, share=each.tokens / total)
            for each in sorted(servers.values(), key=lambda each: (-each.tokens, each.server.server))
        ),
        duplicates=tuple(dict.fromkeys(each for part in parts for each in part.diagnosis.duplicates)),
        advice=tuple(dict.fromkeys(each for part in parts for each in part.diagnosis.advice)),
        set_aside=catalog.set_aside,
    )


Found = TypeVar("Found", economics.Advice, economics.Cluster)


class ClientFinding(NamedTuple, Generic[Found]):
    """A finding, and the clients that it holds for; none are named where there is only one."""

    found: Found
    clients: tuple[str, ...]

    @property
    def label(self) -> str:
        """The prefix that names its clients: `Cursor, VS Code: `."""
        return (
            f"{', '.join(safetext.for_terminal(name, 60) for name in self.clients if name)}: "
            if any(self.clients)
            else ""
        )


def look_alikes(parts: Sequence[ClientSurface]) -> list[ClientFinding[economics.Cluster]]:
    """Tools of one client that its model may confuse."""
    return _by_client(parts, [part.diagnosis.duplicates for part in parts])


def advice(parts: Sequence[ClientSurface]) -> list[ClientFinding[economics.Advice]]:
    """The largest saving of a client first; then advice on servers, whichever client uses them."""
    if len(parts) == 1:
        return [ClientFinding(each, ()) for each in parts[0].diagnosis.advice]
    own = [[each for each in part.diagnosis.advice if each.id not in _OF_SERVERS] for part in parts]
    found = sorted(_by_client(parts, own), key=lambda held: -held.found.saving_tokens)
    return [*found, *(ClientFinding(each, ()) for each in _of_servers(parts))]


def _of_servers(parts: Sequence[ClientSurface]) -> list[economics.Advice]:
    servers = {each.server.server: each.server for part in parts for each in part.diagnosis.servers}
    answers = {each.tool.id: each.answers for part in parts for each in part.diagnosis.tools}
    facts = economics.CatalogFacts(Catalog(tuple(servers.values())), {}, answers=tuple(answers.values()))
    return [each for each in economics.advise(facts) if each.id in _OF_SERVERS]


def _by_client(
    parts: Sequence[ClientSurface], findings: Sequence[Sequence[Found]]
) -> list[ClientFinding[Found]]:
    clients: dict[Found, list[str]] = {}
    for part, found in zip(parts, findings, strict=True):
        for each in found:
            clients.setdefault(each, []).append(part.client)
    several = len(parts) > 1
    return [ClientFinding(found, tuple(names) if several else ()) for found, names in clients.items()]


def _surface(
    client: ClientServers,
    catalog: Catalog,
    settings: GatewaySettings,
    encodings: Sequence[str],
    caps: Caps,
) -> ClientSurface:
    hidden = hidden_tools(_part(catalog, client.all_servers), client.filters)
    catalog = let_through(catalog, client.filters)
    found = economics.diagnose(_part(catalog, client.all_servers), encodings, caps)
    menus = tuple(_menu(client.client, entry, catalog, settings, encodings) for entry in client.gateways)
    behind = dict.fromkeys(name for entry in client.gateways for name in entry.servers)
    choice = _choice(client.client, catalog, tuple(behind) or client.all_servers)
    # Servers behind the gateway cost no model call anything
    if menus and all(menu.surface != "direct" for menu in menus):
        direct = economics.diagnose(_part(catalog, client.servers), encodings, caps)
        others = tuple(each for each in found.advice if not each.saving_tokens)
        found = replace(found, advice=(*(each for each in direct.advice if each.saving_tokens), *others))
    return ClientSurface(client.client, found, choice, menus, frozenset(client.servers), hidden)


def let_through(catalog: Catalog, filters: Mapping[str, ToolFilter]) -> Catalog:
    """What a client's config leaves of a catalog."""
    parts = (filters.get(each.server, EVERY_TOOL).of(each) for each in catalog.servers)
    return replace(catalog, servers=tuple(parts))


def hidden_tools(catalog: Catalog, filters: Mapping[str, ToolFilter]) -> tuple[HiddenTools, ...]:
    """What it hides, a line for each server that has a filter."""
    found = ((each, filters[each.server]) for each in catalog.servers if each.server in filters)
    return tuple(
        HiddenTools(
            each.server,
            tuple(tool.name for tool in each.tools if not rule.lets(tool.name)),
            len(each.tools),
            rule.keys,
        )
        for each, rule in found
    )


def _choice(client: str, catalog: Catalog, servers: Sequence[str]) -> gateway.SurfaceChoice:
    """What `auto` shows a current version of this client for these servers; those that failed are not known."""
    part = _part(catalog, servers)
    weight = gateway.OfflineGateway(part).weight()._replace(servers=len(servers))
    profile = profile_named(client.partition(" in ")[0]) or UNKNOWN_CLIENT
    return gateway.choose_surface(profile, weight._replace(unknown=len(servers) - len(part.servers)))


def _menu(
    client: str, entry: GatewayEntry, catalog: Catalog, settings: GatewaySettings, encodings: Sequence[str]
) -> GatewayMenu:
    part, auto = _part(catalog, entry.servers), entry.surface == AUTO_SURFACE
    surface = entry.surface if entry.surface in OFFERED_SURFACES else OFFERED_SURFACES[0]
    surface = _choice(client, catalog, entry.servers).surface if auto else surface
    tools = gateway.OfflineGateway(part, settings).menu(surface)
    tokens = {name: weigh(tools, name).total_tokens for name in encodings}
    behind = tuple(each.server for each in part.servers)
    return GatewayMenu(entry.name, surface, len(tools), tokens, behind, auto)


def _part(catalog: Catalog, servers: Sequence[str]) -> Catalog:
    return replace(catalog, servers=tuple(each for each in catalog.servers if each.server in servers))


WINDOW = 200_000
MOST_OFFENDERS = 10


@dataclass(frozen=True)
class DoctorReport:
    """What doctor found, and how it is judged: by the heaviest of the `clients`, which are sorted by weight.

    `diagnosis` is of everything that was weighed, each tool once.
    """

    diagnosis: economics.Diagnosis
    clients: tuple[ClientSurface, ...]
    sources: Sources
    price: CarryPrice | None
    price_note: str | None
    budget: int | None

    @property
    def heaviest(self) -> ClientSurface:
        """The client whose model reads most."""
        return self.clients[0]

    @property
    def tokens(self) -> int:
        """What that client's model reads on every call."""
        return self.heaviest.tokens

    @property
    def is_plain(self) -> bool:
        """One client, or none, without a gateway: then its tools are all that there is to show."""
        return len(self.clients) == 1 and not self.heaviest.menus

    @property
    def window_share(self) -> float:
        """Share of a 200k context window that is spent before the first word."""
        return self.tokens / WINDOW

    @property
    def over_by(self) -> int:
        """Tokens above the budget; 0 where there is none or it holds."""
        return max(0, self.tokens - self.budget) if self.budget is not None else 0

    @property
    def also_over(self) -> tuple[ClientSurface, ...]:
        """Other clients above the budget."""
        return tuple(
            each for each in self.clients[1:] if self.budget is not None and each.tokens > self.budget
        )

    @property
    def offenders(self) -> tuple[economics.ToolDiagnosis, ...]:
        """The heaviest tools of the heaviest client that together weigh what is too much."""
        named: list[economics.ToolDiagnosis] = []
        for each in self.heaviest.diagnosis.tools:
            if each.tool.server not in self.heaviest.direct:
                continue
            if sum(one.weight.tokens for one in named) >= self.over_by or len(named) == MOST_OFFENDERS:
                break
            named.append(each)
        return tuple(named)

    @property
    def incomplete(self) -> bool:
        """Something could not be weighed, so the total is too low."""
        return bool(self.sources.source_errors)

    @property
    def exit_code(self) -> int:
        """1 over budget; 2 or 3 where a budget holds only because a file or server is missing; else 0."""
        if self.over_by:
            return 1
        return self.sources.failure_code if self.budget is not None and self.incomplete else 0
