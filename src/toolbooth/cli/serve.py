"""`toolbooth serve`: the gateway, a few tools in front of all your servers; an MCP client starts it."""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth import access, catalog, errors, limits, safetext
from toolbooth.cli.arguments import Parser, tokens

if TYPE_CHECKING:
    from toolbooth.gateway import GatewayRequest

EXAMPLES = """\
  toolbooth serve                              the servers of your own configs, over stdio
  toolbooth serve --config mcp.json            the servers of one file
  toolbooth serve --surface code               agents write Python that calls the tools
  toolbooth serve --surface direct             every tool under its own name
  toolbooth serve --http --port 8808           over HTTP, with a key that is printed at the start

the config of a client (Claude Desktop, Cursor and others) that starts the gateway with the servers of a file:
  {"mcpServers": {
    "toolbooth": {"command": "toolbooth", "args": ["serve", "--config", "/path/to/servers.json"]}
  }}

clients share one background process and its servers; `toolbooth daemon status` shows it.
"""
PORT = 8808
KEY_VARIABLE = "TOOLBOOTH_KEY"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_GENERATED = "generated key"  # no variable has such a name


def parser() -> Parser:
    """The options of the command."""
    from toolbooth.catalog.config import OFFERED_SURFACES, SURFACE_NAMES

    made = Parser("serve", __doc__ or "", EXAMPLES, {3: "the daemon cannot be started or reached"})
    add = made.add_argument
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="a client's config or a toolbooth.yaml (default: your own, in the known places)",
    )
    add(
        "--surface",
        metavar="NAME",
        help=f"what the client sees: {', '.join(SURFACE_NAMES)} (default {OFFERED_SURFACES[0]}; auto is direct or "
        "search, for each client)",
    )
    add("--no-daemon", action="store_true", help="run in this process and share nothing")
    add("--http", action="store_true", help="Streamable HTTP instead of stdin and stdout")
    add("--host", metavar="H", help="with --http: the address to listen on (default 127.0.0.1)")
    add(
        "--port", type=tokens, metavar="N", help=f"with --http: the port (default {PORT}; 0 takes a free one)"
    )
    add(
        "--no-key", action="store_true", help="with --http: need no key; everyone on this machine may connect"
    )
    add(
        "--key-env",
        action="append",
        default=[],
        metavar="VAR",
        help=f"with --http: a variable that holds a key (default {KEY_VARIABLE}, else a new key is generated); "
        "repeat it for several keys, whose clients then share nothing",
    )
    return made


def options_of(words: Sequence[str]) -> Namespace:
    """The parsed options; raises UserMistake where they contradict each other."""
    options = parser().parse_args(list(words))
    for word in ("host", "port", "no_key", "key_env"):
        if getattr(options, word) not in (None, False, []) and not options.http:
            raise errors.UserMistake(f"--{word.replace('_', '-')} needs --http; add it")
    if (options.port or 0) > 65_535:
        raise errors.UserMistake(f"port {options.port} is out of range; the highest is 65535")
    return options


def request_of(options: Namespace, cwd: Path, environ: Mapping[str, str]) -> "GatewayRequest":
    """What a client asks the gateway for."""
    from toolbooth.gateway import GatewayRequest

    return GatewayRequest(tuple(options.config), options.surface, cwd, environ)


def run(words: Sequence[str]) -> int:
    """Serve without a daemon: with `--http` or `--no-daemon`, and on systems without one."""
    options = options_of(words)
    keys = _keys(options) if options.http else ()
    environ = _take_secrets()
    from toolbooth.gateway import load, log_to_stderr, run as run_loop

    log_to_stderr()
    load("toolbooth.gateway.runtime", f"toolbooth.gateway.transports.{'http' if options.http else 'stdio'}")
    if options.http:
        run_loop(_serve_http, options, keys, environ)
    else:
        run_loop(_serve_stdio, options, environ)
    return 0


def _take_secrets() -> dict[str, str]:
    """The whole environment, for the configs that refer to it; secrets are then removed from `os.environ`.

    The sandbox's workers inherit the environment of the process, and their library has no way to say which.
    """

    environ = dict(os.environ)
    for name in environ:
        # PYTHON_KEYRING_BACKEND is a setting
        if catalog.is_secret_variable(name) and not name.startswith("PYTHON"):
            del os.environ[name]
    return environ


async def _serve_stdio(options: Namespace, environ: Mapping[str, str]) -> None:
    from toolbooth.gateway import open_runtime, serve_stdio

    async with open_runtime(environ) as runtime:
        gateway = await runtime.enter(request_of(options, Path.cwd(), environ))
        read, write = os.dup(0), os.dup(1)
        os.dup2(2, 1)  # nothing printed in this process may end up between two messages
        await serve_stdio(gateway, read, write, None)


async def _serve_http(
    options: Namespace, keys: "Sequence[access.AccessKey]", environ: Mapping[str, str]
) -> None:
    from toolbooth.gateway import open_runtime, serve_http

    shown = next((key.secret for key in keys if key.name == _GENERATED), None)
    known_keys = access.AccessKeys(keys) if keys else None

    def announce(url: str) -> None:
        known = f"; key (shown once): {shown}" if shown else ""
        print(f"toolbooth: serving at {url}{known}", file=sys.stderr, flush=True)  # noqa: T201
        if known_keys is not None and len(keys) > 1:
            note(_whose(known_keys))

    def note(line: str) -> None:
        print(f"toolbooth: {line}", file=sys.stderr, flush=True)  # noqa: T201

    async with open_runtime(environ) as runtime:
        request = request_of(options, Path.cwd(), environ)
        port = PORT if options.port is None else options.port
        host = options.host or "127.0.0.1"
        await serve_http(runtime, request, host, port, known_keys, ready=announce, note=note)


def _whose(known_keys: "access.AccessKeys") -> str:
    """The ledger and `stats` have only the ids: a name that somebody chose for a variable may say too much."""
    owners = (f"{safetext.for_log(each.name)} is {each.id}" for each in known_keys.principals)
    return f"{', '.join(owners)}; `toolbooth stats --principal ID` shows the calls of one key"


def _keys(options: Namespace) -> "tuple[access.AccessKey, ...]":
    """The keys of which callers must send one; none with --no-key."""
    if options.no_key:
        if options.key_env:
            raise errors.UserMistake("choose one of --no-key and --key-env")
        if (options.host or "127.0.0.1") not in LOOPBACK:
            raise errors.UserMistake(
                f"--no-key allows only this machine; use a key with --host {options.host}"
            )
        return ()
    if options.key_env:
        return tuple(map(_named_key, dict.fromkeys(options.key_env)))
    if os.environ.get(KEY_VARIABLE):
        return (_named_key(KEY_VARIABLE),)
    from secrets import token_urlsafe

    return (access.AccessKey(token_urlsafe(24), _GENERATED),)


def _named_key(variable: str) -> "access.AccessKey":
    given = os.environ.get(variable, "")
    if not given:
        raise errors.UserMistake(f"the variable {variable} is empty; set it to the key")
    if 0 < len(given.strip()) < limits.MIN_KEY:
        raise errors.UserMistake(
            f"the key in {variable} is shorter than {limits.MIN_KEY} characters; use a long random string"
        )
    return access.AccessKey(given, variable)
