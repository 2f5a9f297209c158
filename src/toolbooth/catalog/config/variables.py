"""Variables in configs: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:id}` and others, and `.env` files."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from toolbooth import errors, files, limits
from toolbooth.catalog.config.regular_file import read_regular

_ENV_LINE: Final = re.compile(
    r"\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.]*)\s*=\s*"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)'|(?P<plain>[^#\r\n]*(?:(?<=\S)#[^\r\n]*)?))"
)


class EnvFileUnreadable(ValueError):
    """The `.env` file is missing, too large or not text; the message does not quote it."""


def read_env_file(path: Path) -> dict[str, str]:
    """Read `NAME=value` lines; quotes are removed, and comments and other lines are skipped."""
    try:
        text = read_regular(path, limits.MAX_VARIABLE_FILE).decode("utf-8-sig")
    except (errors.ConfigError, UnicodeDecodeError):
        raise EnvFileUnreadable("its envFile cannot be read") from None
    found = (_ENV_LINE.match(line) for line in text.splitlines())
    return {line["name"]: _env_text(line) for line in found if line}


def _env_text(line: re.Match[str]) -> str:
    if line["double"] is not None:
        return line["double"].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
    return line["single"] if line["single"] is not None else line["plain"].strip()


_REFERENCE: Final = re.compile(
    r"\$\{(?:(?P<kind>[A-Za-z]+):(?!-))?(?P<name>[\w./\\~ -]+?)(?::-(?P<default>(?:[^{}]|\{[^{}]*+\})*+))?\}"
    r"|\$(?P<bare>[A-Za-z_][A-Za-z0-9_]*)"
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CERTAIN: Final = re.compile(r"[A-Z_][A-Z0-9_]*")
# A secret in the place of a variable's name (mixed case, many digits) must not be quoted in a message.
_SHOWABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,79}|[A-Za-z_]{1,40}[0-9]{0,3}")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Z0-9]")


class Unresolved(ValueError):
    """A reference without a value; the message names the variable and never a value."""


@dataclass(frozen=True)
class Scope:
    """Where references find their values. Values may be secrets and are in no repr."""

    environ: Mapping[str, str] = field(repr=False, hash=False)
    home: Path
    workspace: Path
    inputs: Mapping[str, str | None] = field(default_factory=dict, repr=False, hash=False)
    bare_dollar: bool = False
    literal: bool = False  # texts stay as written: nothing is looked up for a file that is not trusted


class Reference(NamedTuple):
    """What expanding a text reads: an environment variable or a file."""

    kind: Literal["variable", "file"]
    name: str


class AnyEnvironment(Mapping[str, str]):
    """An environment in which every variable has a value, to check an entry apart from its variables."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def __getitem__(self, name: str) -> str:
        return self._known.get(name, "https://unknown.invalid")  # valid as a URL, a header and a command

    def __contains__(self, name: object) -> bool:
        return name in self._known or name not in _BUILT_IN

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def expand(text: str, scope: Scope) -> str:
    """Replace every reference once; values are not expanded again.

    Other forms (`${x%y}`, `$1`) are not references and stay as they are.
    """
    if scope.literal or "$" not in text:
        return text
    return _REFERENCE.sub(lambda found: _value(found, scope), text)


def references(text: str, scope: Scope) -> Iterator[Reference]:
    """Everything that expanding the text may read, including in defaults; nothing is read for this."""
    for found in _REFERENCE.finditer(text) if "$" in text else ():
        if found["bare"]:
            if scope.bare_dollar:
                yield Reference("variable", found["bare"])
        elif found["kind"] == "file":
            yield Reference("file", found["name"])
        elif found["kind"] == "input":
            asked = found["name"].upper()
            yield from (Reference("variable", name) for name in {asked: 0, _NOT_IN_NAMES.sub("_", asked): 0})
        elif found["kind"] == "env" or (not found["kind"] and _is_plain(found["name"])):
            yield Reference("variable", found["name"])
        yield from references(found["default"] or "", scope)


def _value(found: re.Match[str], scope: Scope) -> str:
    if found["bare"]:
        return _bare(found, scope)
    look_up = _KINDS.get(found["kind"] or "")
    if look_up is None or (not found["kind"] and not _is_plain(found["name"])):
        return found[0]
    try:
        return look_up(found["name"], scope)
    except Unresolved:
        if found["default"] is None:
            raise
        return expand(found["default"], scope)


def _bare(found: re.Match[str], scope: Scope) -> str:
    """Expand `$VAR` if the client supports that form. Inside a word it may be part of a password."""
    name, before = found["bare"], found.string[found.start() - 1 : found.start()]
    if not scope.bare_dollar:
        return found[0]
    if name in scope.environ or (_CERTAIN.fullmatch(name) and not re.match(r"[\w$]", before)):
        return _environment(name, scope)
    return found[0]


def _is_plain(name: str) -> bool:
    return name in _BUILT_IN or _IDENTIFIER.fullmatch(name) is not None


def _plain(name: str, scope: Scope) -> str:
    built_in = _BUILT_IN.get(name)
    if built_in is None or name in scope.environ:
        return _environment(name, scope)
    return built_in(scope)


def _environment(name: str, scope: Scope) -> str:
    if name not in scope.environ:
        shown = name if _SHOWABLE.fullmatch(name) else "it names"
        raise Unresolved(f"needs the environment variable {shown}, which is not set")
    return scope.environ[name]


def _input(name: str, scope: Scope) -> str:
    variable = _NOT_IN_NAMES.sub("_", name.upper())
    for candidate in (name.upper(), variable):
        if candidate in scope.environ:
            return scope.environ[candidate]
    default = scope.inputs.get(name)
    if default is None:
        raise Unresolved(f"asks for the input {name}; set the environment variable {variable} to answer it")
    return default


def _file(name: str, scope: Scope) -> str:
    try:
        path = scope.workspace / home_path(name, scope)
        return read_regular(path, limits.MAX_VARIABLE_FILE).decode("utf-8").strip()
    except (errors.ConfigError, UnicodeDecodeError):
        raise Unresolved(f"needs the text file {name}, which cannot be read") from None


def _only_in_editor(name: str, _scope: Scope) -> str:
    raise Unresolved(f"uses the editor's own variable {name}, which has no value outside it")


def home_path(text: str, scope: Scope) -> Path:
    """A path with `~` replaced by the user's home."""
    return files.from_home(Path(text), scope.home)


_Lookup = Callable[[str, Scope], str]
_KINDS: Final[Mapping[str, _Lookup]] = {
    "": _plain,
    "env": _environment,
    "input": _input,
    "file": _file,  # Windsurf
    "workspaceFolder": lambda _, scope: str(scope.workspace),
    "config": _only_in_editor,
    "command": _only_in_editor,
}
_BUILT_IN: Final[Mapping[str, Callable[[Scope], str]]] = {
    "workspaceFolder": lambda scope: str(scope.workspace),
    "workspaceRoot": lambda scope: str(scope.workspace),
    "workspaceFolderBasename": lambda scope: scope.workspace.name,
    "userHome": lambda scope: str(scope.home),
    "cwd": lambda scope: str(scope.workspace),
    "pathSeparator": lambda scope: _separator(scope),
    "/": lambda scope: _separator(scope),
    "CLAUDE_PROJECT_DIR": lambda scope: str(scope.workspace),
}


def _separator(scope: Scope) -> str:
    return str(scope.workspace / "a" / "b")[-2]
