"""Known secrets: the exact values from server specs and the environment, in every encoding they may appear in."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote, urlsplit

from toolbooth import catalog
from toolbooth.suite.redaction.names import words_of

_PLACE_NAME = re.compile(r"(?:^|_)(?:HOME|PATH|DIR|DIRECTORY|FOLDER|FILE|ROOT|CWD|SOCK)$", re.IGNORECASE)
_PLACE = re.compile(r"(?:~|\.{1,2})?[/\\]|[A-Za-z]:[/\\]")
_SCHEMES = frozenset({"bearer", "basic", "token", "digest", "apikey", "negotiate"})
_SHORTEST_INSIDE_BASE64 = 12  # shorter pieces occur in other base64 by chance
# Settings, not secrets: they occur in prompts and answers, and a recording without them does not replay.
_ORDINARY = words_of(
    "true false none null yes no on off auto user test default enabled disabled required optional production "
    "development staging localhost 127.0.0.1 0.0.0.0 info debug warning error basic bearer token password "
    "secret stdio http https utf-8 en_us.utf-8"
)


class KnownSecrets(NamedTuple):
    """Secrets in all encodings, the longest first; `named` are those whose names say that they are secret."""

    everywhere: tuple[str, ...]
    named: tuple[str, ...]


def known_secrets(environ: Mapping[str, str], specs: Iterable[catalog.ServerSpec]) -> KnownSecrets:
    """Values of a spec are always secret; values of the environment are secret if their names sound secret."""
    found: dict[str, bool] = {}
    for spec in specs:
        for name, value in catalog.given_values(spec):
            _enter(found, name, value, catalog.sounds_secret(name))
    for name, value in environ.items():
        if catalog.is_secret_variable(name):
            _enter(found, name, value, named=True)
        elif "@" in value and "://" in value:
            _enter(found, name, value, named=False, only=tuple(_of_address(value)))
    return KnownSecrets(_in_all_forms(found), _in_all_forms(value for value, named in found.items() if named))


def _enter(
    found: dict[str, bool], name: str, value: str, named: bool, only: tuple[str, ...] | None = None
) -> None:
    if _PLACE_NAME.search(name) and _PLACE.match(value):
        return
    for part in _parts(value) if only is None else only:
        sure = named or part != value  # a part of a header or URL is secret by its position
        if (
            len(part) >= (catalog.SHORTEST_NAMED_SECRET if sure else catalog.SHORTEST_SECRET)
            and part.lower() not in _ORDINARY
        ):
            found[part] = found.get(part, False) or (sure and len(part) >= catalog.SHORTEST_SECRET)


def _parts(value: str) -> Iterator[str]:
    """The value itself, the credentials of `Bearer` or `Basic`, the values of cookies, the password of a URL."""
    yield value.strip()
    scheme, _, rest = value.strip().partition(" ")
    if rest and scheme.lower() in _SCHEMES:
        yield rest.strip()
        yield from _of_basic(rest.strip()) if scheme.lower() == "basic" else ()
    if ";" in value and "=" in value:
        yield from (pair.partition("=")[2].strip() for pair in value.split(";"))
    yield from _of_address(value)


def _of_basic(code: str) -> Iterator[str]:
    try:
        pair = base64.b64decode(code, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return
    yield pair
    yield pair.partition(":")[2]


def _of_address(value: str) -> Iterator[str]:
    """The password in `scheme://user:password@host`, as written, decoded, and with its user."""
    if "://" not in value or "@" not in value:
        return
    try:
        parts = urlsplit(value)
    except ValueError:
        return
    if parts.password:
        yield from (value, parts.password, unquote(parts.password))
        yield f"{unquote(parts.username or '')}:{unquote(parts.password)}"


def _in_all_forms(values: Iterable[str]) -> tuple[str, ...]:
    forms = {form for value in values for form in _forms(value)}
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _forms(value: str) -> Iterator[str]:
    data = value.encode("utf-8", "surrogatepass")
    yield value
    yield quote(data, safe="")
    yield quote_plus(data)
    yield quote(data)
    for code in (base64.b64encode(data), base64.urlsafe_b64encode(data)):
        yield code.decode()
        yield code.decode().rstrip("=")
    yield from _inside_base64(data)
    yield data.hex()
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield escape(value)


def _inside_base64(data: bytes) -> Iterator[str]:
    """How `data` looks inside the base64 of a longer text, without characters that share bits with neighbours."""
    for before in range(3):
        padded = bytes(before) + data
        own = slice(-(-before * 8 // 6), len(padded) * 8 // 6)
        for code in (base64.b64encode(padded), base64.urlsafe_b64encode(padded)):
            if len(code[own]) >= _SHORTEST_INSIDE_BASE64:
                yield code[own].decode()
