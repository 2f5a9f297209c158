"""`toolbooth auth`: sign in to a remote server, list the stored tokens, or delete them."""

import logging
import os
import subprocess
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbooth import catalog, errors, files, gateway, limits, safetext, suggest
from toolbooth.catalog.config import ProjectConfig, Trust
from toolbooth.cli import arguments, terminal
from toolbooth.cli.project_trust import chosen_trust, stored_trust, untrusted

if TYPE_CHECKING:
    from toolbooth.catalog.connect.oauth import StoredToken

EXAMPLES = """\
  toolbooth auth linear                            sign in to the server `linear` of your configs
  toolbooth auth https://mcp.example.com/mcp       sign in to an address
  toolbooth auth linear --no-browser               only print the address to open
  toolbooth auth --list                            which tokens are stored, and when they expire
  toolbooth auth linear --forget                   delete its tokens
"""


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("auth", __doc__ or "", EXAMPLES, {3: ""})
    add = made.add_argument
    add("server", nargs="?", metavar="SERVER", help="a server of your configs, or a URL")
    add("--config", action="append", default=[], metavar="FILE", help="a config file (default: known places)")
    add("--list", action="store_true", help="list the servers with stored tokens; never prints a token")
    add("--forget", action="store_true", help="delete the stored tokens of the server")
    add("--no-browser", action="store_true", help="only print the address")
    add(
        "--client-id",
        default="",
        metavar="ID",
        help="a client ID that you registered, or the URL of a client metadata document",
    )
    add(
        "--timeout",
        type=arguments.seconds,
        default=limits.SIGN_IN_TIMEOUT,
        metavar="S",
        help="seconds to wait for the sign-in (default 300)",
    )
    add("--user-only", action="store_true", help="ignore the configs of the project in this folder")
    add("--trust-project", action="store_true", help="use a server of the project's config without asking")
    add("--json", action="store_true", help="the outcome as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Sign in, list the stored tokens, or delete one."""
    options = parser().parse_args(list(words))
    if options.list:
        if options.server or options.forget:
            raise errors.UserMistake("--list shows every server; remove the server name and --forget")
        return _list(options)
    if not options.server:
        raise errors.UserMistake(
            "name a server, as in `toolbooth auth linear`; `toolbooth doctor --list` shows them"
        )
    return _forget(options) if options.forget else _sign_in(options)


def _sign_in(options: Namespace) -> int:
    import anyio

    from toolbooth.catalog.connect.oauth import shown_url, sign_in

    spec = _find(options)
    # The SDK logs errors that it recovers from; users see one clean line of ours instead.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False

    def show(url: str) -> None:
        # A person agrees to this address
        server = safetext.whole_text(f"{spec.name} at {shown_url(spec.url)}")
        _say(f"signing in to {server}; if no browser opens, go to this address:")
        _say(f"  {safetext.whole_text(url)}")
        if not options.no_browser:
            threading.Thread(target=_open, args=(url,), daemon=True).start()

    kept = anyio.run(sign_in, spec, show, options.timeout, options.client_id)
    if kept is not None:
        folder = files.data_folder(Path.home(), os.environ, sys.platform)
        gateway.announce_sign_in(folder, spec.url, time.time())
    if options.json:
        _print_json(
            {"server": spec.name, "signed_in": kept is not None, **(_facts(kept, {}) if kept else {})}
        )
    elif kept is None:
        print(f"{safetext.for_terminal(spec.name)} needs no sign-in: it requires no token")  # noqa: T201
    else:
        print(f"signed in to {safetext.for_terminal(spec.name)}: {_expiry(kept)}; stored in {_place(kept)}")  # noqa: T201
    return 0


def _open(url: str) -> None:
    """Start the browser in a separate process: it survives Ctrl-C, and its output mixes with neither terminal nor JSON.

    Isolated (-I), so that a file `webbrowser.py` in the current folder is not run.
    """
    silent = subprocess.DEVNULL
    with suppress(OSError):  # the address is on the terminal anyway
        subprocess.run(
            [sys.executable, "-I", "-m", "webbrowser", url],
            stdin=silent,
            stdout=silent,
            stderr=silent,
            env={name: value for name, value in os.environ.items() if not name.startswith("TOOLBOOTH_")},
            start_new_session=True,
            check=False,
        )


def _find(options: Namespace) -> catalog.ServerSpec:
    """The server with this name or address. Nothing is started."""
    if "://" in options.server:
        return _of_address(options.server)
    if not options.config:  # the gateway's servers come first, so that a project's server cannot take a name
        served = catalog.gateway_sources([], os.environ, Path.cwd()).servers
        if found := [spec for spec in served if spec.name == options.server]:
            return found[0]
    sources = catalog.find_sources(options.config, trust=_trust_of(options))
    if found := [spec for spec in sources.servers if spec.name == options.server]:
        return found[0]
    for source_error in sources.source_errors:
        if source_error.where.startswith((options.server, *options.config)):
            raise errors.UserMistake(f"{source_error.where}: {source_error.reason}")
    if not options.user_only and any(spec.name == options.server for spec in sources.not_started):
        raise untrusted("; ".join(sources.notes))
    raise errors.UserMistake(_unknown(options.server, [spec.name for spec in sources.servers]))


def _trust_of(options: Namespace) -> Trust:
    """Ask about a project's config only if it defines this server: its address would receive the sign-in."""
    decide = chosen_trust(trust_project=options.trust_project, user_only=options.user_only)

    def trust(found: Sequence[ProjectConfig]) -> Collection[Path]:
        named = [
            each for each in found if any(spec.name == options.server for spec in each.as_written.servers)
        ]
        return decide(named) if named else ()

    return trust


def _of_address(url: str) -> catalog.ServerSpec:
    sources = catalog.find_sources([url])
    if not sources.servers:
        raise errors.UserMistake(sources.source_errors[0].reason)
    return sources.servers[0]


def _unknown(name: str, known: Sequence[str]) -> str:
    listed = f"the configs have {', '.join(known[:20]) or 'no servers'}"
    hint = suggest.did_you_mean(name, known, listed, count=3, alike=50)
    return f"no server {safetext.for_terminal(name, 60)!r} in your configs; {hint} (--config FILE reads another file)"


def _forget(options: Namespace) -> int:
    import anyio

    from toolbooth.catalog.connect.oauth import TokenStore, canonical_url

    url = _find(options).url
    gone = bool(url) and anyio.run(TokenStore().forget, canonical_url(url))
    name = safetext.for_terminal(options.server)
    if options.json:
        _print_json({"server": options.server, "forgotten": gone})
    else:
        print(f"deleted the tokens of {name}" if gone else f"no tokens are stored for {name}")  # noqa: T201
    return 0


def _list(options: Namespace) -> int:
    from toolbooth.catalog.connect.oauth import TokenStore, shown_url

    kept = TokenStore().all()
    names = _names(options)
    if options.json:
        _print_json({"servers": [_facts(each, names) for each in kept]})
        return 0
    for each in kept:
        known = ", ".join(names.get(each.url, [])) or "in no config"
        place = safetext.for_terminal(shown_url(each.url))
        print(f"{place}  ({safetext.for_terminal(known)})  {_expiry(each)}")  # noqa: T201
    if not kept:
        print("no tokens are stored; `toolbooth auth SERVER` signs in")  # noqa: T201
    return 0


def _names(options: Namespace) -> dict[str, list[str]]:
    """The servers of the configs by their address."""
    from toolbooth.catalog.connect.oauth import canonical_url

    names: dict[str, list[str]] = {}
    try:
        specs = catalog.find_sources(options.config, trust=stored_trust).servers
    except errors.NothingToWeigh:  # no config at all: the addresses are still listed
        return names
    for spec in specs:
        if spec.transport != "stdio":
            names.setdefault(canonical_url(spec.url), []).append(spec.name)
    return names


def _facts(kept: "StoredToken", names: dict[str, list[str]]) -> dict[str, Any]:
    from toolbooth.catalog.connect.oauth import shown_url

    until = (
        datetime.fromtimestamp(kept.expires_at, UTC).isoformat("T", "seconds") if kept.expires_at else None
    )
    about = {
        "address": shown_url(kept.url),
        "expires_at": until,
        "renews": kept.renews,
        "kept_in": kept.kept_in,
    }
    return {**about, "names": names[kept.url]} if kept.url in names else about


def _expiry(kept: "StoredToken") -> str:
    if kept.expires_at is None:
        return "the token has no expiry date"
    end = datetime.fromtimestamp(kept.expires_at, UTC)
    when = f"{end.astimezone():%Y-%m-%d %H:%M}"
    if kept.renews:
        return f"valid until {when}, then renewed automatically"
    return f"valid until {when}" if end > datetime.now(UTC) else f"expired on {when}; sign in again"


def _place(kept: "StoredToken") -> str:
    from toolbooth.catalog.connect.oauth import TokenStore

    return (
        "the keyring of this system"
        if kept.kept_in == "keyring"
        else f"{TokenStore().folder.path} (readable only by you)"
    )


def _say(line: str) -> None:
    """Progress: to stderr, so that --json stays JSON. Not wrapped, so that an address can be copied."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


def _print_json(document: Any) -> None:
    terminal.print_json(document)
