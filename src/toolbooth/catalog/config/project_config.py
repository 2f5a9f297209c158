"""A config found in a project, before anybody trusts it: what it would start and read, told without reading it.

The bytes are read once. What is shown, what is trusted and what is started later all come from them, so a file
that changes in between changes nothing.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolbooth.catalog.config.config_file import ConfigFile
from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats import format_of
from toolbooth.catalog.config.launch import texts_in
from toolbooth.catalog.config.raw_server import RawServer
from toolbooth.catalog.config.read import in_force, of_project, read_document, scope_of
from toolbooth.catalog.config.variables import Reference, Scope, home_path, references


@dataclass(frozen=True)
class ProjectConfig:
    """One such file. `as_written` has its servers with no variable filled in; `reads` is what filling in would read."""

    path: Path
    sha256: str
    document: Document
    as_written: ConfigFile
    reads: tuple[Reference, ...] = field(default=())

    @property
    def place(self) -> Path:
        """Where it stands, by one spelling of its folder; a link in the place of the file itself stays a link."""
        return self.path.parent.resolve() / self.path.name

    @property
    def needs_trust(self) -> bool:
        """Whether it starts or reads anything: servers, or a lock that it names; caps on answers do not."""
        return bool(self.as_written.servers) or "contracts" in self.as_written.gateway


Trust = Callable[[Sequence[ProjectConfig]], Collection[Path]]
"""Of the project configs that were found, the paths of those that are trusted."""


def trust_none(_found: Sequence[ProjectConfig]) -> Collection[Path]:
    """No project's config counts."""
    return ()


def trust_all(found: Sequence[ProjectConfig]) -> Collection[Path]:
    """Every project's config counts."""
    return [each.path for each in found]


def project_config(
    document: Document, data: bytes, environ: Mapping[str, str], cwd: Path | None
) -> ProjectConfig:
    """Look through a parsed file; nothing that it refers to is looked up."""
    reading = format_of(document).read(document)
    scope = scope_of(document.path, reading, environ, cwd)
    used = [raw for raw in in_force(reading, cwd) if not raw.disabled]
    found = dict.fromkeys(each for raw in used for each in _reads(raw, of_project(scope, raw)))
    as_written = read_document(document, environ, cwd, in_project=True, literal=True)
    return ProjectConfig(
        document.path, hashlib.sha256(data).hexdigest(), document, as_written, (*found, *_locks(as_written))
    )


def _reads(raw: RawServer, scope: Scope) -> Iterator[Reference]:
    yield from (Reference("variable", name) for name in raw.forward)
    if isinstance(raw.env_file, str):
        yield _whole(Reference("file", raw.env_file), scope)
    fields = [raw.command, raw.args, raw.env, raw.env_file, raw.cwd, raw.url, raw.headers]
    for text in texts_in(fields):
        yield from (_whole(each, scope) for each in references(text, scope))


def _whole(reference: Reference, scope: Scope) -> Reference:
    """A file by its whole path: `id_rsa` alone does not say whose."""
    if reference.kind == "variable":
        return reference
    return reference._replace(name=str(scope.workspace / home_path(reference.name, scope)))


def _locks(file: ConfigFile) -> Iterator[Reference]:
    """The lock that its servers are held to, and the key that signs it."""
    contracts = file.gateway.get("contracts")
    for written in (contracts.lock, contracts.verify_key) if contracts is not None else ():
        if written and written.startswith("env:"):
            yield Reference("variable", written.removeprefix("env:"))
        elif written:
            yield Reference("file", written)
