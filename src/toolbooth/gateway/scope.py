"""What of a gateway exists for a principal: the tools that it may use, their servers, and nothing else.

Where everyone may use everything, that is the gateway itself. Otherwise each principal has a tool registry of its
own, with a search index of its own: words of other tools would show in corrections, nearest names and rankings.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from toolbooth import access, sandbox
from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.public_names import ResourceUris
from toolbooth.gateway.tool_registry import OfferGate, ToolRegistry

if TYPE_CHECKING:
    from toolbooth.gateway.gateway import Gateway
    from toolbooth.gateway.upstreams.upstream import Upstream


class GatewayScope(Protocol):
    """What exists for whoever is asking: all of a gateway, or a part of it."""

    uris: ResourceUris

    @property
    def registry(self) -> ToolRegistry:
        """The tools that this scope can see."""
        ...

    @property
    def upstreams(self) -> "Mapping[str, Upstream]":
        """The servers that this scope can see."""
        ...

    @property
    def single(self) -> "Upstream | None":
        """The only server, if there is just one: its names are passed on unchanged."""
        ...

    @property
    def notes(self) -> list[str]:
        """What is left out, and what went wrong."""
        ...

    def offering(self, capability: str) -> "list[Upstream]":
        """The servers that declare a capability, and those whose capabilities are not known yet."""
        ...

    def status(self) -> list[dict[str, Any]]:
        """The state of every server, with the number of its tools."""
        ...

    def lock_note(self, server: str) -> str:
        """What the contract gate says of a server; empty if it says nothing."""
        ...

    def names_in_code(self) -> "sandbox.Namespace":
        """How code calls the tools."""
        ...


class _Seen(NamedTuple):
    """What a scope followed of a server last."""

    shown: ServerTools
    held: tuple[Tool, ...]


class PrincipalScope:
    """The part of a gateway that one principal may use.

    A server exists for whoever may use one of its tools. One of which no tool is known yet exists for nobody.
    """

    def __init__(self, gateway: "Gateway", principal: access.Principal) -> None:
        self._gateway, self._principal = gateway, principal
        self._registry = ToolRegistry(usage=gateway.usage)
        self._names: tuple[int, sandbox.Namespace] | None = None
        self._followed: tuple[int, access.Authorizer] | None = None
        self._judged_by: access.Authorizer | None = None
        self._seen: dict[str, _Seen] = {}
        self._ever: dict[str, set[str]] | None = (
            None  # all tools that were allowed, until they are taken away
        )
        self.uris = ResourceUris()

    @property
    def registry(self) -> ToolRegistry:
        """The tools that the principal may use, as the gateway knows them now."""
        current = (self._gateway.registry.version, self._gateway.authorizer)
        if self._followed != current:
            self._follow(self._gateway.registry)
            self._followed = current  # last: an authorizer that fails is asked again
        return self._registry

    def _follow(self, whole: ToolRegistry) -> None:
        """Only servers that changed are looked at: when a thousand of them start, each changes the whole."""
        held = {server: whole.held(server) for server in whole.servers} if whole.gate is not None else {}
        if self._judged_by is not self._gateway.authorizer:
            self._seen.clear()
        self._judged_by = self._gateway.authorizer
        self._registry.gate = None if whole.gate is None else _HeldBack(whole.gate, held, self._may)
        changed = {
            name: self._part(shown, held.get(name, ()))
            for name, shown in whole.servers.items()
            if not self._has_seen(name, shown, held.get(name, ()))
        }
        self._put(whole, changed)
        for name in changed:
            self._seen[name] = _Seen(whole.servers[name], held.get(name, ()))
        self._end_results(whole, changed)

    def _has_seen(self, server: str, shown: ServerTools, held: tuple[Tool, ...]) -> bool:
        seen = self._seen.get(server)
        return seen is not None and seen.shown is shown and seen.held == held

    def _put(self, whole: ToolRegistry, changed: Mapping[str, ServerTools]) -> None:
        known = self._registry.servers.keys()
        kept = tuple(
            name for name in whole.servers if (changed[name].tools if name in changed else name in known)
        )
        for gone in known - set(kept):
            self.uris.forget(gone)
        if kept != self._registry.configured:
            self._registry.configure(kept)
        for name in changed.keys() & set(kept):
            part, shown = changed[name], whole.servers[name]
            index = partial(whole.index_of, shown) if part is shown else None
            self._registry.put(part, index, trusted=whole.is_own(name))
        for gone in self._seen.keys() - whole.servers.keys():
            del self._seen[gone]

    def _end_results(self, whole: ToolRegistry, changed: Iterable[str]) -> None:
        """Kept results and tasks end when something is taken from their principal: they may be of just that tool."""
        first, taken = self._ever is None, False
        ever = self._ever = self._ever or {}
        here = self._registry.servers
        for server in changed:
            now = {tool.name for tool in here[server].tools} if server in here else set()
            before = ever.get(server, set())
            lost = {tool.name for tool in whole.servers[server].tools if tool.name in before} - now
            ever[server] = (before | now) - lost
            taken = taken or bool(lost)
        if first or taken:
            for session in self._gateway.sessions:
                if session.principal == self._principal:
                    self._gateway.results.forget(session.owner)
            self._gateway.client_tasks.forget(self._principal)

    def _part(self, shown: ServerTools, held: tuple[Tool, ...]) -> ServerTools:
        """A server without what may not be used, and then without its own words, which may name that."""
        tools = tuple(filter(self._may, (*shown.tools, *held)))
        if len(tools) == len(shown.tools) + len(held):
            return replace(shown, tools=tools) if held else shown
        return ServerTools(shown.server, tools, version=shown.version, protocol=shown.protocol)

    def _may(self, tool: Tool) -> bool:
        return self._gateway.authorizer.may(self._principal, tool)

    @property
    def upstreams(self) -> "Mapping[str, Upstream]":
        """The servers of these tools."""
        servers = self.registry.servers
        return {name: each for name, each in self._gateway.upstreams.items() if name in servers}

    @property
    def single(self) -> "Upstream | None":
        """The only one of them, if there is just one."""
        upstreams = self.upstreams
        return next(iter(upstreams.values())) if len(upstreams) == 1 else None

    @property
    def notes(self) -> list[str]:
        """Nothing: notes name tools and files of everyone."""
        return []

    def offering(self, capability: str) -> "list[Upstream]":
        """The gateway's servers, as far as they exist here."""
        here = self.upstreams
        return [each for each in self._gateway.offering(capability) if each.name in here]

    def status(self) -> list[dict[str, Any]]:
        """The state of these servers, with the number of these tools."""
        servers = self.registry.servers
        return [{**each.status(), "tools": len(servers[name].tools)} for name, each in self.upstreams.items()]

    def lock_note(self, server: str) -> str:  # noqa: ARG002
        """Nothing: the gate's words name and count tools of everyone."""
        return ""

    def names_in_code(self) -> "sandbox.Namespace":
        """How code calls these tools."""
        registry = self.registry
        if self._names is None or self._names[0] != registry.version:
            self._names = (registry.version, sandbox.Namespace(registry.catalog))
        return self._names[1]


