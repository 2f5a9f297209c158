"""The state of the servers in words for an agent: one line for each, why one is not up, which cannot be used.

The status tool, the pages below `toolbooth://` and the answers of searches all take their words from here.
`toolbooth daemon status` renders the same rows of `Gateway.status` for a person, with counts that no agent needs.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from toolbooth import figures, safetext

if TYPE_CHECKING:
    from toolbooth.gateway.scope import GatewayScope

_WHY: Final = 160  # characters
_SHOWN: Final = 5  # servers that are not up, in one line of a page
_SHOWN_IN_ANSWER: Final = 3  # the same below an answer, whose tokens are paid at each search
_SHOWN_ABSENT, _ABSENT_TEXT = 5, 800

NO_SERVERS: Final = (
    "No MCP server is configured behind this gateway, so there is no tool to find or call. The user can name servers "
    "in toolbooth.yaml, or in the file that `toolbooth serve --config FILE` reads; no restart is needed."
)
MEANINGS: Final = {
    "idle": "idle: starts on its next call",
    "resting": "resting: failed too often; it is tried again later",
}


def state_line(scope: "GatewayScope", row: Mapping[str, Any], took: object = None) -> str:
    """One row of the gateway's status; `took` is its latency. Names of environment variables, never values."""
    spec, locked = scope.upstreams[row["server"]].spec, scope.lock_note(row["server"])
    parts = (
        f"{row['server']}: {row['state']}, {tool_count(row['tools'])}",
        f"; {locked}" if locked else "",
        f"; {took}" if took else "",
        f"; environment: {', '.join(safetext.for_terminal(key) for key in sorted(spec.env))}"
        if spec.env
        else "",
        f"; last fault: {safetext.for_terminal(row['fault'])}" if row.get("fault") else "",
    )
    return "".join(parts)


def tool_count(count: int | None) -> str:
    """The number of tools in words."""
    return "tools not known yet" if count is None else figures.counted(count, "tool")


def why_not_up(scope: "GatewayScope") -> dict[str, str]:
    """Why nothing is known of a server, in a few words, by the server's name."""
    return {
        name: safetext.fault_for_terminal(upstream.fault.message, _WHY)
        if upstream.fault is not None
        else upstream.state
        for name, upstream in scope.upstreams.items()
        if name not in scope.registry.servers
    }


def not_known(missing: Mapping[str, str]) -> list[str]:
    """One line on servers that are not up, so that none is taken for absent; empty if all are known."""
    return [f"not up, tools unknown: {_listed(missing, _SHOWN)}"] if missing else []


def not_searched(missing: Mapping[str, str]) -> list[str]:
    """One line on servers that are not up, for the end of a search's answer."""
    return [f"not up, so not searched: {_listed(missing, _SHOWN_IN_ANSWER)}"] if missing else []


def _listed(missing: Mapping[str, str], most: int) -> str:
    shown = "; ".join(f"{server} ({why})" for server, why in list(missing.items())[:most])
    return f"{shown} and {len(missing) - most} more" if len(missing) > most else shown


def not_up(server: str, why: str) -> str:
    """Why a call for a server is not possible."""
    return f"{safetext.for_terminal(server)} is configured but not up: {why}"


def absent_lines(scope: "GatewayScope") -> list[str]:
    """One line for each server that the config names and that cannot be used."""
    return [
        f"{safetext.for_terminal(name, _WHY)}: cannot be used: {safetext.for_terminal(why)}"
        for name, why in scope.registry.absent.items()
    ]


def no_servers(scope: "GatewayScope") -> str:
    """What to say if nothing can be called: no server is configured, or none of them can be used."""
    absent = list(scope.registry.absent.items())
    if not absent:
        return NO_SERVERS
    reasons = "; ".join(f"{name} ({why})" for name, why in absent[:_SHOWN_ABSENT])
    more = f" and {len(absent) - _SHOWN_ABSENT} more" if len(absent) > _SHOWN_ABSENT else ""
    return (
        "No MCP server behind this gateway can be used: "
        f"{safetext.for_terminal(reasons, _ABSENT_TEXT)}{more}. Tell the user."
    )
