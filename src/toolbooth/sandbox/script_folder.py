"""A folder of saved scripts, NAME.py each → those that can be used, a line for each that cannot; save and remove."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from toolbooth.catalog.config import decoded, read_regular
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.files import flush_folder, write_atomically
from toolbooth.limits import MAX_CODE, MAX_SCRIPTS
from toolbooth.safetext import for_terminal
from toolbooth.sandbox.script import Script, check_name, is_name, read_script
from toolbooth.suggest import did_you_mean

_SUFFIX: Final = ".py"
Stamp = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True)
class Loaded:
    """Scripts by name, in its order; `problems` are one clean line for each file that is left out."""

    scripts: dict[str, Script] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScriptFolder:
    """It need not be there: then it is empty, and the first save makes it."""

    path: Path

    def load(self) -> Loaded:
        """Read every script; a file that is wrong costs itself alone. Raises nothing."""
        scripts: dict[str, Script] = {}
        problems: list[str] = []
        try:
            files = self._files()
        except OSError as error:
            return Loaded({}, (for_terminal(f"{self.path}: cannot be read: {error.strerror or error}"),))
        if len(files) > MAX_SCRIPTS:
            problems.append(
                for_terminal(
                    f"{self.path}: holds {len(files)} scripts; the first {MAX_SCRIPTS} by name are used"
                )
            )
        for file in files[:MAX_SCRIPTS]:
            try:
                scripts[file.stem] = _read(file)
            except UserMistake as error:
                problems.append(_problem(file, error))
        return Loaded(scripts, tuple(problems))

    def stamp(self) -> Stamp:
        """Changes whenever a script is added, removed or written; costs one look at each file, and reads none."""
        with suppress(OSError):
            return tuple(_stamp(file) for file in self._files()[: MAX_SCRIPTS + 1])
        return ()

    def read(self, name: str) -> Script:
        """One script; raises UserMistake, which says what is there instead."""
        return _read(self._there(name))

    def file_of(self, name: str) -> Path:
        """Where a script of that name lies, or would; raises UserMistake for what is no name."""
        check_name(name)
        return self.path / f"{name}{_SUFFIX}"

    def save(self, name: str, text: str, *, replace: bool = False) -> Script:
        """Check, then write: the old file or the new one, never half of one. Raises UserMistake."""
        script = read_script(name, text)
        target = self.file_of(name)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(target) and len(self._files()) >= MAX_SCRIPTS:
                raise UserMistake(f"{self.path} holds {MAX_SCRIPTS} scripts already; remove one first")
            write_atomically(target, script.code.encode(), mode=None, replace=replace)
            flush_folder(target.parent)
        except FileExistsError:
            if not self.path.is_dir():
                raise ConfigError("is no folder; name another one", self.path) from None
            raise UserMistake(
                f"there is a script {name} already; replace it (--force), or choose another name"
            ) from None
        except OSError as error:
            raise ConfigError(f"cannot be written: {error.strerror or error}", target) from None
        return script

    def remove(self, name: str) -> Path:
        """Remove a script, also one that cannot be used; gives back where it was. Raises UserMistake."""
        file = self._there(name)
        try:
            file.unlink()
        except OSError as error:
            raise ConfigError(f"cannot be removed: {error.strerror or error}", file) from None
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
        there_are = f"there are {', '.join(known[:20]) or 'none'}"
        hint = did_you_mean(name, known, there_are, count=3, alike=50)
        raise UserMistake(f"there is no script {name} in {self.path}; {hint}")


def _read(file: Path) -> Script:
    check_name(file.stem)
    if file.is_symlink():  # it may lead to any file of the user's, and a script's text is shown to agents
        raise ConfigError("is a link; a script is a file of its own", file)
    return read_script(file.stem, decoded(file, read_regular(file, 4 * MAX_CODE)), str(file))


def _problem(file: Path, error: UserMistake) -> str:
    if not isinstance(error, ConfigError):
        return for_terminal(f"{file.name}: {error}")
    return for_terminal(str(ConfigError(error.message, file.name, error.line, error.column)))


def _stamp(file: Path) -> tuple[str, int, int, int]:
    try:
        found = file.lstat()
    except OSError:  # removed just now
        return (file.name, 0, 0, 0)
    return (file.name, found.st_mtime_ns, found.st_size, found.st_ino)
