"""Configs found in a project, and `trusted-projects.json`, which says which of them a person trusts.

A project's config may come from anyone, so trust is for its exact content. Its bytes are read once: what is shown,
trusted and started later all comes from them. The trust file decides what may run without asking, so it is ignored if
other users can write it.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolbooth import errors, files, limits, own_json
from toolbooth.catalog.config import config_file, gateway_command, read, regular_file, variables
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats import format_of


@dataclass(frozen=True)
class ProjectConfig:
    """One config of a project. `as_written` has its servers without filled-in variables.

    `reads` is what filling in the variables would read.
    """

    path: Path
    sha256: str
    document: Document
    as_written: config_file.ConfigFile
    reads: tuple[variables.Reference, ...] = field(default=())

    @property
    def place(self) -> Path:
        """Its path with links in its folder resolved; a link at the path itself is kept."""
        return self.path.parent.resolve() / self.path.name

    @property
    def needs_trust(self) -> bool:
        """Whether using it starts or reads anything: servers, or a lock that it names, but not caps on answers."""
        return bool(self.as_written.servers) or "contracts" in self.as_written.gateway


Trust = Callable[[Sequence[ProjectConfig]], Collection[Path]]
"""Returns the paths of the trusted ones among the project configs that were found."""


def trust_none(_found: Sequence[ProjectConfig]) -> Collection[Path]:
    """Trust no project's config."""
    return ()


def trust_all(found: Sequence[ProjectConfig]) -> Collection[Path]:
    """Trust every project's config."""
    return [each.path for each in found]


def project_config(
    document: Document, data: bytes, environ: Mapping[str, str], cwd: Path | None
) -> ProjectConfig:
    """Examine a parsed file; nothing that it refers to is read."""
    reading = format_of(document).read(document)
    scope = read.scope_of(document.path, reading, environ, cwd)
    used = [raw for raw in read.in_force(reading, cwd) if not raw.disabled]
    found = dict.fromkeys(each for raw in used for each in _reads(raw, read.of_project(scope, raw)))
    as_written = read.read_document(document, environ, cwd, in_project=True, literal=True)
    return ProjectConfig(
        document.path, hashlib.sha256(data).hexdigest(), document, as_written, (*found, *_locks(as_written))
    )


def _reads(raw: config_file.RawServer, scope: variables.Scope) -> Iterator[variables.Reference]:
    yield from (variables.Reference("variable", name) for name in raw.forward)
    if isinstance(raw.env_file, str):
        yield _whole(variables.Reference("file", raw.env_file), scope)
    fields = [raw.command, raw.args, raw.env, raw.env_file, raw.cwd, raw.url, raw.headers]
    for text in gateway_command.texts_in(fields):
        yield from (_whole(each, scope) for each in variables.references(text, scope))


def _whole(reference: variables.Reference, scope: variables.Scope) -> variables.Reference:
    """A file with its full path: `id_rsa` alone does not say where it is."""
    if reference.kind == "variable":
        return reference
    return reference._replace(name=str(scope.workspace / variables.home_path(reference.name, scope)))


def _locks(file: config_file.ConfigFile) -> Iterator[variables.Reference]:
    """The enforced lock, and the key that verifies it."""
    contracts = file.gateway.get("contracts")
    for written in (contracts.lock, contracts.verify_key) if contracts is not None else ():
        if written and written.startswith("env:"):
            yield variables.Reference("variable", written.removeprefix("env:"))
        elif written:
            yield variables.Reference("file", written)


NAME: Final = "trusted-projects.json"
FORMAT: Final = "toolbooth-trusted-projects"
VERSION: Final = 1
_OTHERS_MAY_WRITE: Final = 0o022


@dataclass(frozen=True)
class Trusted:
    """One content of one file, and the time since which it is trusted."""

    path: str
    sha256: str
    since: str


@dataclass(frozen=True, kw_only=True)
class _TrustFile:
    format: str = FORMAT
    version: int = VERSION
    trusted: tuple[Trusted, ...]


_FILE: Final = own_json.OwnFormat(
    _TrustFile,
    FORMAT,
    VERSION,
    foreign="is damaged; delete it and trust your projects again",
    other_version="is of version {version}, not 1; use the Toolbooth that wrote it",
    damaged="is damaged ({reason}); delete it and trust your projects again",
)


class TrustedProjects:
    """The trust file. It is read again at every call."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    @classmethod
    def of(cls, home: Path, environ: Mapping[str, str], platform: str) -> "TrustedProjects":
        """The trust file of the user with this home."""
        return cls(files.data_folder(home, environ, platform))

    def all(self) -> tuple[Trusted, ...]:
        """All trusted contents, the oldest first; raises ConfigError if the file cannot be used."""
        return _read(self.path)[1]

    def holds(self, config: ProjectConfig) -> bool:
        """Whether exactly this content at this path is trusted."""
        return any((each.path, each.sha256) == (str(config.place), config.sha256) for each in self.all())

    def add(self, config: ProjectConfig) -> None:
        """Trust this content; if there are too many, the oldest are removed."""
        now = datetime.now(UTC).isoformat("T", "seconds")
        added = Trusted(str(config.place), config.sha256, now)
        self._change(lambda held: (*held, added)[-limits.MAX_TRUSTED_PROJECTS :])

    def forget(self, path: Path) -> int:
        """Forget a config, or all below a folder; returns how many contents were forgotten."""
        gone = {path.absolute(), path.parent.resolve() / path.name, path.resolve()}
        before = len(self.all())
        kept = self._change(
            lambda held: tuple(
                each for each in held if not any(Path(each.path).is_relative_to(place) for place in gone)
            )
        )
        return before - len(kept)

    def _change(self, change: Callable[[tuple[Trusted, ...]], tuple[Trusted, ...]]) -> tuple[Trusted, ...]:
        old, held = _read(self.path)
        changed = change(held)
        if changed != held:
            files.private_folder(self.path.parent)
            files.replace_if_unchanged(self.path, _bytes(changed), old, mode=0o600)
            files.flush_folder(self.path.parent)
        return changed


def _read(path: Path) -> tuple[bytes | None, tuple[Trusted, ...]]:
    if not os.path.lexists(path):
        return None, ()
    data = regular_file.read_regular(path, limits.MAX_CONFIG_BYTES)
    _refuse_others(path)
    return data, _FILE.read(data, path).trusted


def _refuse_others(path: Path) -> None:
    if os.name != "posix":
        return
    found = path.stat()
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS_MAY_WRITE:
        raise errors.ConfigError(
            "can be written by other users, so it is ignored; delete it, or chmod 600", path
        )


def _bytes(held: tuple[Trusted, ...]) -> bytes:
    return own_json.encode(_TrustFile(trusted=held), indent=1)
