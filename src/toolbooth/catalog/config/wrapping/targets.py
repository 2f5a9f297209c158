"""The files to wrap or unwrap: found by the name of a client or file, or all of this machine."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbooth import errors, files, suggest
from toolbooth.catalog.config import originals
from toolbooth.catalog.config.clients import CLIENTS, OURS
from toolbooth.catalog.config.locations import (
    ConfigLocation,
    HostContext,
    find_configs,
    find_user_configs,
    known_locations,
)
from toolbooth.catalog.config.wrapping import opened
from toolbooth.catalog.config.wrapping.moving import moving
from toolbooth.catalog.config.wrapping.wrap import points_to_nothing

_SIGNS: Final = re.compile(r"[^a-z0-9]")
_MOST_WORDS: Final = 4  # of a client's name, or of a file's with blanks in it that a shell took apart
_CLIENTS: Final = tuple(dict.fromkeys(client.name for client in CLIENTS if client.name != OURS))


@dataclass(frozen=True)
class Candidate:
    """A config of this machine: `servers` that could move, or that are behind the gateway if it is `wrapped`.

    The `problem` of a wrapped one is that its kept copy is gone.
    """

    client: str
    path: Path
    wrapped: bool
    servers: tuple[str, ...] = ()
    problem: str = ""
    project: bool = False


def names_in(words: Sequence[str], host: HostContext) -> list[str]:
    """The names in a command line: each word is one, except in a client's name of several (`claude desktop`)."""
    names: list[str] = []
    left = list(words)
    while left:
        sizes = range(min(len(left), _MOST_WORDS), 1, -1)
        size = next((size for size in sizes if _is_one(" ".join(left[:size]), host)), 1)
        names.append(" ".join(left[:size]))
        del left[:size]
    return names


def _is_one(words: str, host: HostContext) -> bool:
    return len(_near(words)) == 1 or _path(words, host).is_file()


def _near(word: str) -> list[str]:
    """The clients that a word may mean: the one with that name, or all whose name begins with it."""
    wanted = _SIGNS.sub("", word.lower())
    plain = {name: _SIGNS.sub("", name.lower()) for name in _CLIENTS}
    exact = [name for name in _CLIENTS if plain[name] == wanted]
    return exact or [name for name in _CLIENTS if wanted and plain[name].startswith(wanted)]


def files_to_wrap(word: str, host: HostContext) -> tuple[Path, ...]:
    """The file that was named, or every file of the named client that holds servers; raises UserMistake."""
    client = client_named(word, host)
    if client is None:
        return (_path(word, host),)
    places = [place for place in find_user_configs(*host) if place.client == client]
    found = [seen for place in places if (seen := _seen(place, host.environ))]
    if not found:
        raise errors.UserMistake(_nowhere(client, host))
    return tuple(each.path for each in found)


def files_to_unwrap(word: str, host: HostContext, data: Path) -> tuple[Path, ...]:
    """The wrapped files of a client, or the one file that was named."""
    client = client_named(word, host)
    if client is None:
        return (_path(word, host),)
    kept = {
        kept.manifest.target: kept.manifest.path
        for kept in originals.all_kept(data)
        if kept.manifest.client == client
    }
    linked = [
        each.path
        for each in candidates(host, data)
        if each.client == client and each.wrapped and not each.project
    ]
    found = {opened.target_of(path): path for path in (*linked, *kept.values())}
    if not found:
        some = any(each.kept.manifest.client == client for each in originals.versions(data))
        more = f"; `toolbooth unwrap --from-backup {client.lower().replace(' ', '-')}` puts an original back"
        raise errors.UserMistake(
            f"no config of {client} is wrapped; `toolbooth unwrap` lists what is{more if some else ''}"
        )
    return tuple(found.values())


def originals_of(word: str, host: HostContext, data: Path) -> dict[Path, list[originals.KeptVersion]]:
    """The files of which originals are kept, the newest first, that a word means: a client, or a file."""
    client = client_named(word, host)
    wanted = None if client else opened.target_of(_path(word, host))
    found: dict[Path, list[originals.KeptVersion]] = {}
    for version in originals.versions(data, wanted):
        if client is None or version.kept.manifest.client == client:
            found.setdefault(version.kept.manifest.path, []).append(version)
    if not found:
        raise errors.UserMistake(
            f"no original of {client or word} is kept; `toolbooth unwrap --from-backup` lists all"
        )
    return found


def candidates(host: HostContext, data: Path) -> tuple[Candidate, ...]:
    """Every config of this machine that could be wrapped or is, those of the project in `cwd` last."""
    places = [place for place in find_configs(*host) if place.client != OURS]
    found = [seen for place in places if (seen := _seen(place, host.environ))]
    known = {opened.target_of(each.path) for each in found}
    found += [
        Candidate(kept.manifest.client, kept.manifest.path, True, kept.manifest.moved)
        for kept in originals.all_kept(data)
        if kept.manifest.target not in known
    ]
    return tuple(sorted(found, key=lambda each: each.project))


def client_named(word: str, host: HostContext) -> str | None:
    """The one client that a word means; None where it is a path; raises UserMistake."""
    near = _near(word)
    exact = _SIGNS.sub("", word.lower()) in (_SIGNS.sub("", name.lower()) for name in near)
    if exact and "/" not in word:
        return near[0]
    if "/" in word or "\\" in word or "." in word or _path(word, host).exists():
        return None
    if len(near) == 1:
        return near[0]
    if near:
        raise errors.UserMistake(f"{word!r} could be {', '.join(near)}")
    hint = suggest.did_you_mean(word, _CLIENTS, f"the clients are {', '.join(_CLIENTS)}")
    raise errors.UserMistake(f"{word!r} is neither a file nor a client; {hint}")


def _path(word: str, host: HostContext) -> Path:
    return host.cwd / files.from_home(Path(word), host.home)


def _seen(place: ConfigLocation, environ: Mapping[str, str]) -> Candidate | None:
    try:
        file = opened.open_config(place.path)
        if file.wrapped_entry:
            return _wrapped(place, file.wrapped_entry.copy)
        found = moving(file, environ)
    except errors.ConfigError as error:
        return Candidate(place.client, place.path, False, problem=error.message, project=place.project)
    seen = Candidate(place.client, place.path, False, found.moved, project=place.project)
    return seen if found.moved or found.stays else None


def _wrapped(place: ConfigLocation, copy: Path) -> Candidate:
    kept = originals.kept_by(copy)
    if kept is not None and kept.copy.is_file():
        return Candidate(place.client, place.path, True, kept.manifest.moved, project=place.project)
    version = originals.stand_in(copy)
    moved = version.kept.manifest.moved if version else ()
    problem = points_to_nothing(copy, place.path)
    return Candidate(place.client, place.path, True, moved, problem, project=place.project)


def _nowhere(client: str, host: HostContext) -> str:
    places = [
        str(place.path) for place in known_locations(*host) if place.client == client and not place.project
    ]
    return (
        f"{client} has no servers configured here; looked at {', '.join(places) or 'no file on this system'}"
    )
