"""`toolbooth daemon`: see or stop the background process that the gateway's clients share."""

import os
from argparse import SUPPRESS, Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from toolbooth.cli.arguments import Parser
from toolbooth.cli.serve import options_of, request_of
from toolbooth.limits import DAEMON_IDLE
from toolbooth.safetext import fault_for_terminal, for_terminal

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.running import Front, Hello
    from toolbooth.gateway.house import House, View

EXAMPLES = """\
  toolbooth daemon status            which clients and servers it has
  toolbooth daemon status --json     the same for a program
  toolbooth daemon stop              let open calls finish, stop the servers, end

it starts with the first client and ends by itself; after a stop, a client's next message starts it anew.
"""
IDLE_VARIABLE = "TOOLBOOTH_DAEMON_IDLE"


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("daemon", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "what",
        choices=WORK,
        metavar="status|stop",
        help="show it, or stop it; a client's first start brings it up",
    )
    add("--json", action="store_true", help="the answer as JSON")
    add("--ready-fd", type=int, help=SUPPRESS)  # `run --ready-fd N` is what a bridge starts
    return made


def run(words: Sequence[str]) -> int:
    """Do one of the three."""
    options = parser().parse_args(list(words))
    WORK[options.what](options)
    return 0


def _status(options: Namespace) -> None:
    from toolbooth.gateway.daemon.asking import ask_status

    status = ask_status()
    if options.json:
        from toolbooth.cli.terminal import print_json

        print_json({"running": status is not None, **(status or {})})
    elif status is None:
        print("no daemon is running; the first `toolbooth serve` starts one")  # noqa: T201
    else:
        print("\n".join(_lines(status)))  # noqa: T201


def _stop(options: Namespace) -> None:
    from toolbooth.gateway.daemon.asking import stop_daemon

    pid = stop_daemon()
    if options.json:
        from toolbooth.cli.terminal import print_json

        print_json({"stopped": pid is not None, "pid": pid})
    else:
        print("no daemon was running" if pid is None else f"stopped the daemon (process {pid})")  # noqa: T201


def _run(options: Namespace) -> None:
    from toolbooth.gateway.daemon.running import run_daemon

    run_daemon(_open_gateways, options.ready_fd)


WORK = {"status": _status, "stop": _stop, "run": _run}


def _lines(status: Mapping[str, Any]) -> Iterator[str]:
    sessions = status["sessions"]
    clients = f"{sessions} client" if sessions == 1 else f"{sessions} clients"
    yield f"toolbooth {status['version']} runs as process {status['pid']} for {_lasting(status['uptime'])}: {clients}"
    for gateway in status["gateways"]:
        configs = ", ".join(for_terminal(config, 120) for config in gateway["configs"])
        yield f"  {configs or 'no config'} in {for_terminal(gateway['folder'], 120)}"
        yield from (f"    {_server_line(server)}" for server in gateway["servers"])
        yield from (f"    ✗ {for_terminal(trouble)}" for trouble in gateway["troubles"])
        yield from (f"    {line}" for line in _lock_lines(gateway.get("contracts")))
    yield from (f"  note: {for_terminal(note)}" for note in status.get("notes", ()))
    yield f"  log: {for_terminal(status['log'])}"


def _lock_lines(contracts: Mapping[str, Any] | None) -> Iterator[str]:
    """Which lock is kept to, and what is not as it has it."""
    if contracts is None:
        return
    yield f"lock: {for_terminal(contracts['lock'], 120)} ({contracts['mode']})"
    if "trouble" in contracts:
        yield f"✗ {for_terminal(contracts['trouble'])}"
    yield from (f"≠ {for_terminal(line)}" for line in contracts["differing"])


def _server_line(server: Mapping[str, Any]) -> str:
    facts = [server["state"]]
    if server["tools"] is not None:
        facts.append(f"{server['tools']} tools")
    facts += [f"{count} {standing}" for standing, count in server.get("contracts", {}).items() if count]
    if server.get("connections", 1) > 1:
        facts.append(f"{server['connections']} connections, for clients that differ in what they offer")
    if server["calls"]:
        facts.append(f"{server['calls']} open calls")
    if "fault" in server:
        facts.append(fault_for_terminal(server["fault"]))
    return f"{for_terminal(server['server'], 40):24}{' · '.join(facts)}"


def _lasting(seconds: float) -> str:
    minutes = int(seconds) // 60
    if minutes < 1:
        return f"{int(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"


class _Gateways:
    """The daemon's service: each client gets its gateway of the one house."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._idle = DAEMON_IDLE

    async def enter(self, hello: "Hello") -> "Front":
        """The client's words mean the same as in a process of its own."""
        view = await self._house.enter(request_of(options_of(hello.words), hello.cwd, hello.environ))
        self._idle = view.gateway.settings.daemon_idle
        return partial(self._serve, view)

    async def _serve(
        self, view: "View", read_fd: int, write_fd: int, notebook: Any, *, resumed: bool
    ) -> None:
        from toolbooth.gateway.fronts.stdio import serve_stdio

        try:
            await serve_stdio(view, read_fd, write_fd, notebook, resumed=resumed)
        finally:
            self._house.leave(view)

    def forget(self) -> None:
        """What no client uses."""
        self._house.forget()

    def status(self) -> Mapping[str, Any]:
        return self._house.status()

    def idle(self) -> float:
        """The setting of the client that came last, unless the environment says otherwise."""
        return float(os.environ.get(IDLE_VARIABLE) or self._idle)


@asynccontextmanager
async def _open_gateways() -> AsyncIterator[_Gateways]:
    from toolbooth.gateway.loop import load

    load("toolbooth.gateway.house", "toolbooth.gateway.fronts.stdio")
    from toolbooth.gateway.house import open_house

    async with open_house(os.environ) as house:
        yield _Gateways(house)
