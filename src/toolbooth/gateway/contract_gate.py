"""The gate between what servers offer and what a lock approves.

Tools are compared by digest. A tool that differs is held back, and an agent that asks for it reads why.
Models act on a server's description and instructions as well, so the locked ones are shown. This module needs
`toolbooth.contracts`, so it is imported only for a config with `contracts:`.
"""

import logging
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import orjson

from toolbooth import catalog, contracts, figures, limits, safetext

_NAME: Final = 100  # characters of a tool's name
_LOOK: Final = "A person can look with `toolbooth lock --check`"
_REPAIR: Final = "A person has to repair it, or write a new one with `toolbooth lock`."


def changed_line(tool_id: str, parts: Sequence[str]) -> str:
    """Why a tool is held back: `parts` of its definition differ from the locked ones."""
    named = f" ({', '.join(parts)})" if parts else ""
    return _held(tool_id, f"its definition changed since it was locked{named}", _accept(tool_id))


def pending_line(tool_id: str) -> str:
    """Why a tool is held back: the lock does not know it."""
    return _held(tool_id, "it is not in the lock", _accept(tool_id))


def unlocked_line(tool_id: str, problem: str) -> str:
    """Why a tool is held back: there is no lock to compare it with."""
    return _held(tool_id, _unread(problem), _REPAIR)


def gone_line(tool_id: str) -> str:
    """Why a tool is held back: its server no longer offers it, so there is no definition to compare."""
    return _held(tool_id, "its server no longer offers it", "Search for another.")


def unlisted_line(tool_id: str) -> str:
    """Why a tool is held back: it is not known what its server offers now."""
    why = "its server said that its tools changed and has not listed them since"
    return _held(tool_id, why, "It is asked again; try once more in a moment, or use another tool.")


def count_line(count: int, problem: str) -> str:
    """How many tools are held back; `problem` says why no lock could be read."""
    tools = f"{figures.counted(count, 'tool')} {'is' if count == 1 else 'are'}"
    if problem:
        return f"{tools} held back: {_unread(problem)}. {_REPAIR}"
    since = "it is new, or changed since it was" if count == 1 else "they are new, or changed since they were"
    return f"{tools} held back: {since} locked. {_LOOK}."


def _held(tool_id: str, why: str, advice: str) -> str:
    return f"{safetext.for_terminal(tool_id, _NAME)} is held back: {why}. {advice}"


def _accept(tool_id: str) -> str:
    """The name is the server's own text, so it is quoted: pasting the line runs nothing else."""
    named = shlex.quote(safetext.for_terminal(tool_id, _NAME))
    return f"{_LOOK} and accept it with `toolbooth lock --accept {named} --reason …`."


def _unread(problem: str) -> str:
    return f"the lock cannot be read ({problem})"


