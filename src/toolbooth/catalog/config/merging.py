"""Merging the servers of several config files: each server once, with a unique name that fits into `server.tool`."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from toolbooth.catalog.config.config_file import ConfigFile, ServerProblem
from toolbooth.catalog.config.gateway_settings import AnswerCaps, GatewaySettings
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool_filter import EVERY_TOOL, ToolFilter

_RUN: Final = re.compile(r"-{2,}")
_KEPT: Final = frozenset("_-@")


def clean_name(raw: str) -> str:
    """A server's name with `_` for dots and one `-` for any other signs; empty if nothing is left."""
    composed = unicodedata.normalize("NFC", raw.strip())
    return _RUN.sub("-", "".join(_fitting(character) for character in composed)).strip("-")


def _fitting(character: str) -> str:
    if character == ".":
        return "_"
    # Letters, marks and numbers of any script are kept; invisible characters and punctuation are not.
    return character if character in _KEPT or unicodedata.category(character)[0] in "LMN" else "-"


def free_name(name: str, taken: frozenset[str] | set[str]) -> str:
    """The first of `name`, `name-2`, `name-3` and so on that is not taken."""
    number = 2
    candidate = name
    while candidate in taken:
        candidate = f"{name}-{number}"
        number += 1
    return candidate


@dataclass(frozen=True)
class Merged:
    """The servers of all files; `notes` say which were joined or renamed.

    `names` holds, for each file, the names that its servers have here, and `filters` what it lets through of each.
    """

    servers: tuple[ServerSpec, ...] = ()
    problems: tuple[ServerProblem, ...] = ()
    notes: tuple[str, ...] = ()
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    disabled: tuple[str, ...] = ()
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    names: tuple[tuple[str, ...], ...] = ()
    filters: tuple[Mapping[str, ToolFilter], ...] = ()


@dataclass(frozen=True)
class Folded:
    """Servers with unique names, and notes on the changes; `given` is the new name of each server passed in."""

    servers: tuple[ServerSpec, ...]
    notes: tuple[str, ...]
    given: tuple[str, ...] = ()


def merge(files: Iterable[ConfigFile], typed: Iterable[ServerSpec] = ()) -> Merged:
    """Join files in order: equal servers are joined, and different servers with one name are renamed.

    Servers `typed` by hand come after those of files, because the caps of a file use the names in it.
    """
    files = _without_disabled(tuple(files))
    folded = fold((*(spec for file in files for spec in file.servers), *typed))
    rules = (rule for file in files for rule in file.answer_caps.rules)
    return Merged(
        servers=folded.servers,
        problems=_joined_problems(problem for file in files for problem in file.problems),
        notes=(*(note for file in files for note in file.notes), *folded.notes),
        answer_caps=AnswerCaps().plus(*rules),
        disabled=tuple(dict.fromkeys(name for file in files for name in file.disabled)),
        gateway=GatewaySettings.of(file.gateway for file in files),
        names=(names := _by_file(files, folded.given)),
        filters=tuple(map(_filters, files, names)),
    )


def _by_file(files: Iterable[ConfigFile], given: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    names = iter(given)
    return tuple(tuple(islice(names, len(file.servers))) for file in files)


def _filters(file: ConfigFile, names: Sequence[str]) -> Mapping[str, ToolFilter]:
    """What a file lets through of its servers, by the names that they have here; all of those that are missing."""
    found: dict[str, ToolFilter] = {}
    for spec, name in zip(file.servers, names, strict=True):
        found[name] = found.get(name, EVERY_TOOL).joined(spec.tools)
    return {name: each for name, each in found.items() if each != EVERY_TOOL}


def _joined_problems(problems: Iterable[ServerProblem]) -> tuple[ServerProblem, ...]:
    """Each problem of a server once, with every config that has it."""
    sources: dict[tuple[str, str], dict[str, None]] = {}
    for each in problems:
        sources.setdefault((each.server, each.reason), {})[each.source] = None
    return tuple(ServerProblem(*what, "; ".join(filter(None, where))) for what, where in sources.items())


def _without_disabled(files: tuple[ConfigFile, ...]) -> tuple[ConfigFile, ...]:
    """The files without the servers that a client's own file disables in a project's file."""
    off = frozenset[tuple[Path, str]]().union(*(file.disables for file in files))
    return tuple(
        _without(file, {name for path, name in off if path == file.path.absolute()}) for file in files
    )


def _without(file: ConfigFile, names: set[str]) -> ConfigFile:
    gone = names & {*(spec.name for spec in file.servers), *(each.server for each in file.problems)}
    return replace(
        file,
        servers=tuple(spec for spec in file.servers if spec.name not in gone),
        problems=tuple(each for each in file.problems if each.server not in gone),
        disabled=(*file.disabled, *sorted(gone)),
    )


def fold(specs: Iterable[ServerSpec]) -> Folded:
    """Make names unique; a spec that equals an earlier one of the same name only adds its source and its filter."""
    taken: dict[str, ServerSpec] = {}
    called: dict[str, list[str]] = {}  # the names given here, by the name in the file
    order: list[str] = []
    notes: list[str] = []
    for spec in specs:
        given = called.setdefault(spec.name, [])
        same = next((name for name in given if _same(taken[name], spec)), None)
        if same is not None:
            taken[same] = _joined(taken[same], spec)
            order.append(same)
            continue
        name = free_name(spec.name, taken.keys() | set())
        if name != spec.name:
            notes.append(f"{spec.name} in {spec.source} differs from {spec.name} above: called {name} here")
        taken[name] = replace(spec, name=name)
        given.append(name)
        order.append(name)
    notes += [
        f"{name} is one server, found in {spec.source}" for name, spec in taken.items() if "; " in spec.source
    ]
    return Folded(tuple(taken.values()), tuple(notes), tuple(order))


def _same(one: ServerSpec, other: ServerSpec) -> bool:
    kinds = {one.transport, other.transport}
    # `auto` is a bare URL: if another client names the transport for the same URL, it is the same server.
    return (len(kinds) == 1 or "auto" in kinds) and _identity(one) == _identity(other)


def _identity(spec: ServerSpec) -> tuple[object, ...]:
    return (spec.command, spec.args, spec.url, dict(spec.env), dict(spec.headers), spec.cwd)


def _joined(one: ServerSpec, other: ServerSpec) -> ServerSpec:
    sources = dict.fromkeys([*one.source.split("; "), other.source])
    transport = other.transport if one.transport == "auto" else one.transport
    return replace(
        one,
        transport=transport,
        source="; ".join(sources),
        tools=one.tools.joined(other.tools),
        loaded=one.loaded or other.loaded,
    )
