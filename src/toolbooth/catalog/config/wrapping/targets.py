"""A client's name, or a file's → the files to wrap or unwrap; nothing → all that could be."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbooth.catalog.config.clients import CLIENTS, OURS
from toolbooth.catalog.config.places import Place, find_configs, find_user_configs, known_places
from toolbooth.catalog.config.surroundings import Surroundings
from toolbooth.catalog.config.wrapping.kept import all_kept, kept_by
from toolbooth.catalog.config.wrapping.moving import moving
from toolbooth.catalog.config.wrapping.opened import open_config, target_of
from toolbooth.errors import ConfigError, UserMistake

_SIGNS: Final = re.compile(r"[^a-z0-9]")
_CLIENTS: Final = tuple(dict.fromkeys(client.name for client in CLIENTS if client.name != OURS))


@dataclass(frozen=True)
class Candidate:
    """A config of this machine: `servers` that could move, or that are behind the gateway if it is `wrapped`."""

    client: str
    path: Path
    wrapped: bool
    servers: tuple[str, ...] = ()
    trouble: str = ""
    project: bool = False


def files_to_wrap(word: str, around: Surroundings) -> tuple[Path, ...]:
    """The file that was named, or every file of the named client that holds servers; raises UserMistake."""
    client = client_named(word, around)
    if client is None:
        return (_path(word, around),)
    places = [place for place in find_user_configs(*around) if place.client == client]
    found = [seen for place in places if (seen := _seen(place, around.environ))]
    if not found:
        raise UserMistake(_nowhere(client, around))
    return tuple(each.path for each in found)


def files_to_unwrap(word: str, around: Surroundings, data: Path) -> tuple[Path, ...]:
    """The same for files that are wrapped."""
    client = client_named(word, around)
    if client is None:
        return (_path(word, around),)
    kept = {
        kept.manifest.target: kept.manifest.path for kept in all_kept(data) if kept.manifest.client == client
    }
    linked = [
        each.path
        for each in candidates(around, data)
        if each.client == client and each.wrapped and not each.project
    ]
    found = {target_of(path): path for path in (*linked, *kept.values())}
    if not found:
        raise UserMistake(f"no config of {client} is wrapped; `toolbooth unwrap` lists what is")
    return tuple(found.values())


def candidates(around: Surroundings, data: Path) -> tuple[Candidate, ...]:
    """Every config of this machine that could be wrapped or is, those of the project in `cwd` last."""
    places = [place for place in find_configs(*around) if place.client != OURS]
    found = [seen for place in places if (seen := _seen(place, around.environ))]
    known = {target_of(each.path) for each in found}
    found += [
        Candidate(kept.manifest.client, kept.manifest.path, True, kept.manifest.moved)
        for kept in all_kept(data)
        if kept.manifest.target not in known
    ]
    return tuple(sorted(found, key=lambda each: each.project))


def client_named(word: str, around: Surroundings) -> str | None:
    """The one client that a word means; None where it is a path; raises UserMistake."""
    wanted = _SIGNS.sub("", word.lower())
    exact = [name for name in _CLIENTS if _SIGNS.sub("", name.lower()) == wanted]
    if exact and "/" not in word:
        return exact[0]
    if "/" in word or "\\" in word or "." in word or _path(word, around).exists():
        return None
    near = [name for name in _CLIENTS if wanted and _SIGNS.sub("", name.lower()).startswith(wanted)]
    if len(near) == 1:
        return near[0]
    listed = ", ".join(near or _CLIENTS)
    meant = "could be" if near else "is neither a file nor a client; the clients are"
    raise UserMistake(f"{word!r} {meant} {listed}")


def _path(word: str, around: Surroundings) -> Path:
    path = Path(word)
    return around.cwd / (around.home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path)


def _seen(place: Place, environ: Mapping[str, str]) -> Candidate | None:
    try:
        file = open_config(place.path)
        if file.link:
            return Candidate(
                place.client, place.path, True, tuple(_behind(file.link.copy)), project=place.project
            )
        found = moving(file, environ)
    except ConfigError as error:
        return Candidate(place.client, place.path, False, trouble=error.message, project=place.project)
    seen = Candidate(place.client, place.path, False, found.moved, project=place.project)
    return seen if found.moved or found.stays else None


def _behind(copy: Path) -> Iterator[str]:
    kept = kept_by(copy)
    yield from kept.manifest.moved if kept else ()


def _nowhere(client: str, around: Surroundings) -> str:
    places = [
        str(place.path) for place in known_places(*around) if place.client == client and not place.project
    ]
    return (
        f"{client} has no servers configured here; looked at {', '.join(places) or 'no file on this system'}"
    )
