"""`toolbooth daemon`: show or stop the background process that the gateway's clients share."""

from argparse import SUPPRESS, Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolbooth import safetext
from toolbooth.cli import arguments, serve

if TYPE_CHECKING:
    from toolbooth.gateway import GatewayRequest, Hello

EXAMPLES = """\
  toolbooth daemon status            its clients and servers
  toolbooth daemon status --json     the same as JSON
  toolbooth daemon stop              finish open calls, stop the servers, and end

the daemon starts with the first client and ends by itself. After a stop, a client's next message starts it again.
"""


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("daemon", __doc__ or "", EXAMPLES, {3: "the daemon cannot be started or reached"})
    add = made.add_argument
    add(
        "what",
        choices=WORK,
        metavar="status|stop",
        help="show the daemon, or stop it",
    )
    add("--json", action="store_true", help="the answer as JSON")
    add("--ready-fd", type=int, help=SUPPRESS)  # `run --ready-fd N` is what a bridge starts
    return made


def run(words: Sequence[str]) -> int:
    """Show, stop or run the daemon."""
    options = parser().parse_args(list(words))
    WORK[options.what](options)
    return 0


def _status(options: Namespace) -> None:
    from toolbooth.gateway import ask_status

    status = ask_status()
    if options.json:
        from toolbooth.cli import terminal

        terminal.print_json({"running": status is not None, **(status or {})})
    elif status is None:
        print("no daemon is running; the first `toolbooth serve` starts one")  # noqa: T201
    else:
        print("\n".join(_lines(status)))  # noqa: T201


def _stop(options: Namespace) -> None:
    from toolbooth.gateway import stop_daemon

    pid = stop_daemon()
    if options.json:
        from toolbooth.cli import terminal

        terminal.print_json({"stopped": pid is not None, "pid": pid})
    else:
        print("no daemon was running" if pid is None else f"stopped the daemon (process {pid})")  # noqa: T201


def _run(options: Namespace) -> None:
    from toolbooth.gateway import open_gateways, run_daemon

    run_daemon(partial(open_gateways, _request), options.ready_fd)


def _request(hello: "Hello") -> "GatewayRequest":
    """A client's options mean the same in the daemon as in its own process."""
    return serve.request_of(serve.options_of(hello.words), hello.cwd, hello.environ)


WORK = {"status": _status, "stop": _stop, "run": _run}


def _lines(status: Mapping[str, Any]) -> Iterator[str]:
    sessions = status["sessions"]
    clients = f"{sessions} client" if sessions == 1 else f"{sessions} clients"
    yield f"toolbooth {status['version']} runs as process {status['pid']} for {_lasting(status['uptime'])}: {clients}"
    for gateway in status["gateways"]:
        configs = ", ".join(safetext.for_terminal(config, 120) for config in gateway["configs"])
        yield f"  {configs or 'no config'} in {safetext.for_terminal(gateway['folder'], 120)}"
        yield from (f"    {_server_line(server)}" for server in gateway["servers"])
        yield from (
            f"    ✗ {safetext.for_terminal(source_error)}" for source_error in gateway["source_errors"]
        )
        yield from (f"    {line}" for line in _lock_lines(gateway.get("contracts")))
    yield from (f"  note: {safetext.for_terminal(note)}" for note in status.get("notes", ()))
    yield f"  log: {safetext.for_terminal(status['log'])}"


def _lock_lines(contracts: Mapping[str, Any] | None) -> Iterator[str]:
    """The lock that is enforced, and what differs from it."""
    if contracts is None:
        return
    yield f"lock: {safetext.for_terminal(contracts['lock'], 120)} ({contracts['mode']})"
    if "problem" in contracts:
        yield f"✗ {safetext.for_terminal(contracts['problem'])}"
    yield from (f"≠ {safetext.for_terminal(line)}" for line in contracts["differing"])


def _server_line(server: Mapping[str, Any]) -> str:
    facts = [server["state"]]
    if server["tools"] is not None:
        facts.append(f"{server['tools']} tools")
    facts += [f"{count} {standing}" for standing, count in server.get("contracts", {}).items() if count]
    if server.get("connections", 1) > 1:
        facts.append(f"{server['connections']} connections, because clients differ in what they offer")
    if server["calls"]:
        facts.append(f"{server['calls']} open calls")
    if "fault" in server:
        facts.append(safetext.fault_for_terminal(server["fault"]))
    return f"{safetext.for_terminal(server['server'], 40):24}{' · '.join(facts)}"


def _lasting(seconds: float) -> str:
    minutes = int(seconds) // 60
    if minutes < 1:
        return f"{int(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
