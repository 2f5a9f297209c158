"""What a server sent → the same without the secrets that it was given: a lock is committed and shared.

Who judges a live tool by a lock must take the same out of it first, or its digest is another.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog import (
    HIDDEN,
    SHORTEST_NAMED_SECRET,
    SHORTEST_SECRET,
    Json,
    ServerSpec,
    given_values,
    sounds_secret,
)

# `production`, `user`, `gnome-classic`: values of settings that stand in ordinary sentences.
_PLAIN_WORDS: Final = re.compile(r"[A-Za-z]+(?:[ _-][A-Za-z]+)*")


def given_secrets(spec: ServerSpec, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """What no lock may hold of this server's config and of the environment it is started in; the longest first."""
    found = {*_of_spec(spec), *_of_environment(os.environ if environ is None else environ)}
    return tuple(sorted(found, key=lambda secret: (-len(secret), secret)))


def _of_spec(spec: ServerSpec) -> Iterator[str]:
    for name, value in given_values(spec):
        for part in {value, *value.split()}:
            named = sounds_secret(name) and len(part) >= SHORTEST_NAMED_SECRET
            if named or (len(part) >= SHORTEST_SECRET and not _PLAIN_WORDS.fullmatch(part)):
                yield part


def _of_environment(environ: Mapping[str, str]) -> Iterator[str]:
    """Only what must be a key: a lock has to come out the same on every machine."""
    for name, value in environ.items():
        if sounds_secret(name) and len(value) >= SHORTEST_SECRET and not _PLAIN_WORDS.fullmatch(value):
            yield value


def wire_without(wire: Json, secrets: Sequence[str]) -> Json:
    """A wire object without them. Its own name stays: clients call it by that."""
    if not secrets:
        return wire
    kept = {key: value_without(value, secrets) for key, value in wire.items() if key != "name"}
    return {**kept, "name": wire["name"]} if "name" in wire else kept


def value_without(value: Any, secrets: Sequence[str]) -> Any:
    """Any JSON value without them, keys included."""
    if isinstance(value, str):
        return text_without(value, secrets)
    if isinstance(value, Mapping):
        return {text_without(key, secrets): value_without(each, secrets) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [value_without(each, secrets) for each in value]
    return value


def text_without(text: str, secrets: Sequence[str]) -> str:
    """A text in which each of them is a mark."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, HIDDEN)
    return text
