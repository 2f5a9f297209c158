"""The servers of a first suite: the config files it names, or its own entries without secrets."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from toolbooth import catalog
from toolbooth.suite.redaction import REDACTED, Redactor
from toolbooth.suite.spec import servers
from toolbooth.suite.spec.suite import Suite

_SOURCE: Final = re.compile(  # the source of a spec from a config file
    r"[^(]*+(?<= )\((?P<path>(?:(?!, project ).)+)(?:, project .+)?\)", re.DOTALL
)
_PLAIN_PATH: Final = re.compile(r"(?:/[a-z0-9_.-]{1,16}){0,4}/?")  # a longer segment may be a key
_FAR: Final = 3  # from this many folders up, a path from home is easier to read


class SuiteServerEntries(NamedTuple):
    """`configs` are paths as the suite writes them, `entries` go under `servers:`, `names` are all known servers.

    `variables` replace secrets, and must be set where the suite runs.
    """

    configs: tuple[str, ...] = ()
    entries: Mapping[str, Mapping[str, Any]] = {}
    names: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


def suite_server_entries(
    specs: Sequence[catalog.ServerSpec], suite: Path, environ: Mapping[str, str], cwd: Path
) -> SuiteServerEntries:
    """A server of a config file is reached through that file; one typed on the command line gets its own entry."""
    files = {spec.name: _file_of(spec) for spec in specs}
    configs = tuple(dict.fromkeys(path for path in files.values() if path is not None))
    folder = suite.absolute().parent
    typed = [_Typed(spec, environ, folder, cwd) for spec in specs if files[spec.name] is None]
    entries = {each.spec.name: each.entry for each in typed}
    names = [spec.name for spec in _known(suite, configs, environ, specs)]
    return SuiteServerEntries(
        tuple(written_path(path, folder, Path.home()) for path in configs),
        entries,
        tuple(name for name in (*entries, *names)),
        tuple(name for each in typed for name in each.variables),
    )


def _file_of(spec: catalog.ServerSpec) -> Path | None:
    found = _SOURCE.fullmatch(spec.source)
    path = Path(found["path"]) if found else None
    return path.absolute() if path is not None and path.is_file() else None


def _known(
    suite: Path, configs: tuple[Path, ...], environ: Mapping[str, str], specs: Iterable[catalog.ServerSpec]
) -> list[catalog.ServerSpec]:
    """If two files have a server of the same name, a suite uses the first; the second cannot be tested."""
    if not configs:
        return []
    seen = servers.SuiteServers(Suite(suite, "", (), configs=configs), environ).specs
    return [spec for spec in specs if spec.name in seen and _reach(spec) == _reach(seen[spec.name])]


def _reach(spec: catalog.ServerSpec) -> tuple[object, ...]:
    return spec.command, spec.args, spec.url


def written_path(path: Path, folder: Path, home: Path) -> str:
    """Relative to the suite's folder if that is near, else relative to home, else unchanged."""
    try:
        relative = Path(os.path.relpath(path, folder))
    except ValueError:  # another drive
        return path.as_posix()
    if relative.parts[:_FAR] != ("..",) * _FAR:
        return relative.as_posix()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else path.as_posix()


class _Typed:
    """The entry of one server that was typed on the command line."""

    def __init__(self, spec: catalog.ServerSpec, environ: Mapping[str, str], folder: Path, cwd: Path) -> None:
        self.spec, self.variables = spec, list[str]()
        self._redactor = Redactor(environ, (spec,))
        self.entry = self._remote() if spec.url else self._started(folder, cwd)

    def _started(self, folder: Path, cwd: Path) -> dict[str, Any]:
        words = (self.spec.command, *self.spec.args)
        command, *args = map(self._without_secrets, words)
        here = any((cwd / word).is_file() for word in words if not Path(word).is_absolute())
        return {
            "command": command,
            **({"args": args} if args else {}),
            **({"cwd": written_path(cwd.absolute(), folder, Path.home())} if here else {}),
        }

    def _remote(self) -> dict[str, Any]:
        parts = urlsplit(self.spec.url)
        whole = f"{parts.scheme}://{parts.netloc}{parts.path}" == self.spec.url and "@" not in parts.netloc
        plain = whole and _PLAIN_PATH.fullmatch(parts.path) is not None
        return {"url": self.spec.url if plain else self._variable("URL")}

    def _without_secrets(self, word: str) -> str:
        cleaned = self._redactor.text(word)
        return cleaned.replace(REDACTED, self._variable("SECRET")) if cleaned != word else word

    def _variable(self, what: str) -> str:
        stem = re.sub(r"[^A-Z0-9]+", "_", self.spec.name.upper()).strip("_") or "SERVER"
        name = f"{stem}_{what}" if stem[0].isalpha() else f"SERVER_{stem}_{what}"
        number = len(self.variables) + 1
        self.variables.append(name if number == 1 else f"{name}_{number}")
        return f"${{{self.variables[-1]}}}"
