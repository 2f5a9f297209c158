"""`contracts:` of the configs × what their servers offer → what a gateway of them would let anybody find."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.errors import ConfigError, UserMistake

if TYPE_CHECKING:
    from toolbooth.catalog import Catalog, ServerSpec, ServerTools
    from toolbooth.catalog.config import Enforcement
    from toolbooth.catalog.load import Loaded, Sources
    from toolbooth.contracts import Approvals, Lock


class Locked:
    """The lock of what was named: read before any server is started, judged by when they have answered.

    As in a gateway the first file that says `contracts:` counts. Saved catalogs are no servers, and pass.
    """

    def __init__(self) -> None:
        self._asked: Enforcement | None = None
        self._lock: Lock | None = None

    def read(self, sources: "Sources") -> "Sources":
        """Raises UserMistake where a lock that must be kept to cannot be read; `warn` only says so."""
        asked = next(iter(sources.enforcements), None)
        if asked is None or asked.mode == "off" or asked.lock is None:
            return sources
        self._asked = asked
        try:
            self._lock = _read(asked, Path(asked.lock))
        except UserMistake as mistake:
            if asked.mode == "enforce":
                raise UserMistake(f"{mistake}; until it can be read, nothing is approved") from None
            _say(asked, str(mistake))
        return sources

    def kept(self, loaded: "Loaded", named: Sequence[str], server: str | None = None) -> "Catalog":
        """Without what is held back; how many tools that are, of one server or all, goes to stderr."""
        if self._asked is None or self._lock is None:
            return loaded.catalog
        specs = {spec.name: spec for spec in loaded.sources.servers}
        approvals = _judged(self._lock, self._asked, loaded.catalog, specs)
        looked_at = specs if server is None else specs.keys() & {server}
        count = sum(len(approvals.differing(name)) for name in looked_at)
        if count:
            _say(self._asked, _differ(self._asked, count, named))
        servers = (
            _passing(each, approvals) if each.server in specs else each for each in loaded.catalog.servers
        )
        return replace(loaded.catalog, servers=tuple(servers))


def _read(asked: "Enforcement", path: Path) -> "Lock":
    from toolbooth.contracts.toolbooth_lock import read_lock

    if not path.exists():
        raise ConfigError("there is no lock; `toolbooth lock` writes one", path)
    lock = read_lock(path)
    if lock.signature is not None or asked.verify_key is not None:
        from toolbooth.contracts.signing import public_key, verify

        verify(lock, path, None if asked.verify_key is None else public_key(asked.verify_key))
    return lock


def _judged(
    lock: "Lock", asked: "Enforcement", catalog: "Catalog", specs: "dict[str, ServerSpec]"
) -> "Approvals":
    """By digests without the secrets that a server was given, as they stand in a lock; what is in none needs none."""
    from toolbooth.contracts import Approvals, digest_of, given_secrets, wire_without

    approvals = Approvals(asked.mode)
    locked = {
        name: {tool: each.digest for tool, each in server.tools.items()}
        for name, server in lock.contracts.servers.items()
    }
    approvals.lock(locked)
    for offered in catalog.servers:
        if offered.server in specs:
            known, secrets = locked.get(offered.server, {}), given_secrets(specs[offered.server])
            now = {
                tool.name: digest_of(wire_without(tool.wire, secrets)) if tool.name in known else ""
                for tool in offered.tools
            }
            approvals.offer(offered.server, now)
    return approvals


def _passing(offered: "ServerTools", approvals: "Approvals") -> "ServerTools":
    tools = tuple(tool for tool in offered.tools if approvals.passes(offered.server, tool.name))
    return replace(offered, tools=tools)


def _differ(asked: "Enforcement", count: int, named: Sequence[str]) -> str:
    tools, they = ("1 tool is", "it is") if count == 1 else (f"{count:,} tools are", "they are")
    look = shlex.join(["toolbooth", "lock", *named, "--check"])
    if asked.mode == "enforce":
        return f"{tools} held back: {they} new, or changed since the lock was written; look with `{look}`"
    return f"{tools} not as locked; look with `{look}`"


def _say(asked: "Enforcement", said: str) -> None:
    from toolbooth.cli.terminal import complain

    complain(f"contracts: {asked.mode}", said)
