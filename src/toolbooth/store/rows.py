"""One row of the ledger, the kinds and outcomes it may have, and the filter that selects rows.

A row holds what is known of a call for ever, and nothing of what was said.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from toolbooth import limits

# Kinds of rows. What each counts for in a sum: docs/design/ledger.md.
CALL: Final = "call"  # an answer of a server, for a client
CODE_CALL: Final = "code_call"  # an answer of a server that only code read
CODE: Final = "code"  # what code, or a saved script, returned to a client
MENU: Final = "menu"  # the first `tools/list` of a session, beside the menus that it replaces
LIST: Final = "list"  # another `tools/list`, or one of which it is not known what it replaces: in no sum
QUESTION: Final = "question"  # a server asks back: not the end of a call, in no sum
MEASURED: Final = "measured"  # a client with a key says that it only measures: in no sum
SERVER_CALLS: Final = (CALL, CODE_CALL)
ANSWERS: Final = (CALL, CODE)  # what a client's model reads of tools
UNSUMMED: Final = (LIST, QUESTION, MEASURED)
BUILTIN_SERVER: Final = (
    "toolbooth"  # the server of the built-in tools, and of calls that name no existing tool
)
# Outcomes of calls that we ended ourselves, before any server or any code saw them.
REJECTED: Final = ("bad_arguments", "unknown_tool", "not_found", "resting", "busy", "held_back")
LOCAL_PRINCIPAL: Final = "local"  # the id of `access.LOCAL_USER`, whose package is above this one
_DIGEST = 12  # hexadecimal digits: they distinguish the sessions of a user, and lead back to none
_NAME_DIGEST = 32  # hexadecimal digits in the place of the end of a long name


class Row(NamedTuple):
    """Sizes are those of the text that a model reads. `risk` is None if there was no answer to judge."""

    at: float
    server: str
    tool: str
    session: str
    kind: str
    ms: float
    outcome: str
    bytes_before: int
    bytes_after: int
    tokens_before: int
    tokens_after: int
    estimated: bool = False
    risk: str | None = None
    advisory: str | None = None
    steps: tuple[str, ...] = ()
    principal: str = LOCAL_PRINCIPAL

    def as_json(self) -> dict[str, Any]:
        """For a program or a resource."""
        return {**self._asdict(), "at": moment(self.at), "steps": list(self.steps)}


def session_digest(session: str) -> str:
    """The short name of a session in the ledger."""
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def session_number(digest: str) -> int:
    """The digest as a number, as the file stores it."""
    return int(digest, 16)


def digest_of(number: int) -> str:
    """The digest of such a number."""
    return f"{number:0{_DIGEST}x}"


def moment(at: float) -> str:
    """Seconds of the epoch as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def storable(text: str) -> str:
    """A foreign name as every store can hold it: bounded, without half surrogate pairs and NUL.

    A long one ends in a digest: principals whose ids begin alike must not share rows.
    """
    if len(text) > limits.MAX_LEDGER_NAME:
        whole = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_NAME_DIGEST]
        text = text[: limits.MAX_LEDGER_NAME - _NAME_DIGEST] + whole
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


@dataclass(frozen=True)
class RowFilter:
    """Which rows: all fields that are set must match. `until` is exclusive, and `session` a digest.

    `limit` bounds a list of rows to the latest; sums ignore it.
    """

    since: float | None = None
    until: float | None = None
    session: str | None = None
    principal: str | None = None
    server: str | None = None
    tool: str | None = None
    kinds: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    limit: int | None = None
