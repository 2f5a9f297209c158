"""The gate between what servers offer and what a lock approves.

Tools are judged by digest; a tool that differs is held back, and an agent that asks for it reads why. Models act on a
server's own texts as well, so the locked ones are shown. This module needs `toolbooth.contracts`: only a gateway
whose config has `contracts:` imports it.
"""

import logging
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import orjson

from toolbooth.catalog import Json, ServerTools, Tool
from toolbooth.contracts import (
    Approvals,
    ApprovalState,
    Lock,
    Mode,
    ServerContract,
    changed_parts,
    digest_of,
    redact_wire,
)
from toolbooth.limits import MOST_LOCK_NOTES
from toolbooth.safetext import for_log, for_terminal

_NAME: Final = 100  # characters of a tool's name
_LOOK: Final = "A person can look with `toolbooth lock --check`"
_MEND: Final = "A person has to mend it, or write one with `toolbooth lock`."


def changed_line(tool_id: str, parts: Sequence[str]) -> str:
    """`parts` of its definition are others than the locked ones."""
    named = f" ({', '.join(parts)})" if parts else ""
    return _held(tool_id, f"its definition changed since it was locked{named}", _accept(tool_id))


def pending_line(tool_id: str) -> str:
    """The lock does not know it."""
    return _held(tool_id, "it is not in the lock", _accept(tool_id))


def unlocked_line(tool_id: str, trouble: str) -> str:
    """There is no lock to judge by."""
    return _held(tool_id, _unread(trouble), _MEND)


def gone_line(tool_id: str) -> str:
    """Its server has ceased to offer it, so there is no definition to judge."""
    return _held(tool_id, "its server does not offer it any more", "Search for another.")


def unlisted_line(tool_id: str) -> str:
    """Nothing is known of what its server offers now."""
    why = "its server said that its tools changed and has not listed them since"
    return _held(tool_id, why, "It is asked again; try once more in a moment, or use another tool.")


def count_line(count: int, trouble: str) -> str:
    """On all that is held back; `trouble` where no lock could be read."""
    tools = "1 tool is" if count == 1 else f"{count:,} tools are"
    if trouble:
        return f"{tools} held back: {_unread(trouble)}. {_MEND}"
    since = "it is new, or changed since it was" if count == 1 else "they are new, or changed since they were"
    return f"{tools} held back: {since} locked. {_LOOK}."


def _held(tool_id: str, why: str, advice: str) -> str:
    return f"{for_terminal(tool_id, _NAME)} is held back: {why}. {advice}"


def _accept(tool_id: str) -> str:
    """A name is a server's own words: quoted, so that who pastes the line runs nothing else."""
    named = shlex.quote(for_terminal(tool_id, _NAME))
    return f"{_LOOK} and accept it with `toolbooth lock --accept {named} --reason …`."


def _unread(trouble: str) -> str:
    return f"the lock cannot be read ({trouble})"