class LiveDigests:
    """The digests of one server's tools; the secrets that it was given are redacted, as they were in the lock."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = secrets
        self._quoted = [orjson.dumps(secret)[1:-1] for secret in secrets if _is_whole(secret)]

    def of(self, definition: catalog.Json) -> str:
        """The digest of one tool."""
        return contracts.digest_of(
            self.without_secrets(definition) if self._may_hold_secrets(definition) else definition
        )

    def without_secrets(self, definition: catalog.Json) -> catalog.Json:
        """The definition as it would be in a lock."""
        return catalog.redact_raw(definition, self._secrets)

    def _may_hold_secrets(self, definition: catalog.Json) -> bool:
        try:
            data = orjson.dumps(definition)
        except TypeError:  # an integer over 64 bits, or half a surrogate pair: then its texts are searched
            return True
        return any(quoted in data for quoted in self._quoted)


def _is_whole(secret: str) -> bool:
    """Whether it is a valid text; no definition that can be written holds half a surrogate pair."""
    return secret.isascii() or not any("\ud800" <= character <= "\udfff" for character in secret)


_logger = logging.getLogger(__name__)
_NAMED: Final = 5  # tools listed for one server
_SHOWN_NAME: Final = 60  # characters of each
_WORDS: Final = {
    contracts.ApprovalState.PENDING: "not in the lock",
    contracts.ApprovalState.CHANGED: "changed",
}


class ContractGate:
    """The gate of a tool registry whose config names a lock; it reads no file.

    `secrets_of` returns what a server was given and no lock may contain. `unlisted` holds servers that
    reported a change of their tools and have not listed them since: what they offered before no longer
    counts. `problem` says why the current lock file is not the one in use; without any lock, nothing is
    approved.
    """

    def __init__(
        self,
        mode: contracts.Mode,
        secrets_of: Callable[[str], Sequence[str]],
        unlisted: Collection[str] = frozenset(),
    ) -> None:
        self._approvals = contracts.Approvals(mode)
        self._unlisted = unlisted
        self._secrets_of = secrets_of
        self._servers: Mapping[str, contracts.ServerContract] = {}
        self._digests: dict[str, LiveDigests] = {}
        self._notes: dict[str, str] = {}
        self._logged: set[str] = set()
        self.locked = False
        self.problem = ""

    @property
    def mode(self) -> contracts.Mode:
        """What the gate does: `enforce` or `warn`."""
        return self._approvals.mode

    def use(self, mode: contracts.Mode) -> None:
        """Switch to another mode; the registry has to apply the gate again."""
        self._approvals.mode = mode

    def take(self, lock: contracts.Lock) -> None:
        """Use this lock from now on; the registry has to apply the gate again."""
        self._servers = lock.contracts.servers
        locked = {
            name: {tool.name: tool.digest for tool in server.tools.values()}
            for name, server in self._servers.items()
        }
        self._approvals.lock(locked)
        self.locked, self.problem = True, ""

    # -- as the gate of a tool registry -------------------------------------------------------------------
    def admit(self, offered: catalog.ServerTools) -> catalog.ServerTools:
        """Compare every tool as it is now, whatever it was before."""
        server = offered.server
        self._approvals.offer(server, self._judged(offered))
        self._log_difference(offered)
        if self.mode != "enforce":
            return offered
        passing = tuple(tool for tool in offered.tools if self.passes(tool))
        shown = _with_locked_texts(replace(offered, tools=passing), self._servers.get(server))
        return offered if shown == offered else shown

    def _judged(self, offered: catalog.ServerTools) -> dict[str, str]:
        """The digests of locked tools; a tool that is not in the lock has nothing to be compared with."""
        digests = self._digests.get(offered.server)
        if digests is None:
            digests = self._digests[offered.server] = LiveDigests(self._secrets_of(offered.server))
        contract = self._servers.get(offered.server)
        locked = contract.tools if contract is not None else {}
        return {tool.name: digests.of(tool.raw) if tool.name in locked else "" for tool in offered.tools}

    def forget(self, server: str) -> None:
        """Forget a server: another one of the same name may have been given other secrets."""
        self._approvals.forget(server)
        self._digests.pop(server, None)
        self._notes.pop(server, None)

    def why(self, tool: catalog.Tool) -> str:
        """Why a tool is held back, and what a person can do."""
        if not self.locked:
            return unlocked_line(tool.id, self.problem)
        if tool.server in self._unlisted:
            return unlisted_line(tool.id)
        state = self._approvals.state_of(tool.server, tool.name)
        if state is contracts.ApprovalState.CHANGED:
            return changed_line(
                tool.id,
                contracts.changed_parts(self._locked_definition(tool), self._redacted_definition(tool)),
            )
        return pending_line(tool.id) if state is not None else gone_line(tool.id)

    def note(self, count: int) -> str:
        """A note for a search without hits, and for an empty list."""
        return count_line(count, "" if self.locked else self.problem)

    def approved_hints(self, tool: catalog.Tool) -> catalog.Json | None:
        """The annotations in the lock; empty if it has the tool without any."""
        contract = self._servers.get(tool.server)
        locked = None if contract is None else contract.tools.get(tool.name)
        if locked is None:
            return None
        hints = locked.raw.get("annotations")
        return hints if isinstance(hints, Mapping) else {}

    def passes(self, tool: catalog.Tool) -> bool:
        """Whether the tool may be called, as its server offers it now."""
        if self.mode == "enforce" and tool.server in self._unlisted:
            return False
        return self._approvals.passes(tool.server, tool.name)

    def _locked_definition(self, tool: catalog.Tool) -> catalog.Json:
        return self._servers[tool.server].tools[tool.name].raw

    def _redacted_definition(self, tool: catalog.Tool) -> catalog.Json:
        return self._digests[tool.server].without_secrets(tool.raw)

    # -- state ---------------------------------------------------------------------------------------------
    def counts(self, server: str) -> dict[str, int]:
        """How many of a server's tools are approved, pending and changed."""
        return {str(state): count for state, count in self._approvals.counts(server).items()}

    def differing(self, servers: Iterable[str]) -> list[str]:
        """One clean line, with names, for each of these servers that differs from the lock; for a person."""
        return [self._notes[server] for server in servers if server in self._notes]

    def for_agents(self, server: str) -> str:
        """The summary without the names of hidden tools; empty if nothing differs."""
        if self.mode != "enforce":
            return self._notes.get(server, "").partition(": ")[2]
        if server in self._unlisted:
            return "held back until it lists its tools"
        count = sum(self.counts(server).values()) - self.counts(server)[contracts.ApprovalState.APPROVED]
        return f"{count} held back" if count else ""

    def _log_difference(self, offered: catalog.ServerTools) -> None:
        """Log a difference once, however often the server comes back to it."""
        note = self._note(offered)
        self._notes.pop(offered.server, None)
        if note:
            self._notes[offered.server] = note
            if note not in self._logged and len(self._logged) < limits.MOST_LOCK_NOTES:
                self._logged.add(note)
                _logger.warning("%s", note)

    def _note(self, offered: catalog.ServerTools) -> str:
        if not self.locked:
            return ""  # the problem is the lock itself
        differing = self._approvals.differing(offered.server)
        verb = "held back" if self.mode == "enforce" else "not as locked"
        parts = [f"{len(differing)} {verb}: {_named(differing)}"] if differing else []
        if offered.server in self._unlisted:
            parts.append("it said that its tools changed and has not listed them")
        if self._contradicts(offered):
            parts.append("its instructions are not the locked ones")
        return safetext.for_log(f"{offered.server}: {'; '.join(parts)}") if parts else ""

    def _contradicts(self, offered: catalog.ServerTools) -> bool:
        contract = self._servers.get(offered.server)
        if contract is None or not offered.instructions:
            return contract is not None and bool(contract.instructions)
        clean = self._digests[offered.server].without_secrets({"text": offered.instructions})
        return bool(clean["text"] != contract.instructions)


def _with_locked_texts(
    offered: catalog.ServerTools, locked: contracts.ServerContract | None
) -> catalog.ServerTools:
    """Of a server that is not locked only its name is shown; no lock holds a description."""
    agreed = locked or contracts.ServerContract(offered.server)
    return replace(
        offered,
        instructions=agreed.instructions or None,
        title=agreed.title,
        version=agreed.version,
        description="",
    )


def _named(differing: Mapping[str, contracts.ApprovalState]) -> str:
    shown = [f"{safetext.for_log(tool, _SHOWN_NAME)} ({_WORDS[state]})" for tool, state in differing.items()][
        :_NAMED
    ]
    more = len(differing) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
