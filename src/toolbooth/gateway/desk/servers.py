"""Orders about servers → the state of each, or a change where the config allows it."""

from collections.abc import Mapping
from typing import Any

from toolbooth.errors import UserMistake, WrongArguments
from toolbooth.gateway.caller import Session
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.jobs import read_order
from toolbooth.safetext import fault_for_terminal, for_terminal


async def manage(gateway: Gateway, session: Session, given: Mapping[str, Any]) -> str:
    """Carry out one order."""
    order = read_order(given, gateway.settings.manage_servers)
    if order.action == "register":
        try:
            name = gateway.register(str(order.server), order.config)
        except UserMistake as mistake:
            raise WrongArguments(str(mistake)) from None
        await gateway.ready(session)
        return _state(gateway, name)
    if order.server is not None and order.server not in gateway.backends:
        known = ", ".join(gateway.backends)
        if why := gateway.book.why_absent(order.server):
            raise WrongArguments(for_terminal(why))
        raise WrongArguments(f"there is no server {for_terminal(order.server, 60)}; there are {known}")
    if order.action == "deregister":
        gateway.deregister(str(order.server))
        return f"{order.server} is gone until the gateway is started again"
    return _state(gateway, order.server)


def servers_not_up(gateway: Gateway) -> dict[str, str]:
    """The servers of which nothing is known, and why, in a few words."""
    return {
        name: fault_for_terminal(backend.fault.message, _WHY) if backend.fault is not None else "starting"
        for name, backend in gateway.backends.items()
        if name not in gateway.book.servers
    }


_WHY = 160


def _state(gateway: Gateway, server: str | None) -> str:
    lines = [_line(gateway, each) for each in gateway.status() if server in (None, each["server"])]
    if server is None:
        absent = gateway.book.absent.items()
        lines += [for_terminal(f"{name}: cannot be used: {why}") for name, why in absent]
    return "\n".join(lines) or "no server is configured"


def _line(gateway: Gateway, status: Mapping[str, Any]) -> str:
    """Names of the environment variables, never values."""
    tools = "tools unknown" if status["tools"] is None else f"{status['tools']} tools"
    spec = gateway.backends[status["server"]].spec
    locked = gateway.lock.for_agents(status["server"])
    held = f"; {locked}" if locked else ""
    keys = f"; environment: {', '.join(sorted(spec.env))}" if spec.env else ""
    fault = f"; {for_terminal(status['fault'])}" if status.get("fault") else ""
    return f"{status['server']}: {status['state']}, {tools}{held}{keys}{fault}"