class LiveDigests:
    """Of one server, and of what it was given; `secrets` are taken out as they were before the lock was written."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = secrets
        self._quoted = [orjson.dumps(secret)[1:-1] for secret in secrets if _is_whole(secret)]

    def of(self, wire: Json) -> str:
        """The digest of one tool."""
        return digest_of(self.without_secrets(wire) if self._may_hold_secrets(wire) else wire)

    def without_secrets(self, wire: Json) -> Json:
        """As it would stand in a lock."""
        return redact_wire(wire, self._secrets)

    def _may_hold_secrets(self, wire: Json) -> bool:
        try:
            data = orjson.dumps(wire)
        except TypeError:  # an integer over 64 bits, half a character: then its texts are looked through
            return True
        return any(quoted in data for quoted in self._quoted)


def _is_whole(secret: str) -> bool:
    """Half a character stands in no wire object that can be written."""
    return secret.isascii() or not any("\ud800" <= character <= "\udfff" for character in secret)


_logger = logging.getLogger(__name__)
_NAMED: Final = 5  # tools in a line on a server
_SHOWN_NAME: Final = 60  # characters of each
_WORDS: Final = {ApprovalState.PENDING: "not in the lock", ApprovalState.CHANGED: "changed"}


class ContractGate:
    """The gate of a book whose config names a lock; it reads no file.

    `secrets_of` gives what a server was given and no lock may hold. `unlisted` are servers that said that their tools
    changed and have not listed them: what they offered before counts no more. `trouble` is
    why the lock that lies there now is not the one in use; without any, nothing is approved.
    """

    def __init__(
        self,
        mode: Mode,
        secrets_of: Callable[[str], Sequence[str]],
        unlisted: Collection[str] = frozenset(),
    ) -> None:
        self._approvals = Approvals(mode)
        self._unlisted = unlisted
        self._secrets_of = secrets_of
        self._servers: Mapping[str, ServerContract] = {}
        self._digests: dict[str, LiveDigests] = {}
        self._notes: dict[str, str] = {}
        self._logged: set[str] = set()
        self.locked = False
        self.trouble = ""

    @property
    def mode(self) -> Mode:
        """`enforce` or `warn`."""
        return self._approvals.mode

    def use(self, mode: Mode) -> None:
        """Another mode; the book has to judge again."""
        self._approvals.mode = mode

    def take(self, lock: Lock) -> None:
        """This lock counts from now on; the book has to judge again."""
        self._servers = lock.contracts.servers
        locked = {
            name: {tool.name: tool.digest for tool in server.tools.values()}
            for name, server in self._servers.items()
        }
        self._approvals.lock(locked)
        self.locked, self.trouble = True, ""

    # -- as the gate of a book -----------------------------------------------------------------------------
    def admit(self, offered: ServerTools) -> ServerTools:
        """Judge every tool by what it is now, whatever it was before."""
        server = offered.server
        self._approvals.offer(server, self._judged(offered))
        self._tell(offered)
        if self.mode != "enforce":
            return offered
        passing = tuple(tool for tool in offered.tools if self.passes(tool))
        shown = _in_locked_words(replace(offered, tools=passing), self._servers.get(server))
        return offered if shown == offered else shown

    def _judged(self, offered: ServerTools) -> dict[str, str]:
        """A tool that no lock names has no digest to be compared with, and needs none."""
        digests = self._digests.get(offered.server)
        if digests is None:
            digests = self._digests[offered.server] = LiveDigests(self._secrets_of(offered.server))
        contract = self._servers.get(offered.server)
        locked = contract.tools if contract is not None else {}
        return {tool.name: digests.of(tool.wire) if tool.name in locked else "" for tool in offered.tools}

    def forget(self, server: str) -> None:
        """Another server of this name may have been given other secrets."""
        self._approvals.forget(server)
        self._digests.pop(server, None)
        self._notes.pop(server, None)

    def why(self, tool: Tool) -> str:
        """Why it is held back, and what a person can do."""
        if not self.locked:
            return unlocked_line(tool.id, self.trouble)
        if tool.server in self._unlisted:
            return unlisted_line(tool.id)
        state = self._approvals.state_of(tool.server, tool.name)
        if state is ApprovalState.CHANGED:
            return changed_line(tool.id, changed_parts(self._locked_wire(tool), self._clean_wire(tool)))
        return pending_line(tool.id) if state is not None else gone_line(tool.id)

    def note(self, count: int) -> str:
        """For a search that finds nothing, and a list of nothing."""
        return count_line(count, "" if self.locked else self.trouble)

    def passes(self, tool: Tool) -> bool:
        """Whether it may be called as its server offers it now."""
        if self.mode == "enforce" and tool.server in self._unlisted:
            return False
        return self._approvals.passes(tool.server, tool.name)

    def _locked_wire(self, tool: Tool) -> Json:
        return self._servers[tool.server].tools[tool.name].wire

    def _clean_wire(self, tool: Tool) -> Json:
        return self._digests[tool.server].without_secrets(tool.wire)

    # -- state ---------------------------------------------------------------------------------------------
    def counts(self, server: str) -> dict[str, int]:
        """How many of a server's tools are approved, pending and changed."""
        return {str(state): count for state, count in self._approvals.counts(server).items()}

    def differing(self, servers: Iterable[str]) -> list[str]:
        """A clean line for each of these servers that is not as it was locked, with names, for a person."""
        return [self._notes[server] for server in servers if server in self._notes]

    def for_agents(self, server: str) -> str:
        """The same without the names of what they must not find; empty where all is as it was locked."""
        if self.mode != "enforce":
            return self._notes.get(server, "").partition(": ")[2]
        if server in self._unlisted:
            return "held back until it lists its tools"
        count = sum(self.counts(server).values()) - self.counts(server)[ApprovalState.APPROVED]
        return f"{count} held back" if count else ""

    def _tell(self, offered: ServerTools) -> None:
        """Once in the log, however often a server comes back to it."""
        note = self._note(offered)
        self._notes.pop(offered.server, None)
        if note:
            self._notes[offered.server] = note
            if note not in self._logged and len(self._logged) < MOST_LOCK_NOTES:
                self._logged.add(note)
                _logger.warning("%s", note)

    def _note(self, offered: ServerTools) -> str:
        if not self.locked:
            return ""  # the lock itself is the trouble
        differing = self._approvals.differing(offered.server)
        verb = "held back" if self.mode == "enforce" else "not as locked"
        parts = [f"{len(differing)} {verb}: {_named(differing)}"] if differing else []
        if offered.server in self._unlisted:
            parts.append("it said that its tools changed and has not listed them")
        if self._says_otherwise(offered):
            parts.append("its instructions are not the locked ones")
        return for_log(f"{offered.server}: {'; '.join(parts)}") if parts else ""

    def _says_otherwise(self, offered: ServerTools) -> bool:
        contract = self._servers.get(offered.server)
        if contract is None or not offered.instructions:
            return contract is not None and bool(contract.instructions)
        clean = self._digests[offered.server].without_secrets({"text": offered.instructions})
        return bool(clean["text"] != contract.instructions)


def _in_locked_words(offered: ServerTools, locked: ServerContract | None) -> ServerTools:
    """Of a server that nobody locked nothing but its name shows; a description stands in no lock."""
    agreed = locked or ServerContract(offered.server)
    return replace(
        offered,
        instructions=agreed.instructions or None,
        title=agreed.title,
        version=agreed.version,
        description="",
    )


def _named(differing: Mapping[str, ApprovalState]) -> str:
    shown = [f"{for_log(tool, _SHOWN_NAME)} ({_WORDS[state]})" for tool, state in differing.items()][:_NAMED]
    more = len(differing) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
