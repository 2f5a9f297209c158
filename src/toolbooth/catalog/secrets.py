"""Redaction of secrets in texts and in what servers send.

A secret is recognised in two ways: by the values in a config or the environment, or by the shape of well-known keys.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool import Json, ServerTools

# Each pattern starts at the beginning of a run of its characters and consumes the run at once, in linear time.
_START: Final = r"(?<![A-Za-z0-9_-])"


class KeyShape(NamedTuple):
    """The shape of one kind of key; every text with such a key contains `hint`, in lower case."""

    what: str
    hint: str
    pattern: re.Pattern[str]


def _shape(what: str, hint: str, pattern: str) -> KeyShape:
    return KeyShape(what, hint, re.compile(pattern))


KEY_SHAPES: Final = (
    _shape(
        "a private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,16}-----"
        r"[^-]*+(?:-(?!----)[^-]*+)*+(?:-----END [A-Z0-9 ]{0,60}+-----)?",
    ),
    _shape("a model provider's key", "sk-", _START + r"sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}+"),
    _shape("a Stripe key", "sk_", _START + r"sk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("a Stripe key", "rk_", _START + r"rk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("a webhook's secret", "whsec_", _START + r"whsec_[A-Za-z0-9+/=]{8,}+"),
    _shape("a Google key", "aiza", _START + r"AIza[A-Za-z0-9_-]{30,}+"),
    _shape("a Google token", "ya29.", _START + r"ya29\.[A-Za-z0-9_-]{16,}+"),
    _shape("a Google client's secret", "gocspx-", _START + r"GOCSPX-[A-Za-z0-9_-]{16,}+"),
    _shape("a GitHub token", "gh", _START + r"gh[opsur]_[A-Za-z0-9]{16,}+"),
    _shape("a GitHub token", "github_pat_", _START + r"github_pat_[A-Za-z0-9_]{16,}+"),
    _shape("a GitLab token", "glpat-", _START + r"glpat-[A-Za-z0-9_-]{16,}+"),
    _shape("a Slack token", "xox", _START + r"xox[abeoprs]-[A-Za-z0-9-]{8,}+"),
    _shape("a Slack token", "xapp-", _START + r"xapp-[A-Za-z0-9-]{8,}+"),
    _shape("an AWS key", "akia", _START + r"AKIA[A-Z0-9]{16,}+"),
    _shape("an AWS key", "asia", _START + r"ASIA[A-Z0-9]{16,}+"),
    _shape("a web token", "eyj", r"(?<![A-Za-z0-9_+/-])eyJ[A-Za-z0-9_-]{5,}+(?:\.[A-Za-z0-9_-]*+){1,4}+"),
    _shape("an npm token", "npm_", _START + r"npm_[A-Za-z0-9]{16,}+"),
    _shape("a PyPI token", "pypi-", _START + r"pypi-[A-Za-z0-9_-]{16,}+"),
    _shape("a Hugging Face token", "hf_", _START + r"hf_[A-Za-z0-9]{16,}+"),
    _shape("a DigitalOcean token", "dop_v1_", _START + r"dop_v1_[a-f0-9]{16,}+"),
    _shape("a SendGrid key", "sg.", _START + r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
)


HIDDEN: Final = "•••"
_CUT: Final = "…"  # as `safetext` ends what it cuts
# `production`, `user`, `gnome-classic`: values of settings that also occur in ordinary sentences.
_PLAIN_WORDS: Final = re.compile(r"[A-Za-z]+(?:[ _-][A-Za-z]+)*")
# `LICENSE=MIT` is a variable, `--license X` an option: only the second may be a bought key.
_SECRET_NAME = re.compile(
    r"key|token|secret|pass|_pwd|auth|cred|bearer|cookie|session|^--?licen[sc]e$", re.IGNORECASE
)
# Parts of names of a desktop or a library that only sound secret: `XDG_SESSION_TYPE`, `GIT_AUTHOR_NAME`, and the
# address of the session bus, which a keyring needs. `AUTHORIZATION` and `BYPASS_SECRET` do not match.
_SOUNDS_ONLY = re.compile(
    r"^SSH_AUTH_SOCK$|(?:^|_)(?:X?AUTHOR(?!I[SZ])(?:ITY)?|KEYBOARD|KEYMAP|TOKENIZERS|PASSIVE|BYPASS|COMPASS|PUBLIC_KEY)"
    r"|^(?:XDG_SESSION|DESKTOP_SESSION|GDMSESSION|SESSION_MANAGER|DBUS_SESSION)",
    re.IGNORECASE,
)
_NO_LICENSE_KEY = re.compile(
    r"(?:mit|isc|apache|[al]?gpl|bsd|0bsd|mpl|epl|cc0?|unlicense|zlib|proprietary)(?:-[a-z0-9.+-]*)?|[.~]{0,2}[/\\].*",
    re.IGNORECASE,
)
_PLAIN_NAME = re.compile(r"[\w-]+")
_WEB = frozenset({"http", "https", "ws", "wss"})
_KEY_SIGNS = re.compile(r"[A-Za-z0-9._~+=:/-]+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
# `mcp`, `streamableHttp`, `workspace2025`, `20250618`, `v1beta1`, `2nd`: parts of ordinary addresses.
_PLAIN_PIECE = re.compile(
    r"(?:[A-Z]?[a-z]+|[A-Z]+)(?:[A-Z][a-z]+)*[0-9]{0,4}|[0-9]{1,20}|[0-9]{1,2}[a-z]+[0-9]{0,2}|v[0-9]+[a-z]+[0-9]*"
)
_SHORTEST_PATH_KEY: Final = 12
_FEWEST_DIGITS: Final = 3
_SURE_PATH_KEY: Final = 24  # at this length even letters alone are a key, unless they form words
SHORTEST_NAMED_SECRET: Final = 4
SHORTEST_SECRET: Final = 8  # shorter values occur in ordinary sentences by chance


def redact_secrets(message: str, spec: ServerSpec, environ: Mapping[str, str] | None = None) -> str:
    """A server's message without the secrets that it was given; `environ` is what it was started with."""
    secrets = set(_secrets(spec, os.environ if environ is None else environ))
    for secret in sorted(secrets, key=len, reverse=True):
        message = _redact_its_start(message.replace(secret, HIDDEN), secret)
    return message


