"""What `wrap` and `unwrap` did, or could do, as lines for a person or as JSON."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from rich.text import Text

from toolbooth import __version__, errors, safetext
from toolbooth.catalog.config import (
    AUTO_SURFACE,
    OFFERED_SURFACES,
    Candidate,
    HostContext,
    KeptVersion,
    Stay,
    Unwrapping,
    Wrapping,
    candidates,
    known_locations,
)
from toolbooth.cli.terminal import Column, complain, out, print_columns, print_json

_MOST_NAMED = 12
_INDENT = 13


class FailedFile(NamedTuple):
    """One of several names or files that failed."""

    path: Path | str
    error: errors.ToolboothError


Failed = Sequence[FailedFile]


def short(path: Path) -> str:
    """A path as a person would type it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def named(names: Sequence[str]) -> str:
    """Names in one line."""
    shown = ", ".join(safetext.for_terminal(name, 40) for name in names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown


def print_wrapped(done: Iterable[Wrapping]) -> None:
    """One paragraph for each file."""
    for each in done:
        _head(each.state, each.client, each.path)
        title = {"wrapped": "moved", "would be wrapped": "would move"}.get(each.state, "behind it")
        _line(title, named(each.moved))
        _line("surface", _surface_words(each))
        for stay in _gathered(each.stays):
            _line("stays", f"{stay.server}: {stay.reason}")
        if each.state == "would be wrapped":
            _line("new entry", f'"{each.server}": {json.dumps(each.entry, ensure_ascii=False)}', whole=True)
            _line("original", f"would be stored in {short(each.kept.parent)}")
            continue
        _line("original", f"stored where only you can read it: {short(each.kept.parent)}")
        _line("go back", f"toolbooth unwrap {_word(each)}")
        if each.remote:
            _line(
                "sign in",
                f"if needed: {'; '.join(f'toolbooth auth {name}' for name in each.remote[:4])}",
            )
        if each.unplaced:
            _line("careful", _unplaced_words(each))
        if each.in_project:
            _line(
                "careful",
                "this file belongs to a project, but its new entry works only on this machine; do not commit it",
            )
        if each.state in ("wrapped", "surface changed"):
            _line("now", f"restart {each.client}, or reload its MCP servers")


def _surface_words(each: Wrapping) -> str:
    name = each.surface or f"{OFFERED_SURFACES[0]}, the default"
    if each.former_surface is not None:
        return f"{name}, before {each.former_surface or f'{OFFERED_SURFACES[0]}, the default'}"
    return f"{name}: `toolbooth doctor` says what it shows, and why" if name == AUTO_SURFACE else name


def print_unwrapped(done: Iterable[Unwrapping]) -> None:
    """One paragraph for each unwrapped file."""
    for each in done:
        _head(each.state, each.client, each.path)
        if each.version:
            _line("taken from", f"the original of {each.version.when:%Y-%m-%d %H:%M} UTC")
        if each.state == "restored":
            _line("servers", f"{named(each.servers)}; the file is restored byte for byte")
        elif each.state == "servers put back":
            _line("servers", f"{named(each.servers)}; your other changes to the file stay")
        else:
            _line("servers", "all are there already; nothing was changed")
        for old, new in each.renamed.items():
            _line(
                "renamed",
                f"{safetext.for_terminal(old, 60)} is now {safetext.for_terminal(new, 60)}, because you added "
                f"another {old}",
            )
        if each.original:
            _line("original", "still stored; `toolbooth unwrap --from-backup` lists all originals")
        if each.state != "already back":
            _line("now", f"restart {each.client}, or reload its MCP servers")


def print_wrapped_json(done: Iterable[Wrapping], failed: Failed) -> None:
    """For a program. An entry is shown only for a dry run: later a user may have put secrets into it."""
    files = [
        {
            "path": each.path,
            "client": each.client,
            "state": each.state,
            "server": each.server,
            "moved": list(each.moved),
            "stays": [stay._asdict() for stay in each.stays],
            "kept": each.kept,
            "surface": each.surface or OFFERED_SURFACES[0],
            "relative_paths": list(each.unplaced),
            **({"entry": each.entry} if each.state == "would be wrapped" else {}),
        }
        for each in done
    ]
    _print_json(files, failed)


def print_unwrapped_json(done: Iterable[Unwrapping], failed: Failed) -> None:
    """For a program."""
    files = [
        {
            "path": each.path,
            "client": each.client,
            "state": each.state,
            "servers": list(each.servers),
            "renamed": dict(each.renamed),
            "original": each.original,
            "backup": each.version.id if each.version else None,
        }
        for each in done
    ]
    _print_json(files, failed)


def print_failed(failed: Failed) -> int:
    """One line for each file that could not be done, and the exit code."""
    for path, error in failed:
        complain(short(path) if isinstance(path, Path) else path, getattr(error, "message", str(error)))
    return max((error.exit_code for _, error in failed), default=0)


def show_candidates(host: HostContext, data: Path, *, as_json: bool) -> int:
    """What could be wrapped and what is; nothing is changed."""
    found = candidates(host, data)
    if as_json:
        _print_json([_candidate(each) for each in found], ())
        return 0
    if not found:
        raise errors.NothingToWeigh(
            "no config with MCP servers was found; name a file, such as `toolbooth wrap mcp.json`"
        )
    columns = [
        Column("client", "name", [Text(each.client) for each in found]),
        Column("state", "name", [Text(_state(each)) for each in found]),
        Column("servers", "words", [Text(each.problem or named(each.servers)) for each in found], goes=1),
        Column("file", "name", [Text(safetext.for_terminal(short(each.path), 200)) for each in found]),
    ]
    console = out()
    print_columns(console, columns, console.width)
    console.print(
        Text(
            "\ntoolbooth wrap CLIENT|FILE moves the servers behind the gateway; unwrap moves them back", "dim"
        )
    )
    return 0


def show_versions(found: Sequence[KeptVersion], *, as_json: bool) -> int:
    """The originals that are kept, the newest first."""
    if as_json:
        print_json({"toolbooth": __version__, "originals": [_version(each) for each in found]})
        return 0
    if not found:
        raise errors.NothingToWeigh(
            "no originals are stored; `toolbooth wrap` stores one of each file that it changes"
        )
    manifests = [each.kept.manifest for each in found]
    columns = [
        Column("original", "name", [Text(each.id.partition(".")[0]) for each in found]),
        Column("client", "name", [Text(each.client) for each in manifests]),
        Column("servers", "words", [Text(named(each.moved)) for each in manifests], goes=1),
        Column("file", "name", [Text(safetext.for_terminal(short(each.path), 200)) for each in manifests]),
    ]
    console = out()
    print_columns(console, columns, console.width)
    said = (
        "\ntoolbooth unwrap --from-backup CLIENT|FILE restores the newest one,"
        "\ntoolbooth unwrap --backup ORIGINAL CLIENT|FILE another"
    )
    console.print(Text(said, "dim"))
    return 0


def _version(each: KeptVersion) -> dict[str, Any]:
    manifest = each.kept.manifest
    return {
        "backup": each.id,
        "kept_at": each.when.isoformat(timespec="seconds"),
        "client": manifest.client,
        "path": manifest.path,
        "servers": list(manifest.moved),
        "original": each.kept.copy,
    }


def _state(each: Candidate) -> str:
    if each.problem and each.wrapped:
        return "original missing"
    if each.problem:
        return "cannot be wrapped"
    if each.wrapped:
        return "wrapped"
    return (
        "project: name the file" if each.project else "can be wrapped" if each.servers else "nothing can move"
    )


def _candidate(each: Candidate) -> dict[str, Any]:
    return {
        "path": each.path,
        "client": each.client,
        "state": _state(each),
        "servers": list(each.servers),
        "project": each.project,
        **({"problem": each.problem} if each.problem else {}),
    }


def _gathered(stays: Sequence[Stay]) -> list[Stay]:
    """Servers that stay for the same reason in one line."""
    by_reason: dict[str, list[str]] = {}
    for stay in stays:
        by_reason.setdefault(stay.reason, []).append(stay.server)
    return [Stay(named(servers), reason) for reason, servers in by_reason.items()]


def _word(each: Wrapping) -> str:
    """What to type: the client's name, or the file where the name would not lead to it."""
    users = {
        place.path
        for place in known_locations(*HostContext.here())
        if place.client == each.client and not place.project
    }
    path = short(each.path)
    return (
        each.client.lower().replace(" ", "-") if each.path in users else f"'{path}'" if " " in path else path
    )


def _unplaced_words(each: Wrapping) -> str:
    """Of servers with a relative path in a config that says nothing of folders."""
    one = len(each.unplaced) == 1
    return (
        f"{named(each.unplaced)} {'names' if one else 'name'} a path relative to the working folder. That is "
        f"still the folder in which {each.client} starts its servers, but {each.client} does not document which one; "
        "use a full path or a `cwd`"
    )


def _head(state: str, client: str, path: Path) -> None:
    line = Text(f"{client}: {state}", "bold").append(
        f"  {safetext.for_terminal(short(path), 400)}", "not bold dim"
    )
    out().print(line, soft_wrap=True)


def _line(title: str, words: str, limit: int = 600, *, whole: bool = False) -> None:
    """On a terminal, text is wrapped and aligned below the first line; elsewhere it is one line."""
    console, words = out(), safetext.whole_text(words) if whole else safetext.for_terminal(words, limit)
    width = max(console.width - _INDENT, 20)
    lines = (
        wrap(words, width, break_long_words=False, break_on_hyphens=False) if console.is_terminal else [words]
    )
    for number, line in enumerate(lines):
        head = Text(f"  {'' if number else title:<{_INDENT - 2}}", "dim")
        console.print(head.append(line, "not dim"), soft_wrap=True)


def _print_json(files: Sequence[dict[str, Any]], failed: Failed) -> None:
    source_errors = [
        {"path": str(path), "reason": getattr(error, "message", str(error))} for path, error in failed
    ]
    print_json({"toolbooth": __version__, "files": list(files), "source_errors": source_errors})
