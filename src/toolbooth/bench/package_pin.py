"""The pinned package that a server's command fetches, or advice on how to pin it.

Only the word that names the package is ever taken from a command, and only if it looks like one: everything else may be
a secret.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Final, NamedTuple

from toolbooth import catalog

_COMMIT: Final = r"(?:git\+https://[\w.-]+/[\w./~-]+|github:[\w./-]+)[@#][0-9a-f]{40}"
_NPM_NAME: Final = r"(?:@[\w.~-]+/)?[A-Za-z0-9][\w.~-]*"
_PYTHON_NAME: Final = r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?"
_IMAGE: Final = r"[a-z0-9][\w./:-]*"
# Words before a runner: Windows starts `npx` by `cmd /c`, others set variables by `env`.
_BEFORE: Final = re.compile(r"(?:.*[/\\])?(?:cmd(?:\.exe)?|env)|/[cC]|[A-Za-z_]\w*=.*", re.DOTALL)
_VERSION: Final = re.compile(r"v?(\d[\w.!+-]{0,60})")
_FLAGS: Final = frozenset(
    {"-y", "--yes", "-q", "--quiet", "-i", "--rm", "--no-install", "--bun", "--isolated"}
)


class _Family(NamedTuple):
    """How one kind of runner writes packages: the options that name one, and those that take another value."""

    name: str
    pinned: str
    names_it: frozenset[str]
    with_value: frozenset[str]


_NPM: Final = _Family(
    _NPM_NAME,
    rf"{_NPM_NAME}@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?|{_COMMIT}",  # npx takes `@1` and `@1.2` for ranges
    frozenset({"-p", "--package"}),
    frozenset({"--registry", "--prefix", "--userconfig", "-w", "--workspace", "-c", "--call"}),
)
_PYTHON: Final = _Family(
    _PYTHON_NAME,
    rf"{_PYTHON_NAME}(?:==|@)\d[\w.!+]*|{_COMMIT}",
    frozenset({"--from", "--spec"}),
    frozenset(
        {"--with", "-w", "--python", "-p", "--index", "--index-url", "-i", "--default-index", "--env-file"}
    ),
)
_CONTAINER: Final = _Family(
    "", rf"{_IMAGE}@sha256:[0-9a-f]{{64}}", frozenset(), frozenset({"-e", "--env", "--env-file"})
)
_RUNNERS: Final[Mapping[str, tuple[tuple[str, ...], _Family]]] = {
    "npx": ((), _NPM),
    "bunx": ((), _NPM),
    "pnpx": ((), _NPM),
    "npm": (("exec",), _NPM),
    "pnpm": (("dlx",), _NPM),
    "yarn": (("dlx",), _NPM),
    "bun": (("x",), _NPM),
    "uvx": ((), _PYTHON),
    "uv": (("tool", "run"), _PYTHON),
    "pipx": (("run",), _PYTHON),
    "docker": (("run",), _CONTAINER),
    "podman": (("run",), _CONTAINER),
}


class Pin(NamedTuple):
    """`package` is exact; without one, `how` says how to pin it.

    Both are empty if no runner fetches anything.
    """

    package: str = ""
    how: str = ""


def pin_of(spec: catalog.ServerSpec, reported: str = "") -> Pin:
    """The package that a runner fetches for this server; `reported` is the version that the server reported."""
    words = list(dropwhile(_BEFORE.fullmatch, (spec.command, *spec.args)))
    runner = _program(words[0]) if words else ""
    after, family = _RUNNERS.get(runner, ((), None))
    if family is None or tuple(words[1 : 1 + len(after)]) != after:
        return Pin()
    secrets = {value for _, value in catalog.given_values(spec)}
    named = next(_packages([each for each in words[1 + len(after) :] if each not in secrets], family), "")
    if re.fullmatch(family.pinned, named):
        return Pin(named)
    if re.match(r"[./~\\]|[A-Za-z]:[/\\]", named):  # a folder of this machine: nothing is fetched
        return Pin()
    return Pin(how=_how(runner, family, named, reported))


def _packages(words: Sequence[str], family: _Family) -> Iterator[str]:
    """The words that may be the package, the likeliest first; the server's own arguments follow.

    After an unknown option, a word may be its value: then only pinned packages count.
    """
    sure, waiting = bool(family.name), iter(words)
    for word in waiting:
        option, equals, inline = word.partition("=")
        if option in family.names_it:
            yield inline if equals else next(waiting, "")
        elif word in family.with_value:
            next(waiting, None)
        elif word.startswith("-"):
            sure = sure and bool(equals or word in _FLAGS)
        elif sure or re.fullmatch(family.pinned, word):
            yield word


def _how(runner: str, family: _Family, named: str, reported: str) -> str:
    if family is _CONTAINER:
        return f"{runner} uses the current image of a tag; name the image by its digest, image@sha256:…"
    found, version = re.match(family.name, named), _VERSION.fullmatch(reported)
    package = found[0] if found and "://" not in named else "PACKAGE"
    sign = "==" if runner == "pipx" else "@"
    pinned = f"{package}{sign}{version[1] if version else 'VERSION'}"
    source = " (the version it reported; some servers report the version of their library)" if version else ""
    return f"{runner} fetches the newest version; write {pinned}{source}"


def _program(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe").removesuffix(".cmd")
