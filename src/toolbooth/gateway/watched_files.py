"""The files that a gateway watches while it runs: its configs, and the lock that its contracts refer to.

A lock that cannot be read changes nothing: what the last good one approved stays approved, and nothing else
is. A gateway that starts without a good lock approves nothing. Without `contracts:` nothing of
`toolbooth.contracts` is imported.
"""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from toolbooth import catalog, contracts, errors, limits, safetext
from toolbooth.catalog.config import Enforcement
from toolbooth.gateway import process, tool_registry
from toolbooth.gateway.upstreams.connection import Admit, UpstreamConnection

if TYPE_CHECKING:
    from toolbooth.gateway.contract_gate import ContractGate


Stamps = dict[Path, tuple[int, int, int]]


def same_sources(one: catalog.Sources, other: catalog.Sources) -> bool:
    """Whether both make the same gateway from the same files; a missing file differs from no file."""
    return _facts(one) == _facts(other)


def _facts(sources: catalog.Sources) -> tuple[object, ...]:
    return (
        sources.servers,
        sources.gateway,
        sources.answer_caps,
        sources.read,
        sources.absent,
        sources.looked_at,
    )


def without_catalogs(sources: catalog.Sources) -> catalog.Sources:
    """A config that has become a plain list (`[]`, for example) is a slip of an editor, not a request for no
    servers.
    """
    slips = [path for path in sources.looked_at if f"catalog {path}" in sources.read]
    said = "holds no servers any more; the old ones are kept"
    return replace(
        sources,
        source_errors=(*sources.source_errors, *(catalog.SourceError(str(path), said) for path in slips)),
    )


def unreadable(sources: catalog.Sources) -> bool:
    """Whether a whole file could not be understood; otherwise only entries of it are unusable, and named."""
    return any(
        each.where.startswith(str(path)) for each in sources.source_errors for path in sources.looked_at
    )


def stamps_of(sources: catalog.Sources) -> Stamps:
    """The state of each file that exists: its time, its size, and its inode."""
    found = {}
    for path in sources.looked_at:
        try:
            facts = path.stat()
        except OSError:
            continue
        found[path] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    return found


Stamp = tuple[tuple[int, int, int] | None, ...]
_logger = logging.getLogger(__name__)


