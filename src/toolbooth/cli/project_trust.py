"""Trust in the config of the current project: a flag, a variable, a stored answer, or a question.

A cloned project is untrusted. Its config names commands to run, and files and variables to read and send, so nothing
in it is started or resolved before the user has approved exactly these bytes.
"""

import os
import re
import shlex
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbooth import catalog, errors, safetext

if TYPE_CHECKING:
    from toolbooth.catalog.config import ProjectConfig, Trust, TrustedProjects

VARIABLE: Final = "TOOLBOOTH_TRUST_PROJECT"
_BREAK: Final = re.compile(r"[^\S ]")  # a line break, a tab, or a space that a shell does not treat as one
_YES: Final = frozenset({"y", "yes"})


def chosen_trust(*, trust_project: bool = False, user_only: bool = False) -> "Trust":
    """How to decide, by what was typed; without a terminal, nobody is asked."""
    from toolbooth.catalog.config import trust_all, trust_none

    if trust_project and user_only:
        raise errors.UserMistake("choose one of --trust-project and --user-only")
    if user_only:
        return trust_none
    if trust_project or os.environ.get(VARIABLE, "").strip().lower() in ("1", "true", "yes"):
        return trust_all
    return _stored_or_asked


def stored_trust(found: "Sequence[ProjectConfig]") -> Collection[Path]:
    """The configs that were trusted before; nobody is asked."""
    store = stored_projects()
    try:
        return [each.path for each in found if store.holds(each)]
    except errors.ConfigError as error:
        _say(f"toolbooth: {error}")
        return ()


def stored_projects() -> "TrustedProjects":
    """The answers of this user."""
    from toolbooth.catalog.config import HostContext, TrustedProjects

    host = HostContext.here()
    return TrustedProjects.of(host.home, host.environ, host.platform)


def _stored_or_asked(found: "Sequence[ProjectConfig]") -> Collection[Path]:
    known = stored_trust(found)
    new = [each for each in found if each.path not in known]
    if new and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise errors.Refused(_not_asked(new))
    return {*known, *(each.path for each in new if _asked(each))}


def _not_asked(found: "Sequence[ProjectConfig]") -> str:
    names = [safetext.for_terminal(spec.name, 40) for each in found for spec in each.as_written.servers]
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    files = " and ".join(safetext.for_terminal(str(each.path), 200) for each in found)
    starts = f"and would start {shown}" if names else "and names a lock"
    return (
        f"{files} is this project's own config {starts}; review it, then use --trust-project (or {VARIABLE}=1), "
        "name the file, or ignore it with --user-only"
    )


def untrusted(notes: str) -> errors.Refused:
    """The error after a no, with what to do."""
    return errors.Refused(f"{notes}; to start it, run this again and answer y, or use --trust-project")


def _asked(config: "ProjectConfig") -> bool:
    """Ask on the terminal; a yes is stored for these bytes and this path."""
    for line in question(config):
        _say(line)
    sys.stderr.write("Trust this exact file, now and in future? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in _YES:
        return False
    try:
        stored_projects().add(config)
    except errors.ConfigError as error:
        _say(f"toolbooth: trusted for this run only: {error}")
    return True


def question(config: "ProjectConfig") -> Iterator[str]:
    """All that would be started and read, as it is written in the file, in lines that are safe to print."""
    servers = config.as_written.servers
    yield f"The config of this project is new or has changed: {_clean(str(config.path))}"
    if servers:
        yield "It would start or connect to:"
    for spec in servers:
        yield from _server(spec)
    for kind, title in (("variable", "of your variables"), ("file", "files")):
        names = [_clean(each.name) for each in config.reads if each.kind == kind]
        if names:
            yield f"It would read these {title} and pass them on: {', '.join(names)}"


def _server(spec: "catalog.ServerSpec") -> Iterator[str]:
    reaches = shlex.join((spec.command, *spec.args)) if spec.transport == "stdio" else spec.url
    yield f"  {_clean(spec.name)}: {_clean(reaches)}"
    if spec.cwd is not None:
        yield f"    in {_clean(str(spec.cwd))}"
    for name, value in spec.env.items():
        yield f"    env {_clean(name)}={_clean(value)}"
    for name, value in spec.headers.items():
        yield f"    header {_clean(name)}: {_header(name, value)}"


def _header(name: str, value: str) -> str:
    """A header runs nothing, so a secret in the file need not be shown."""
    secret = catalog.sounds_secret(name) or catalog.redact_known_keys(value) != value
    return catalog.HIDDEN if secret and "$" not in value else _clean(value)


def _clean(text: str) -> str:
    """Whole, on one line, with every line break and hidden character spelled out.

    Keys are not redacted: what looks like the start of a key could hide a command.
    """
    return safetext.whole_text(_BREAK.sub(lambda found: found[0].encode("unicode_escape").decode(), text))


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201
