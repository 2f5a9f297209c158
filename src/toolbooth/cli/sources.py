"""What the user named → a loaded catalog, with progress while connecting and one line per trouble."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from toolbooth.errors import NothingToWeigh, UserMistake

if TYPE_CHECKING:
    from toolbooth.catalog.load import Loaded, Sources, Trouble

NO_SUCH_FILE = "there is no such file"


def load_sources(
    named: Sequence[str],
    command: Sequence[str],
    timeout: float | None,
    *,
    user_only: bool = False,
    trust_project: bool = False,
    chosen: "Callable[[Sources], Sources] | None" = None,
    used: str = "used",
) -> "Loaded":
    """Find, read, connect to what is `chosen` of it; raises NothingToWeigh where nothing at all came of it.

    `used` is what the command does with servers, for that sentence.
    """
    sources = named_sources(named, command, timeout, user_only=user_only, trust_project=trust_project)
    loaded = reach(chosen(sources) if chosen else sources)
    tell_troubles(loaded)
    if not loaded.catalog.servers:
        if missing_files(loaded.sources.troubles):
            raise UserMistake("name a file that is there, a URL, or a command behind `--`")
        raise NothingToWeigh(_nothing(loaded, used))
    return loaded


def missing_files(troubles: "Sequence[Trouble]") -> bool:
    """Whether files that are not there are all that went wrong: then the call is wrong, and no server is to blame."""
    return bool(troubles) and all(trouble.reason == NO_SUCH_FILE for trouble in troubles)


def named_sources(
    named: Sequence[str],
    command: Sequence[str],
    timeout: float | None,
    *,
    user_only: bool = False,
    trust_project: bool = False,
) -> "Sources":
    """Find and read what was named, or else every known place; no server is started."""
    from toolbooth.catalog.load import find_sources
    from toolbooth.cli.project_trust import project_trust

    trust = project_trust(trust_project=trust_project, user_only=user_only)
    sources = find_sources(named, command, trust=trust)
    if sources.not_started and not (
        sources.servers or sources.troubles or sources.recorded or sources.disabled
    ):
        raise NothingToWeigh("; ".join(sources.notes))
    if timeout:
        sources = replace(sources, servers=tuple(replace(spec, timeout=timeout) for spec in sources.servers))
    return sources


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


def _nothing(loaded: "Loaded", used: str) -> str:
    failed = len(loaded.sources.troubles)
    if failed:
        return (
            f"nothing could be {used}: {'the only source' if failed == 1 else f'all {failed} sources'} failed"
        )
    if loaded.sources.disabled:
        return f"nothing can be {used}: every server that is configured is disabled"
    return f"nothing can be {used}: no server is configured there; add one or name another file"
