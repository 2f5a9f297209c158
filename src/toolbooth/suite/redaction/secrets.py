"""Secrets: known ones, by the exact values of server specs and the environment, and those of well-known forms."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Final, NamedTuple
from urllib.parse import quote, quote_plus, unquote, urlsplit

from toolbooth import catalog, errors, safetext
from toolbooth.suite.matchers import BadPattern, found_in
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


_AFTER_SCHEME = words_of(
    "authentication authorization credential credentials certificate certificates security scheme schemes token "
    "tokens access header headers format string support method methods"
)


class KeyPattern(NamedTuple):
    """Every text with such a key contains `hint` in lower case. The group `keep` of a match is kept."""

    hint: str
    pattern: re.Pattern[str]
    spares: Callable[[str], bool]


def _nothing(_key: str) -> bool:
    return False


def _is_ordinary(key: str) -> bool:
    return key.lower() in _AFTER_SCHEME


def _is_word(key: str) -> bool:
    return key.isalpha() and (key.islower() or key.isupper() or key.istitle())


def _key_pattern(hint: str, pattern: str, spares: Callable[[str], bool] = _nothing) -> KeyPattern:
    return KeyPattern(hint, re.compile(pattern), spares)


KEY_PATTERNS = (
    *(KeyPattern(known.hint, known.pattern, _nothing) for known in catalog.KEY_SHAPES),
    _key_pattern(
        "hooks.slack.com/", r"(?P<keep>hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]++"
    ),
    _key_pattern("/api/webhooks/", r"(?P<keep>discord(?:app)?\.com/api/webhooks/)[A-Za-z0-9/_-]++"),
    _key_pattern(
        "bearer", r"(?i)(?<![a-z0-9_-])(?P<keep>bearer[ \t]{1,8}+)[a-z0-9._~+/=-]{6,}+", _is_ordinary
    ),
    _key_pattern("basic", r"(?i)(?<![a-z0-9_-])(?P<keep>basic[ \t]{1,8}+)[a-z0-9+/]{8,}+={0,2}+", _is_word),
    _key_pattern("://", r"(?P<keep>://[^\s/?#@:\"'<>]{0,256}+:)[^\s/?#\"'<>]{1,512}(?=@)"),
    _key_pattern("://", r"(?P<keep>://)[^\s/?#@:\"'<>]{16,256}+(?=@)"),
    _key_pattern("accountkey=", r"(?i)(?P<keep>AccountKey=)[A-Za-z0-9+/=]{8,}+"),
    _key_pattern("sig=", r"(?P<keep>[?&]sig=)[A-Za-z0-9%+/_-]{16,}+"),
)


def without_keys(text: str, mark: str) -> str:
    """The text with each key replaced by `mark`."""
    lowered = text.lower()
    for shape in KEY_PATTERNS:
        if shape.hint in lowered:
            text = _without(shape, text, mark)
    return text


def _without(shape: KeyPattern, text: str, mark: str) -> str:
    def put(hit: re.Match[str]) -> str:
        keep = hit.groupdict().get("keep") or ""
        return hit[0] if shape.spares(hit[0][len(keep) :]) else keep + mark

    return shape.pattern.sub(put, text)


# The separators of words, in sentences as well as in JSON, URLs and settings.
_BETWEEN: Final = re.compile(r"([\s\"'<>{}()\[\],;=&?]+)")


class SuitePattern:
    """A pattern of the suite. A match redacts the whole word, or the whole line if it spans words.

    The engine reports only whether a pattern matches, not where. It is linear in the text, and what remains of a line
    never matches the pattern.
    """

    def __init__(self, pattern: str) -> None:
        try:
            self._is_in = found_in(pattern)
        except BadPattern as error:
            raise errors.ConfigError(
                f"the redact pattern {safetext.for_terminal(pattern, 60)}: {error}"
            ) from None
        if self._is_in(""):
            raise errors.ConfigError(
                f"the redact pattern {safetext.for_terminal(pattern, 60)} matches everywhere, even in empty text"
            )

    def without(self, text: str, mark: str) -> str:
        """Each redacted word or line becomes one `mark`."""
        return "".join(self._line(line, mark) for line in text.splitlines(keepends=True))

    def _line(self, line: str, mark: str) -> str:
        body = line.rstrip("\r\n")
        if not self._is_in(body) or body == mark:
            return line
        words = (mark if self._is_in(word) and word != mark else word for word in _BETWEEN.split(body))
        left = "".join(words)
        return (mark if self._is_in(left) else left) + line[len(body) :]