class _HeldBack:
    """The gateway's gate for the registry of a principal: the same tools are held back, for the same reasons."""

    def __init__(
        self, gate: OfferGate, held: Mapping[str, tuple[Tool, ...]], may: Callable[[Tool], bool]
    ) -> None:
        self._gate = gate
        self._held = {tool.id for tools in held.values() for tool in tools if may(tool)}

    def admit(self, offered: ServerTools) -> ServerTools:
        """Without what is held back."""
        passing = tuple(tool for tool in offered.tools if tool.id not in self._held)
        return offered if len(passing) == len(offered.tools) else replace(offered, tools=passing)

    def forget(self, server: str) -> None:
        """The gateway's own registry forgets it."""

    def why(self, tool: Tool) -> str:
        """One line on a tool that was not admitted."""
        return self._gate.why(tool)

    def note(self, count: int) -> str:
        """One line on this many tools that were not admitted."""
        return self._gate.note(count)

    def approved_hints(self, tool: Tool) -> Mapping[str, Any] | None:
        """The same for everyone."""
        return self._gate.approved_hints(tool)


class Scopes:
    """The scope of each principal; principals for whom everything exists share the gateway itself."""

    def __init__(self, gateway: "Gateway") -> None:
        self._gateway = gateway
        self._scopes: dict[str, PrincipalScope] = {}

    def of(self, principal: access.Principal) -> GatewayScope:
        """What exists for this principal."""
        if self._gateway.authorizer is access.OPEN:
            return self._gateway
        if principal.id not in self._scopes:
            self._scopes[principal.id] = PrincipalScope(self._gateway, principal)
        return self._scopes[principal.id]

    def uris_of(self, principal: access.Principal) -> ResourceUris:
        """The URIs under which this principal knows the resources of servers."""
        return self.of(principal).uris
