"""A command line or a URL typed by hand → a server spec with a readable name."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import urlsplit

from toolbooth.catalog.server_spec import ServerSpec

_RUNNERS = frozenset(
    ["npx", "bunx", "pnpx", "uvx", "pipx", "uv", "pnpm", "yarn", "bun", "deno", "node", "tsx"]
)
_SAY_NOTHING = frozenset(["index", "main", "cli", "server", "dist", "build", "src", "bin", "lib", "__main__"])
_RUNNER_WORDS = frozenset({"run", "dlx", "exec", "tool"})
_SUFFIXES = (".py", ".js", ".mjs", ".cjs", ".ts", ".exe", ".cmd", ".sh")


def spec_of_command(command: Sequence[str]) -> ServerSpec:
    """`npx -y @scope/server-x@1.2 …` → a stdio spec named `server-x`."""
    return ServerSpec(_name(command), "stdio", command[0], tuple(command[1:]), source="the command line")


def spec_of_url(url: str) -> ServerSpec:
    """A bare URL → a spec named after its host."""
    return ServerSpec(_slug(urlsplit(url).hostname or "server"), "auto", url=url, source="the command line")


def _name(command: Sequence[str]) -> str:
    program = PurePath(command[0]).name
    words = [word for word in command[1:] if not word.startswith("-") and word not in _RUNNER_WORDS]
    if words and (program in _RUNNERS or re.fullmatch(r"python[\d.]*", program)):
        program = words[0]
    return _slug(program)


def _slug(word: str) -> str:
    word = re.sub(r"(?<=[^/])@.*$", "", word)
    for suffix in _SUFFIXES:
        word = word.removesuffix(suffix)
    parts = [part for part in re.split(r"[/\\]", word) if part not in ("", ".", "..")]
    telling = [part for part in parts if part not in _SAY_NOTHING] or parts
    return re.sub(r"[^\w-]+", "-", telling[-1] if telling else "").strip("-") or "server"