def _redact_its_start(message: str, secret: str) -> str:
    """Redact the beginning of a secret where a long text was cut in the middle of it."""
    *pieces, last = message.split(_CUT)
    for at, piece in enumerate(pieces):
        sizes = range(min(len(piece), len(secret)), SHORTEST_NAMED_SECRET - 1, -1)
        size = next((size for size in sizes if piece.endswith(secret[:size])), 0)
        pieces[at] = piece[: len(piece) - size] + (HIDDEN if size else "")
    return _CUT.join([*pieces, last])


def redact_known_keys(text: str) -> str:
    """A text without anything that has the shape of a well-known key."""
    lowered = text.lower()
    for shape in KEY_SHAPES:
        if shape.hint in lowered:
            text = shape.pattern.sub(HIDDEN, text)
    return text


def given_values(spec: ServerSpec) -> Iterator[tuple[str, str]]:
    """The values in a spec that no report may show, each with its name; names may repeat."""
    yield from spec.env.items()
    yield from spec.headers.items()
    yield from _of_url(spec.url)
    yield from _of_arguments(spec.args)


def sounds_secret(name: str) -> bool:
    """Whether a variable, header or option of that name is likely to hold a secret."""
    return _SECRET_NAME.search(name) is not None


def is_secret_variable(name: str) -> bool:
    """Whether a variable of our environment is a secret; names that desktops set are not."""
    return sounds_secret(_SOUNDS_ONLY.sub("_", name))


def _secrets(spec: ServerSpec, environ: Mapping[str, str]) -> Iterator[str]:
    yield from _long_enough(given_values(spec), everything=True)
    yield from _long_enough(environ.items(), everything=False)


def _long_enough(values: Iterable[tuple[str, str]], *, everything: bool) -> Iterator[str]:
    for name, value in values:
        named = sounds_secret(name) if everything else is_secret_variable(name)
        for part in {value, *value.split()} if named or everything else ():
            if len(part) >= (SHORTEST_NAMED_SECRET if named else SHORTEST_SECRET):
                yield part


