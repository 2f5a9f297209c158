"""Which servers of a config can move behind the gateway, and why the others stay."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from toolbooth.catalog.config import config_file, gateway_command, read, server_entry, variables
from toolbooth.catalog.config.wrapping.opened import OpenedConfig, section_of
from toolbooth.catalog.tool_filter import unread_filter

_ASKS_EDITOR: Final = re.compile(r"\$\{(?P<what>input|command|config):")
_OPEN_FOLDER: Final = re.compile(r"\$\{workspace(?:Folder|Root)")
# Started in a terminal, these start their servers in the folder where the person is.
_IN_YOUR_FOLDER: Final = frozenset({"Claude Code", "Codex", "Gemini CLI", "Copilot CLI"})
_DOTTED: Final = re.compile(r"\.{1,2}(?:[\\/]|$)")
_SCRIPTS: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh")


class Stay(NamedTuple):
    """A server that stays in the client's file, and why."""

    server: str
    reason: str


@dataclass(frozen=True)
class Moving:
    """The servers that move and those that stay, in the order of the file."""

    moved: tuple[str, ...]
    stays: tuple[Stay, ...]


def moving(file: OpenedConfig, environ: Mapping[str, str]) -> Moving:
    """Decide about every server of the section; variables are assumed to be set in the client's environment."""
    section = file.section
    if section is None:
        return Moving((), ())
    scope = read.scope_of(file.path, file.reading, environ)
    judge = _Judge(
        section_of(file.document.value, section),
        file.rewrite.movable(file.text, section),
        variables.Scope(
            variables.AnyEnvironment(environ), scope.home, scope.workspace, scope.inputs, scope.bare_dollar
        ),
        in_project=read.project_of(file.path, read.home_of(environ)) is not None,
    )
    reasons = {raw.name: next(judge.reasons(raw), "") for raw in file.own_servers}
    return Moving(
        tuple(name for name, reason in reasons.items() if not reason),
        tuple(Stay(name, reason) for name, reason in reasons.items() if reason),
    )


def unplaced(file: OpenedConfig, moved: Sequence[str]) -> tuple[str, ...]:
    """Servers with a relative path, of a client that does not say in which folder it starts them."""
    if file.client in _IN_YOUR_FOLDER:
        return ()
    return tuple(
        raw.name
        for raw in file.own_servers
        if raw.name in moved
        and raw.cwd is None
        and any(map(_is_relative, gateway_command.texts_in([raw.command, raw.args])))
    )


def _is_relative(word: str) -> bool:
    """Whether a word is a relative path; names of packages can have slashes too."""
    value = word.rpartition("=")[2] if word.startswith("-") else word
    if "://" in value or value.startswith(("/", "~", "$", "@")) or value[1:2] == ":":
        return False
    return _DOTTED.match(value) is not None or value.endswith(_SCRIPTS)


@dataclass(frozen=True)
class _Judge:
    entries: Mapping[str, Any]
    movable: frozenset[str]
    scope: variables.Scope
    in_project: bool

    def reasons(self, raw: config_file.RawServer) -> Iterator[str]:
        """The reasons why a server cannot move, the simplest first."""
        entry = self.entries.get(raw.name)
        if raw.disabled:
            yield "is disabled"
        if isinstance(raw.command, str) and gateway_command.is_gateway_command(
            (raw.command, *gateway_command.texts_in(raw.args))
        ):
            yield "is a gateway itself"
        if raw.name not in self.movable:
            yield f"is not written as a table of its own, [mcp_servers.{raw.name}]"
        yield from self._bound_to_client(entry)
        try:
            server_entry.server_spec(raw, raw.name or "-", self.scope, "")
        except server_entry.Unusable as error:
            yield str(error)

    def _bound_to_client(self, entry: object) -> Iterator[str]:
        texts = list(gateway_command.texts_in(entry))
        if any(_ASKS_EDITOR.search(text) for text in texts):
            yield "needs a value that only its client has (${input:…}, ${command:…}, ${config:…})"
        if not self.in_project and any(_OPEN_FOLDER.search(text) for text in texts):
            yield "uses the folder that is open in the client (${workspaceFolder})"
        if isinstance(entry, Mapping) and (key := unread_filter(entry)):
            yield f"limits its tools in a way that the gateway cannot read ({key} is no list of names)"
