"""What was loaded → one surface a client: what its model reads on every call, and what is behind its gateway.

A model sees the tools of one client, so tokens are summed, compared with a budget and advised on client by client.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from toolbooth.catalog import Catalog
from toolbooth.economics import Advice, Cluster, Diagnosis, Evidence, ServerDiagnosis, advise, diagnose
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings
    from toolbooth.catalog.load import ClientServers, GatewayEntry, Loaded

_OF_SERVERS: Final = frozenset({"unbounded-answers", "set-aside", "twice-in-one-list"})  # kinds of advice
Caps = Callable[[str], tuple[int | None, int | None]]


class Menu(NamedTuple):
    """The gateway as one client has it: the tools of its surface, and the servers behind it."""

    entry: str
    surface: str
    tools: int
    tokens_by_encoding: dict[str, int]
    servers: tuple[str, ...]


@dataclass(frozen=True)
class ClientSurface:
    """One client; its diagnosis is of all its servers, also of those behind its gateway.

    `client` is "" for what no client's config names: a typed command, a URL, saved catalogs.
    """

    client: str
    diagnosis: Diagnosis
    menus: tuple[Menu, ...] = ()
    direct: frozenset[str] = frozenset()

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
        """The same in the first encoding."""
        return self.tokens_by_encoding[self.diagnosis.encodings[0]]

    @property
    def seen(self) -> list[ServerDiagnosis]:
        """The servers whose tools its model sees."""
        return [each for each in self.diagnosis.servers if each.server.server in self.direct]

    @property
    def behind(self) -> list[ServerDiagnosis]:
        """The servers that it reaches through a gateway alone."""
        return [each for each in self.diagnosis.servers if each.server.server not in self.direct]

    @property
    def tools(self) -> int:
        """How many tools its model sees."""
        return sum(len(each.server.tools) for each in self.seen) + sum(menu.tools for menu in self.menus)


def surfaces_of(loaded: "Loaded", encodings: Sequence[str], caps: Caps) -> tuple[ClientSurface, ...]:
    """One for each client that has a server, the heaviest first."""
    from toolbooth.catalog.load import ClientServers

    named = {name for each in loaded.sources.clients for name in each.all_servers}
    others = tuple(each.server for each in loaded.catalog.servers if each.server not in named)
    clients = (*loaded.sources.clients, *([ClientServers("", others)] if others else []))
    found = [
        _surface(each, loaded.catalog, loaded.sources.gateway, encodings, caps)
        for each in clients
        if _part(loaded.catalog, each.all_servers).servers
    ]
    return tuple(sorted(found, key=lambda each: -each.tokens))


def joined(parts: Sequence[ClientSurface], catalog: Catalog) -> Diagnosis:
    """Everything that was weighed, each server and tool once; look-alikes and advice hold for single clients."""
    if len(parts) == 1:
        return parts[0].diagnosis
    tools = {each.tool.id: each for part in parts for each in part.diagnosis.tools}
    servers = {each.server.server: each for part in parts for each in part.diagnosis.servers}
    total = sum(each.weight.tokens for each in tools.values()) or 1
    return Diagnosis(
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


Found = TypeVar("Found", Advice, Cluster)


class Held(NamedTuple, Generic[Found]):
    """A finding, and the clients that it holds for; none are named where there is only one."""

    found: Found
    clients: tuple[str, ...]

    @property
    def label(self) -> str:
        """What stands before its words: `Cursor, VS Code: `."""
        return (
            f"{', '.join(for_terminal(name, 60) for name in self.clients if name)}: "
            if any(self.clients)
            else ""
        )


def look_alikes(parts: Sequence[ClientSurface]) -> list[Held[Cluster]]:
    """Tools of one client that its model may confuse."""
    return _held(parts, [part.diagnosis.duplicates for part in parts])


def advice(parts: Sequence[ClientSurface]) -> list[Held[Advice]]:
    """The largest saving of a client first; then what is to be said of servers, whoever uses them."""
    if len(parts) == 1:
        return [Held(each, ()) for each in parts[0].diagnosis.advice]
    own = [[each for each in part.diagnosis.advice if each.id not in _OF_SERVERS] for part in parts]
    found = sorted(_held(parts, own), key=lambda held: -held.found.saving_tokens)
    return [*found, *(Held(each, ()) for each in _of_servers(parts))]


def _of_servers(parts: Sequence[ClientSurface]) -> list[Advice]:
    servers = {each.server.server: each.server for part in parts for each in part.diagnosis.servers}
    answers = {each.tool.id: each.answers for part in parts for each in part.diagnosis.tools}
    evidence = Evidence(Catalog(tuple(servers.values())), {}, answers=tuple(answers.values()))
    return [each for each in advise(evidence) if each.id in _OF_SERVERS]


def _held(parts: Sequence[ClientSurface], findings: Sequence[Sequence[Found]]) -> list[Held[Found]]:
    clients: dict[Found, list[str]] = {}
    for part, found in zip(parts, findings, strict=True):
        for each in found:
            clients.setdefault(each, []).append(part.client)
    several = len(parts) > 1
    return [Held(found, tuple(names) if several else ()) for found, names in clients.items()]


def _surface(
    client: "ClientServers",
    catalog: Catalog,
    settings: "GatewaySettings",
    encodings: Sequence[str],
    caps: Caps,
) -> ClientSurface:
    found = diagnose(_part(catalog, client.all_servers), encodings, caps)
    menus = tuple(_menu(entry, catalog, settings, encodings) for entry in client.gateways)
    if menus and all(
        menu.surface != "direct" for menu in menus
    ):  # what is behind it costs no model call anything
        direct = diagnose(_part(catalog, client.servers), encodings, caps)
        told = tuple(each for each in found.advice if not each.saving_tokens)
        found = replace(found, advice=(*(each for each in direct.advice if each.saving_tokens), *told))
    return ClientSurface(client.client, found, menus, frozenset(client.servers))


def _menu(
    entry: "GatewayEntry", catalog: Catalog, settings: "GatewaySettings", encodings: Sequence[str]
) -> Menu:
    from toolbooth.catalog.config import OFFERED_SURFACES
    from toolbooth.gateway.offline import OfflineGateway
    from toolbooth.tokens import weigh

    part = _part(catalog, entry.servers)
    surface = entry.surface if entry.surface in OFFERED_SURFACES else OFFERED_SURFACES[0]
    tools = OfflineGateway(part, settings).menu(surface)
    tokens = {name: weigh(tools, name).total_tokens for name in encodings}
    return Menu(entry.name, surface, len(tools), tokens, tuple(each.server for each in part.servers))


def _part(catalog: Catalog, servers: Sequence[str]) -> Catalog:
    return replace(catalog, servers=tuple(each for each in catalog.servers if each.server in servers))
