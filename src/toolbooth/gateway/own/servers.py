"""The backends → `toolbooth://servers`, the state of each, and `toolbooth://server/{name}`, one with its tools."""

from collections.abc import Iterable

from toolbooth.errors import WrongArguments
from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.about import about
from toolbooth.gateway.own.latency import latencies
from toolbooth.gateway.own.nearest import nearest_of
from toolbooth.gateway.own.resource import OwnResource
from toolbooth.gateway.own.state import MEANINGS, absent_lines, state_line
from toolbooth.gateway.own.tools import inventory
from toolbooth.gateway.view import View, no_servers
from toolbooth.safetext import for_terminal

_NAME = 100  # characters of a name that does not exist


async def states(view: View) -> str:
    """A line for each server, then what those words mean that are not plain."""
    gateway = view.gateway
    if not gateway.backends:
        return no_servers(gateway)
    took = await latencies(gateway.ledger)
    rows = gateway.status()
    lines = [state_line(gateway, row, took.get(row["server"])) for row in rows]
    said = {row["state"] for row in rows}
    lines += absent_lines(gateway)
    return "\n".join([*lines, *(meaning for state, meaning in MEANINGS.items() if state in said)])


async def _all(view: View, _session: Session, _value: str) -> str:
    return await states(view)


async def _one(view: View, _session: Session, name: str) -> str:
    gateway = view.gateway
    took = (await latencies(gateway.ledger)).get(name)  # first: servers may come and go meanwhile
    row = next((each for each in gateway.status() if each["server"] == name), None)
    if row is None:
        raise WrongArguments(gateway.book.why_absent(name) or _no_such_server(view, name))
    offered = gateway.book.servers.get(name)
    lines = [state_line(gateway, row, took)]
    if row["protocol"]:
        lines.append(f"protocol: {for_terminal(row['protocol'], _NAME)}")
    if offered is not None:
        told = about(offered)
        lines += [*([f"for: {told}"] if told else []), inventory(view, name)]
    return "\n".join(lines)


def _no_such_server(view: View, name: str) -> str:
    names = list(view.gateway.backends)
    if not names:
        return no_servers(view.gateway)
    return f'There is no server "{for_terminal(name, _NAME)}". Nearest: {", ".join(nearest_of(name, names))}.'


def _names(view: View) -> Iterable[str]:
    return view.gateway.backends


SERVERS = OwnResource("servers", "Servers", "State of every server, its tools and how long it takes.", _all)
SERVER = OwnResource(
    "server",
    "One server",
    "State of a server, what it is for, how long it takes, its tools.",
    _one,
    variable="name",
    values=_names,
)
