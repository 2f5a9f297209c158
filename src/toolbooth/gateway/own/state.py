"""The backends of a gateway → a line for each that says how it is, and one on those of which nothing is known."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.own.latency import Latency
from toolbooth.safetext import fault_for_terminal, for_terminal

MEANINGS: Final = {
    "idle": "idle: started by its next call",
    "resting": "resting: failed too often; tried again in a while",
}
_WHY: Final = 160  # characters
_SHOWN: Final = 5  # servers that are not up, in a line below others


def state_line(gateway: Gateway, row: Mapping[str, Any], took: Latency | None = None) -> str:
    """One row of the gateway's status. Names of environment variables, never values."""
    spec, locked = gateway.backends[row["server"]].spec, gateway.lock.for_agents(row["server"])
    parts = (
        f"{row['server']}: {row['state']}, {tool_count(row['tools'])}",
        f"; {locked}" if locked else "",
        f"; {took}" if took else "",
        f"; environment: {', '.join(for_terminal(key) for key in sorted(spec.env))}" if spec.env else "",
        f"; last fault: {for_terminal(row['fault'])}" if row.get("fault") else "",
    )
    return "".join(parts)


def tool_count(count: int | None) -> str:
    """In words."""
    if count is None:
        return "tools not known yet"
    return "1 tool" if count == 1 else f"{count} tools"


def why_not_up(gateway: Gateway) -> dict[str, str]:
    """The servers of which nothing is known, and why, in a few words."""
    return {
        name: fault_for_terminal(backend.fault.message, _WHY) if backend.fault is not None else backend.state
        for name, backend in gateway.backends.items()
        if name not in gateway.book.servers
    }


def not_up(gateway: Gateway) -> list[str]:
    """A line, so that nobody takes for absent what is only down; none where all are known."""
    missing = why_not_up(gateway)
    shown = "; ".join(f"{name} ({why})" for name, why in list(missing.items())[:_SHOWN])
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    return [f"not up, so not known: {shown}{more}"] if missing else []


def absent_lines(gateway: Gateway) -> list[str]:
    """A line for each server that the config names and nobody can use."""
    return [
        f"{for_terminal(name, _WHY)}: cannot be used: {for_terminal(why)}"
        for name, why in gateway.book.absent.items()
    ]