class LockWatch:
    """Keeps one registry to the lock of its config. `changed` is called when other tools are shown than before."""

    def __init__(
        self,
        registry: tool_registry.ToolRegistry,
        secrets_of: Callable[[str], Sequence[str]],
        changed: Callable[[], None],
    ) -> None:
        self._registry, self._secrets_of, self._changed = registry, secrets_of, changed
        self._asked = Enforcement()
        self._stamp: Stamp | None = None
        self._problem = ""
        self._unlisted: set[str] = set()
        self.contract_gate: ContractGate | None = None
        self.enforces = False

    def follow(self, asked: Enforcement) -> None:
        """Apply what the config says now. A different lock counts as none until `look` has read it."""
        if asked == self._asked:
            return
        same_lock = (asked.lock, asked.verify_key) == (self._asked.lock, self._asked.verify_key)
        self._asked, self.enforces = asked, asked.mode == "enforce"
        if asked.mode == "off":
            self.contract_gate = None
        elif self.contract_gate is None or not same_lock:
            from toolbooth.gateway.contract_gate import ContractGate

            self.contract_gate = ContractGate(asked.mode, self._secrets_of, self._unlisted)
            self._stamp, self._problem = None, ""
        else:
            self.contract_gate.use(asked.mode)
        self._registry.gate = self.contract_gate
        self._judge_again()

    async def look(self, environ: Mapping[str, str]) -> bool:
        """Read the lock again if it, or the key that must have signed it, changed; True if there is a new one."""
        asked, contract_gate = self._asked, self.contract_gate
        if contract_gate is None or asked.lock is None:
            return False
        stamp = (_stamp(asked.lock), _stamp(asked.verify_key))
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            lock = await anyio.to_thread.run_sync(_read, asked, environ)
        except errors.UserMistake as mistake:
            self._cannot(contract_gate, safetext.for_log(str(mistake)), _without_folder(mistake))
        except (
            Exception
        ) as error:  # whatever an unexpected file does to its reader, what was approved stays so
            self._cannot(
                contract_gate,
                f"{safetext.for_log(asked.lock)}: {process.error_summary(error)}",
                "it is damaged",
            )
        else:
            if contract_gate is self.contract_gate:
                contract_gate.take(lock)
                self._problem = ""
                self._judge_again()
                return True
        return False

    def _cannot(self, contract_gate: "ContractGate", problem: str, for_agents: str) -> None:
        contract_gate.problem = for_agents
        stays = "what the last good lock approved stays approved, and nothing else is"
        problem += f"; {stays if contract_gate.locked else 'until it can be read, nothing is approved'}"
        if problem != self._problem:
            self._problem = problem
            _logger.warning("%s", problem)

    def _judge_again(self) -> None:
        if self._registry.judge_again():
            self._changed()

    # -- calls ---------------------------------------------------------------------------------------------
    def admission(self, tool: catalog.Tool) -> Admit | None:
        """What a call of the tool has to pass on the connection it is sent on; None if nothing is enforced."""
        return partial(self._admit, tool) if self.enforces else None

    async def _admit(self, tool: catalog.Tool, connection: UpstreamConnection) -> None:
        """A server that was started for this call, or that reports a change, has to list its tools first.

        They may have changed by now. A notice that no list follows holds them back.
        """
        with anyio.move_on_after(limits.RELIST_WAIT if connection.changes else math.inf):
            while not connection.settled.is_set():  # another notice may come before this task continues
                await connection.settled.wait()
        if not connection.settled.is_set():
            connection.settle(
                errors.BackendTimeout(f"did not list its tools within {limits.RELIST_WAIT:g} s", tool.server)
            )
            self.unlisted(tool.server)
        if connection.list_fault is not None and tool.server not in self._unlisted:
            raise connection.list_fault
        if self.contract_gate is not None and self.enforces and not self.contract_gate.passes(tool):
            held = self._registry.held_back(tool.id)  # as it is now: the caller may have an older one
            raise errors.ToolHeldBack(self.contract_gate.why(tool) if held is None else held.why, tool.server)

    def unlisted(self, server: str, changed: bool = True) -> None:
        """It has not listed its tools. If it said that they `changed`, none is approved until it does."""
        if changed and server not in self._unlisted:
            self._unlisted.add(server)
            if self._registry.judge_again(server):
                self._changed()

    def listed(self, server: str) -> None:
        """Its tools are about to be compared as it offers them now."""
        self._unlisted.discard(server)

    # -- state ---------------------------------------------------------------------------------------------
    def counts(self, server: str) -> dict[str, Any]:
        """The counts for a row of the status; empty if no lock is enforced."""
        return {} if self.contract_gate is None else {"contracts": self.contract_gate.counts(server)}

    def for_agents(self, server: str) -> str:
        """A few words on a server that differs from its lock."""
        return "" if self.contract_gate is None else self.contract_gate.for_agents(server)

    @property
    def notes(self) -> list[str]:
        """What is wrong with the lock, in words that agents may read, too."""
        problem = self.contract_gate.problem if self.contract_gate is not None else ""
        return [f"the lock cannot be read: {problem}"] if problem else []

    def status(self, servers: Sequence[str]) -> dict[str, Any]:
        """For a person: which lock, what is wrong with it, and which tools differ from it."""
        if self.contract_gate is None:
            return {}
        state = {
            "mode": self._asked.mode,
            "lock": self._asked.lock,
            "differing": self.contract_gate.differing(servers),
        }
        return {"contracts": {**state, **({"problem": self._problem} if self._problem else {})}}


def _read(asked: Enforcement, environ: Mapping[str, str]) -> "contracts.Lock":
    """Blocking: 3,000 tools take 0.3 s, because every digest is verified and precomputed here."""
    path = Path(str(asked.lock))
    lock = contracts.read_lock(path)
    if lock.signature is not None or asked.verify_key is not None:
        contracts.verify(
            lock, path, None if asked.verify_key is None else contracts.public_key(asked.verify_key, environ)
        )
    for tool in lock.contracts.tools().values():
        _ = tool.digest
    return lock


def _stamp(path: str | None) -> tuple[int, int, int] | None:
    try:
        facts = Path(path or "").stat()
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _without_folder(mistake: errors.UserMistake) -> str:
    """The message without the folder: an agent needs no path of this machine."""
    if isinstance(mistake, errors.ConfigError) and mistake.path is not None:
        return safetext.for_terminal(f"{Path(mistake.path).name}: {mistake.message}")
    return safetext.for_terminal(str(mistake))