def _of_url(url: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
        yield from parse_qsl(parts.query)
        yield "password", unquote(parts.password or "")
        yield "user token", unquote(parts.username or "")
        for segment in parts.path.split("/") if parts.scheme.lower() in _WEB else ():
            if _is_path_key(unquote(segment)):
                yield from (("path key", segment), ("path key", unquote(segment)))
    except ValueError:
        return


def _is_path_key(segment: str) -> bool:
    """Whether a path segment is a key: `AbC123def456` and a UUID are; `mcp-server-2025` is not."""
    if len(segment) < _SHORTEST_PATH_KEY or not _KEY_SIGNS.fullmatch(segment):
        return False
    if _UUID.fullmatch(segment):
        return True
    if all(_PLAIN_PIECE.fullmatch(piece) for piece in re.findall(r"[A-Za-z0-9]+", segment)):
        return False
    return len(segment) >= _SURE_PATH_KEY or sum(map(str.isdigit, segment)) >= _FEWEST_DIGITS


def _of_arguments(args: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Values of options that sound secret (`--api-key X`, `--api-key=X`), of `NAME=X` and `Name: X`, and in URLs."""
    for option, value in zip(args, (*args[1:], ""), strict=False):
        name, equals, inline = option.partition("=")
        given = inline if equals else value
        if name.startswith("-") and sounds_secret(name) and not _names_a_license(name, given):
            yield name, given
        yield from _of_setting(option if not name.startswith("-") else inline)


def _names_a_license(option: str, value: str) -> bool:
    return "licen" in option.lower() and _NO_LICENSE_KEY.fullmatch(value) is not None


def _of_setting(text: str) -> Iterator[tuple[str, str]]:
    if "://" in text:
        yield from (pair for pair in _of_url(text) if sounds_secret(pair[0]))
    for name, mark, value in (text.partition("="), text.partition(":")):
        if mark and "://" not in text and _PLAIN_NAME.fullmatch(name) and sounds_secret(name):
            yield name, value.strip()


# -- what a server sent: a lock or a saved catalog is committed and shared -----------------------------------------
def given_secrets(spec: ServerSpec, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The values in a server's config and environment that no lock may contain; the longest first."""
    found = {*_of_spec(spec), *_of_environment(os.environ if environ is None else environ)}
    return tuple(sorted(found, key=lambda secret: (-len(secret), secret)))


def _of_spec(spec: ServerSpec) -> Iterator[str]:
    for name, value in given_values(spec):
        for part in {value, *value.split()}:
            named = sounds_secret(name) and len(part) >= SHORTEST_NAMED_SECRET
            if named or (len(part) >= SHORTEST_SECRET and not _PLAIN_WORDS.fullmatch(part)):
                yield part


def _of_environment(environ: Mapping[str, str]) -> Iterator[str]:
    """Values of secret variables. Plain words are left out: a lock has to be equal on every machine."""
    for name, value in environ.items():
        if is_secret_variable(name) and len(value) >= SHORTEST_SECRET and not _PLAIN_WORDS.fullmatch(value):
            yield value


def redact_raw(raw: Json, secrets: Sequence[str]) -> Json:
    """A raw object without secrets. Its own name stays, because clients call it by that."""
    if not secrets:
        return raw
    kept = {key: redact_value(value, secrets) for key, value in raw.items() if key != "name"}
    return {**kept, "name": raw["name"]} if "name" in raw else kept


def redact_value(value: Any, secrets: Sequence[str]) -> Any:
    """Any JSON value without secrets, in keys too."""
    if isinstance(value, str):
        return redact_text(value, secrets)
    if isinstance(value, Mapping):
        return {redact_text(key, secrets): redact_value(each, secrets) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [redact_value(each, secrets) for each in value]
    return value


def redact_text(text: str, secrets: Sequence[str]) -> str:
    """A text in which each secret is replaced by a mark."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, HIDDEN)
    return text


def redact_server_tools(offered: ServerTools, secrets: Sequence[str]) -> ServerTools:
    """What a server says about itself, without secrets; its tools are not changed."""
    if not secrets:
        return offered
    instructions = offered.instructions
    return replace(
        offered,
        instructions=None if instructions is None else redact_text(instructions, secrets),
        title=redact_text(offered.title, secrets),
        description=redact_text(offered.description, secrets),
        version=redact_text(offered.version, secrets),
        set_aside=tuple(
            replace(entry, reason=redact_text(entry.reason, secrets)) for entry in offered.set_aside
        ),
    )
