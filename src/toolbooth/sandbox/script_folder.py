"""A folder of saved scripts, one NAME.py each: it loads, saves and removes them, and reports those that are invalid."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from toolbooth import errors, limits, safetext, suggest
from toolbooth.catalog.config import decoded, read_regular
from toolbooth.files import flush_folder, write_atomically
from toolbooth.sandbox.script import Script, check_name, is_name, read_script

_SUFFIX: Final = ".py"
Stamp = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True)
class Loaded:
    """The scripts by name, in sorted order; `problems` has one clean line for each file that is left out."""

    scripts: dict[str, Script] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScriptFolder:
    """The folder need not exist: then it is empty, and the first save creates it."""

    path: Path

    def load(self) -> Loaded:
        """Read every script; an invalid file affects only itself. Raises nothing."""
        scripts: dict[str, Script] = {}
        problems: list[str] = []
        try:
            files = self._files()
        except OSError as error:
            return Loaded(
                {}, (safetext.for_terminal(f"{self.path}: cannot be read: {error.strerror or error}"),)
            )
        if len(files) > limits.MAX_SCRIPTS:
            problems.append(
                safetext.for_terminal(
                    f"{self.path}: holds {len(files)} scripts; only the first {limits.MAX_SCRIPTS} by name are used"
                )
            )
        for file in files[: limits.MAX_SCRIPTS]:
            try:
                scripts[file.stem] = _read(file)
            except errors.UserMistake as error:
                problems.append(_problem(file, error))
        return Loaded(scripts, tuple(problems))

    def stamp(self) -> Stamp:
        """A value that changes whenever a script is added, removed or written; only metadata is read."""
        with suppress(OSError):
            return tuple(_stamp(file) for file in self._files()[: limits.MAX_SCRIPTS + 1])
        return ()

    def read(self, name: str) -> Script:
        """Read one script; raises UserMistake with near names if there is none."""
        return _read(self._there(name))

    def file_of(self, name: str) -> Path:
        """The path of the script with that name, whether or not it exists; raises UserMistake for an invalid name."""
        check_name(name)
        return self.path / f"{name}{_SUFFIX}"

    def save(self, name: str, text: str, *, replace: bool = False) -> Script:
        """Check the script, then write it atomically. Raises UserMistake."""
        script = read_script(name, text)
        target = self.file_of(name)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(target) and len(self._files()) >= limits.MAX_SCRIPTS:
                raise errors.UserMistake(
                    f"{self.path} holds {limits.MAX_SCRIPTS} scripts already; remove one first"
                )
            write_atomically(target, script.code.encode(), mode=None, replace=replace)
            flush_folder(target.parent)
        except FileExistsError:
            if not self.path.is_dir():
                raise errors.ConfigError("is not a folder; name another one", self.path) from None
            raise errors.UserMistake(
                f"the script {name} already exists; replace it (--force), or choose another name"
            ) from None
        except OSError as error:
            raise errors.ConfigError(f"cannot be written: {error.strerror or error}", target) from None
        return script

    def remove(self, name: str) -> Path:
        """Remove a script, valid or not, and return where it was. Raises UserMistake."""
        file = self._there(name)
        try:
            file.unlink()
        except OSError as error:
            raise errors.ConfigError(f"cannot be removed: {error.strerror or error}", file) from None
        return file

    def _files(self) -> list[Path]:
        try:
            with os.scandir(self.path) as entries:
                names = sorted(
                    each.name
                    for each in entries
                    if each.name.endswith(_SUFFIX) and not each.name.startswith(".")
                )
        except FileNotFoundError:
            return []
        return [self.path / name for name in names]

    def _there(self, name: str) -> Path:
        file = self.file_of(name)
        if os.path.lexists(file):
            return file
        try:
            known = [each.stem for each in self._files() if is_name(each.stem)]
        except OSError:
            known = []
        saved = f"the scripts are {', '.join(known[:20])}" if known else "no script is saved there"
        hint = suggest.did_you_mean(name, known, saved, count=3, alike=50)
        raise errors.UserMistake(f"script {name} does not exist in {self.path}; {hint}")


def _read(file: Path) -> Script:
    check_name(file.stem)
    if file.is_symlink():  # it could point at any file of the user, and a script's text is shown to agents
        raise errors.ConfigError("is a symbolic link; replace it with a regular file", file)
    return read_script(file.stem, decoded(file, read_regular(file, 4 * limits.MAX_CODE)), str(file))


def _problem(file: Path, error: errors.UserMistake) -> str:
    if not isinstance(error, errors.ConfigError):
        return safetext.for_terminal(f"{file.name}: {error}")
    return safetext.for_terminal(str(errors.ConfigError(error.message, file.name, error.line, error.column)))


def _stamp(file: Path) -> tuple[str, int, int, int]:
    try:
        found = file.lstat()
    except OSError:  # removed in the meantime
        return (file.name, 0, 0, 0)
    return (file.name, found.st_mtime_ns, found.st_size, found.st_ino)
