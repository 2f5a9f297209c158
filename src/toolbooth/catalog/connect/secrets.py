"""A server spec × a message about it → the message without the secrets that the spec, or our environment, holds."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from toolbooth.catalog.server_spec import ServerSpec

HIDDEN: Final = "•••"
_SECRET_NAME = re.compile(r"key|token|secret|pass|auth|cred|bearer|cookie|session", re.IGNORECASE)
_SHORTEST_NAMED, _SHORTEST = 4, 8  # shorter values stand in ordinary sentences by chance


def without_secrets(message: str, spec: ServerSpec, environ: Mapping[str, str] | None = None) -> str:
    """A server's last words may quote what it was given; no report may. `environ` is what it was started in."""
    for secret in sorted(
        set(_secrets(spec, os.environ if environ is None else environ)), key=len, reverse=True
    ):
        message = message.replace(secret, HIDDEN)
    return message


def _secrets(spec: ServerSpec, environ: Mapping[str, str]) -> Iterator[str]:
    given = {**spec.env, **spec.headers, **_of_url(spec.url), **_of_arguments(spec.args)}
    yield from _long_enough(given, everything=True)
    yield from _long_enough(environ, everything=False)


def _long_enough(values: Mapping[str, str], *, everything: bool) -> Iterator[str]:
    for name, value in values.items():
        named = _SECRET_NAME.search(name) is not None
        for part in {value, *value.split()} if named or everything else ():
            if len(part) >= (_SHORTEST_NAMED if named else _SHORTEST):
                yield part


def _of_url(url: str) -> dict[str, str]:
    try:
        parts = urlsplit(url)
        found = dict(parse_qsl(parts.query))
        return {
            **found,
            "password": unquote(parts.password or ""),
            "user token": unquote(parts.username or ""),
        }
    except ValueError:
        return {}


def _of_arguments(args: tuple[str, ...]) -> dict[str, str]:
    """Values of options that sound secret: `--api-key X` and `--api-key=X`."""
    found: dict[str, str] = {}
    for option, value in zip(args, (*args[1:], ""), strict=False):
        name, equals, inline = option.partition("=")
        if name.startswith("-") and _SECRET_NAME.search(name):
            found[name] = inline if equals else value
    return found
