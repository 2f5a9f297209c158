"""A tool that is not as it was locked → one line for the agent that asked for it: why, and what a person can do."""

import shlex
from collections.abc import Sequence
from typing import Final

from toolbooth.safetext import for_terminal

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
