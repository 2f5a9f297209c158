"""The files that a gateway follows while it runs: its configs, and the lock that its contracts refer to.

A lock that cannot be read changes nothing: what the last good one approved stays approved, and nothing else is. A
gateway that starts without a good lock approves nothing. Without `contracts:` nothing of `toolbooth.contracts` is
imported.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from toolbooth.catalog import Tool
from toolbooth.catalog.config import Enforcement
from toolbooth.catalog.load import SourceError, Sources
from toolbooth.errors import BackendTimeout, ConfigError, ToolHeldBack, UserMistake
from toolbooth.gateway.process import error_summary
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.gateway.upstreams.connection import UpstreamConnection
from toolbooth.limits import RELIST_WAIT
from toolbooth.safetext import for_log, for_terminal

if TYPE_CHECKING:
    from toolbooth.contracts import Lock
    from toolbooth.gateway.contract_gate import ContractGate


Stamps = dict[Path, tuple[int, int, int]]


def same_sources(one: Sources, other: Sources) -> bool:
    """Whether both make the same gateway, out of the same files: a missing file is not the same as no file."""
    return _facts(one) == _facts(other)


def _facts(sources: Sources) -> tuple[object, ...]:
    return (
        sources.servers,
        sources.gateway,
        sources.answer_caps,
        sources.read,
        sources.absent,
        sources.looked_at,
    )


def without_catalogs(sources: Sources) -> Sources:
    """A config that has become a list of tools (`[]`, say) is a slip of an editor, not the wish for no server."""
    slips = [path for path in sources.looked_at if f"catalog {path}" in sources.read]
    said = "holds no servers any more; they stay as they were"
    return replace(
        sources, source_errors=(*sources.source_errors, *(SourceError(str(path), said) for path in slips))
    )


def unreadable(sources: Sources) -> bool:
    """Whether a whole file could not be understood; else only entries of it are in trouble, by their names."""
    return any(
        each.where.startswith(str(path)) for each in sources.source_errors for path in sources.looked_at
    )


def stamps_of(sources: Sources) -> Stamps:
    """The state of each file that is there: when it was written, its size, and which one it is."""
    found = {}
    for path in sources.looked_at:
        try:
            facts = path.stat()
        except OSError:
            continue
        found[path] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    return found


Admit = Callable[[UpstreamConnection], Awaitable[None]]
Stamp = tuple[tuple[int, int, int] | None, ...]
_logger = logging.getLogger(__name__)


class LockWatch:
    """Keeps one book to the lock of its config. `changed` is told when other tools show than before."""

    def __init__(
        self, registry: ToolRegistry, secrets_of: Callable[[str], Sequence[str]], changed: Callable[[], None]
    ) -> None:
        self._registry, self._secrets_of, self._changed = registry, secrets_of, changed
        self._asked = Enforcement()
        self._stamp: Stamp | None = None
        self._trouble = ""
        self._unlisted: set[str] = set()
        self.contract_gate: ContractGate | None = None
        self.enforces = False

    def follow(self, asked: Enforcement) -> None:
        """What the config says now. Another lock counts as none until it is read: see `look`."""
        if asked == self._asked:
            return
        same_lock = (asked.lock, asked.verify_key) == (self._asked.lock, self._asked.verify_key)
        self._asked, self.enforces = asked, asked.mode == "enforce"
        if asked.mode == "off":
            self.contract_gate = None
        elif self.contract_gate is None or not same_lock:
            from toolbooth.gateway.contract_gate import ContractGate

            self.contract_gate = ContractGate(asked.mode, self._secrets_of, self._unlisted)
            self._stamp, self._trouble = None, ""
        else:
            self.contract_gate.use(asked.mode)
        self._registry.gate = self.contract_gate
        self._judge_again()

    async def look(self, environ: Mapping[str, str]) -> bool:
        """Read the lock if it, or the key that must have signed it, is not as it was; True if there is a new one."""
        asked, contract_gate = self._asked, self.contract_gate
        if contract_gate is None or asked.lock is None:
            return False
        stamp = (_stamp(asked.lock), _stamp(asked.verify_key))
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            lock = await anyio.to_thread.run_sync(_read, asked, environ)
        except UserMistake as mistake:
            self._cannot(contract_gate, for_log(str(mistake)), _without_folder(mistake))
        except Exception as error:  # whatever a strange file does to its reader: what was approved stays so
            self._cannot(contract_gate, f"{for_log(asked.lock)}: {error_summary(error)}", "it is damaged")
        else:
            if contract_gate is self.contract_gate:
                contract_gate.take(lock)
                self._trouble = ""
                self._judge_again()
                return True
        return False

    def _cannot(self, contract_gate: "ContractGate", trouble: str, for_agents: str) -> None:
        contract_gate.trouble = for_agents
        stays = "what the last good lock approved stays approved, and nothing else is"
        trouble += f"; {stays if contract_gate.locked else 'until it can be read, nothing is approved'}"
        if trouble != self._trouble:
            self._trouble = trouble
            _logger.warning("%s", trouble)

    def _judge_again(self) -> None:
        if self._registry.judge_again():
            self._changed()

    # -- calls ---------------------------------------------------------------------------------------------
    def admission(self, tool: Tool) -> Admit | None:
        """What a call of the tool has to pass on the line that it goes out on; None where nothing is enforced."""
        return partial(self._admit, tool) if self.enforces else None

    async def _admit(self, tool: Tool, connection: UpstreamConnection) -> None:
        """A server that was started for this very call has to list its tools first, and so has one that says that
        they changed: they may be others by now. A notice that no list follows holds them back."""
        with anyio.move_on_after(RELIST_WAIT if connection.changes else math.inf):
            while not connection.told.is_set():  # a further notice may come before this task goes on
                await connection.told.wait()
        if not connection.told.is_set():
            connection.tell(BackendTimeout(f"did not list its tools within {RELIST_WAIT:g} s", tool.server))
            self.unlisted(tool.server)
        if connection.untold is not None and tool.server not in self._unlisted:
            raise connection.untold
        if self.contract_gate is not None and self.enforces and not self.contract_gate.passes(tool):
            held = self._registry.held_back(tool.id)  # as it is now: the caller may have it from before
            raise ToolHeldBack(self.contract_gate.why(tool) if held is None else held.why, tool.server)

    def unlisted(self, server: str, changed: bool = True) -> None:
        """It has not listed its tools. Where it said that they `changed`, none is approved until it does."""
        if changed and server not in self._unlisted:
            self._unlisted.add(server)
            if self._registry.judge_again(server):
                self._changed()

    def listed(self, server: str) -> None:
        """Its tools are about to be judged by what it offers now."""
        self._unlisted.discard(server)

    # -- state ---------------------------------------------------------------------------------------------
    def counts(self, server: str) -> dict[str, Any]:
        """For a row of the status; empty where no lock is kept to."""
        return {} if self.contract_gate is None else {"contracts": self.contract_gate.counts(server)}

    def for_agents(self, server: str) -> str:
        """A few words on a server that is not as it was locked."""
        return "" if self.contract_gate is None else self.contract_gate.for_agents(server)

    @property
    def notes(self) -> list[str]:
        """What is wrong with the lock, in words that agents may read, too."""
        trouble = self.contract_gate.trouble if self.contract_gate is not None else ""
        return [f"the lock cannot be read: {trouble}"] if trouble else []

    def status(self, servers: Sequence[str]) -> dict[str, Any]:
        """For a person: which lock, what is wrong with it, and which tools are not as it has them."""
        if self.contract_gate is None:
            return {}
        told = {
            "mode": self._asked.mode,
            "lock": self._asked.lock,
            "differing": self.contract_gate.differing(servers),
        }
        return {"contracts": {**told, **({"trouble": self._trouble} if self._trouble else {})}}


def _read(asked: Enforcement, environ: Mapping[str, str]) -> "Lock":
    """Blocking: 3,000 tools take 0.3 s, for every digest is verified, and made here for later."""
    from toolbooth.contracts.toolbooth_lock import read_lock

    path = Path(str(asked.lock))
    lock = read_lock(path)
    if lock.signature is not None or asked.verify_key is not None:
        from toolbooth.contracts.signing import public_key, verify

        verify(lock, path, None if asked.verify_key is None else public_key(asked.verify_key, environ))
    for tool in lock.contracts.tools().values():
        _ = tool.digest
    return lock


def _stamp(path: str | None) -> tuple[int, int, int] | None:
    try:
        facts = Path(path or "").stat()
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _without_folder(mistake: UserMistake) -> str:
    """An agent needs no path of this machine."""
    if isinstance(mistake, ConfigError) and mistake.path is not None:
        return for_terminal(f"{Path(mistake.path).name}: {mistake.message}")
    return for_terminal(str(mistake))
