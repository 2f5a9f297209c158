"""What the user named → a loaded catalog, with progress while connecting and one line per trouble."""

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from toolbooth.errors import NothingToWeigh
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.catalog.load import Loaded, Sources


def load_sources(
    named: Sequence[str],
    command: Sequence[str],
    timeout: float | None,
    *,
    user_only: bool = False,
    chosen: "Callable[[Sources], Sources] | None" = None,
) -> "Loaded":
    """Find, read, connect to what is `chosen` of it; raises NothingToWeigh where nothing at all came of it."""
    sources = named_sources(named, command, timeout, user_only=user_only)
    loaded = reach(chosen(sources) if chosen else sources)
    tell_troubles(loaded)
    if not loaded.catalog.servers:
        raise NothingToWeigh(_nothing(loaded))
    return loaded


def named_sources(
    named: Sequence[str], command: Sequence[str], timeout: float | None, *, user_only: bool = False
) -> "Sources":
    """Find and read what was named, or else every known place; no server is started."""
    from toolbooth.catalog.load import find_sources

    trust = not user_only and bool(named or command or _may_start_project())
    sources = find_sources(named, command, trust_project=trust)
    if timeout:
        sources = replace(sources, servers=tuple(replace(spec, timeout=timeout) for spec in sources.servers))
    return sources


def _may_start_project() -> bool:
    """Starting a project's servers runs its commands, and a clone may be a stranger's: a person is asked first.

    Where nobody can be asked, the call itself is the answer.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return True
    names = ", ".join(for_terminal(name, 40) for name in _project_servers())
    if not names:
        return True
    sys.stderr.write(f"The project config here names {names}. Start them? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _project_servers() -> list[str]:
    from toolbooth.catalog.load import find_sources

    everybody = [spec.name for spec in find_sources(trust_project=True).servers]
    try:
        users = {spec.name for spec in find_sources().servers}
    except NothingToWeigh:
        users = set()
    return [name for name in everybody if name not in users]


def reach(sources: "Sources") -> "Loaded":
    """Connect to the servers with progress on the terminal."""
    import anyio

    from toolbooth.catalog.load import load
    from toolbooth.cli.terminal import progress

    quiet_sdk()
    with progress([spec.name for spec in sources.servers]) as shown:
        return anyio.run(load, sources, lambda reached: shown.done(reached.spec.name))


def quiet_sdk() -> None:
    """The SDK logs what it survives; the user hears of it once, as one clean line of ours."""
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False


def tell_troubles(loaded: "Loaded") -> None:
    """Troubles go to stderr in every mode: a report with a hole in it must not look whole."""
    from toolbooth.cli.terminal import complain

    for trouble in loaded.sources.troubles:
        complain(trouble.where, trouble.reason)


def _nothing(loaded: "Loaded") -> str:
    failed = len(loaded.sources.troubles)
    if failed:
        return f"nothing could be weighed: {'the only source' if failed == 1 else f'all {failed} sources'} failed"
    if loaded.sources.disabled:
        return "nothing to weigh: every server that is configured is disabled"
    return "nothing to weigh: no server is configured there; add one or name another file"
