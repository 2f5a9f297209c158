"""Server specs for commands and URLs that a person types, with readable names."""

import os
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import urlsplit

from toolbooth import errors, safetext
from toolbooth.catalog.config import gateway_command, server_entry, variables
from toolbooth.catalog.server_spec import ServerSpec

TYPED: Final = "the command line"  # the source of what no config names
_RUNNERS: Final = re.compile(
    r"(?:npx|bunx|pnpx|uvx|pipx|uv|pnpm|yarn|bun|deno|node|tsx|npm|python[\d.]*)(?:\.exe|\.cmd)?"
)
_SAY_NOTHING: Final = frozenset(
    ["index", "main", "cli", "server", "dist", "build", "src", "bin", "lib", "__main__"]
)
_RUNNER_WORDS: Final = frozenset({"run", "dlx", "exec", "tool"})
_SUFFIXES: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".exe", ".cmd", ".sh")
# These options have no value.
_FLAGS: Final = frozenset(
    {"--", "-y", "--yes", "-m", "-q", "--quiet", "-s", "--silent", "-u", "-B", "-E", "-I", "-A"}
    | {"--no-install", "--no-warnings", "--bun"}
)
_WITH_VALUE: Final = frozenset(
    {"--from", "--with", "--package", "-p", "--python", "--directory", "--project", "--prefix"}
    | {"--loader", "--import", "-r", "--require"}
)
_SETTING: Final = re.compile(r"[A-Za-z_]\w*=")
_SCOPED: Final = re.compile(r"@[\w.-]+/[\w.-]+(?:@[\w.^~-]+)?")


def spec_of_command(command: Sequence[str]) -> ServerSpec:
    """The spec of a command; `npx -y @scope/server-x@1.2` is named `server-x`.

    Words such as `API_KEY=${API_KEY}` before the command are its variables, as in a shell; a server gets few others.
    """
    given = list(takewhile(_SETTING.match, command))
    program, *words = command[len(given) :] or [""]
    if not program:
        raise errors.UserMistake(
            f"a command is missing after {safetext.for_terminal(given[-1].partition('=')[0], 60)}=…"
        )
    return ServerSpec(
        _name([program, *words]),
        "stdio",
        program,
        tuple(words),
        env=dict(map(_variable, given)),
        source=TYPED,
        whole_environment=gateway_command.is_gateway_command([program, *words]),
    )


def _variable(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    try:
        return name, variables.expand(value, variables.Scope(os.environ, Path.home(), Path.cwd()))
    except variables.Unresolved as error:
        raise errors.UserMistake(f"{name} {error}") from None


def spec_of_url(url: str) -> ServerSpec:
    """The spec of a URL, named after its host; raises UserMistake, which does not quote the URL."""
    fault = server_entry.fault_of_url(url)
    if fault:
        raise errors.UserMistake(fault)
    return ServerSpec(_slug(urlsplit(url).hostname or "server"), "auto", url=url, source=TYPED)


def _name(command: Sequence[str]) -> str:
    program = PurePath(command[0]).name
    return _slug((_what_it_runs(command[1:]) if _RUNNERS.fullmatch(program) else "") or program)


def _what_it_runs(words: Sequence[str]) -> str:
    """The package or script that a runner runs; empty if it is not certain.

    A word after an unknown option may be a secret, so from there only a word that looks like a script is used.
    """
    sure, waiting = True, iter(words)
    for word in waiting:
        if word in _WITH_VALUE:
            next(waiting, None)
        elif word.startswith("-"):
            sure = sure and (word in _FLAGS or "=" in word)
        elif word not in _RUNNER_WORDS and (sure or _looks_like_a_program(word)):
            return word
    return ""


def _looks_like_a_program(word: str) -> bool:
    return word.endswith(_SUFFIXES) or _SCOPED.fullmatch(word) is not None


def _slug(word: str) -> str:
    word = re.sub(r"(?<=[^/])@.*$", "", word)
    for suffix in _SUFFIXES:
        word = word.removesuffix(suffix)
    parts = [part for part in re.split(r"[/\\]", word) if part not in ("", ".", "..")]
    telling = [part for part in parts if part not in _SAY_NOTHING] or parts
    return re.sub(r"[^\w-]+", "-", telling[-1] if telling else "").strip("-") or "server"
