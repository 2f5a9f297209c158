"""Checking one server entry and filling in its variables: the result is a `ServerSpec`, or the reason against it."""

import ipaddress
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from toolbooth import errors, safetext
from toolbooth.catalog.config import config_file, merging, variables
from toolbooth.catalog.server_spec import ServerSpec, TransportKind
from toolbooth.catalog.tool_filter import filter_of_entry, unread_filter

_TRANSPORTS: Final[Mapping[str, TransportKind]] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "https": "http",
    "streamablehttp": "http",
    "sse": "sse",
    "remote": "auto",
    "auto": "auto",
}
_RELATIVE: Final = ("./", "../", ".\\", "..\\")
_KINDS: Final = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list"}


class Unusable(ValueError):
    """Why this server cannot be used; the message names fields and variables, never a value."""


def server_spec(raw: config_file.RawServer, name: str, scope: variables.Scope, source: str) -> ServerSpec:
    """Check and fill in one entry; raises Unusable."""
    if raw.unusable:
        raise Unusable(raw.unusable)
    try:
        transport = _transport(raw)
        build = _stdio if transport == "stdio" else _remote
        return build(raw, name, transport, scope, source)
    except (variables.Unresolved, variables.EnvFileUnreadable) as error:
        raise Unusable(str(error)) from None


def _transport(raw: config_file.RawServer) -> TransportKind:
    if raw.transport is None:
        return "stdio" if raw.command is not None else "auto"
    named = _text("type", raw.transport)
    known = _TRANSPORTS.get(named.lower().replace("-", "").replace("_", ""))
    if known is None:
        raise Unusable(
            f"the transport {safetext.for_terminal(named, 40)!r} is not supported; use stdio, http or sse"
        )
    return known


def _stdio(
    raw: config_file.RawServer, name: str, transport: TransportKind, scope: variables.Scope, source: str
) -> ServerSpec:
    words = raw.command if isinstance(raw.command, list) else [raw.command]
    if not words or words[0] in (None, ""):
        raise Unusable("has no command")
    command, *first = (variables.expand(text, scope) for text in _texts("command", words))
    args = (*first, *(variables.expand(text, scope) for text in _texts("args", raw.args)))
    if not command.strip():
        raise Unusable("has no command")
    return ServerSpec(
        name=name,
        transport=transport,
        command=command,
        args=args,
        env=_environment(raw, scope),
        cwd=_directory(raw, scope, (command, *args)),
        source=source,
        tools=raw.tools,
        loaded=raw.loaded,
        **_bounds(raw),
    )


def _remote(
    raw: config_file.RawServer, name: str, transport: TransportKind, scope: variables.Scope, source: str
) -> ServerSpec:
    if raw.url is None:
        raise Unusable("has neither a command nor a url" if raw.transport is None else "has no url")
    url = variables.expand(_text("url", raw.url), scope).strip()
    written = _text_map("headers", raw.headers)
    headers = {key: variables.expand(value, scope).strip(" \t") for key, value in written.items()}
    fault = None if scope.literal else fault_of_url(url) or fault_of_headers(headers)
    if fault:
        raise Unusable(fault)
    return ServerSpec(
        name,
        transport,
        url=url,
        headers=headers,
        source=source,
        tools=raw.tools,
        loaded=raw.loaded,
        **_bounds(raw),
    )


def _environment(raw: config_file.RawServer, scope: variables.Scope) -> dict[str, str]:
    env = (
        {} if scope.literal else {name: scope.environ[name] for name in raw.forward if name in scope.environ}
    )
    if raw.env_file is not None and not scope.literal:
        path = variables.home_path(variables.expand(_text("envFile", raw.env_file), scope), scope)
        env |= variables.read_env_file(scope.workspace / path)
    env |= {key: variables.expand(value, scope) for key, value in _text_map("env", raw.env).items()}
    if any("\0" in text or "=" in key for key, value in env.items() for text in (key, value)):
        raise Unusable("a name or value in env cannot be passed to a process")
    return env


def _directory(raw: config_file.RawServer, scope: variables.Scope, words: tuple[str, ...]) -> Path | None:
    """The working folder: a path that begins with a dot is relative to the config's folder."""
    if raw.cwd is not None:
        return scope.workspace / variables.home_path(variables.expand(_text("cwd", raw.cwd), scope), scope)
    return scope.workspace if any(word.startswith(_RELATIVE) for word in words) else None


def _bounds(raw: config_file.RawServer) -> dict[str, Any]:
    """The timeouts and counts that the file sets."""
    bounds = {
        "timeout": _above(raw.timeout, "timeout"),
        "call_timeout": _above(raw.call_timeout, "timeout of calls"),
        "idle_stop": raw.idle_stop,
        "concurrency": raw.concurrency,
    }
    return {name: value for name, value in bounds.items() if value is not None}


def _above(value: object, words: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise Unusable(f"its {words} is not a number of seconds above 0")
    return float(value)


def _kind(value: object) -> str:
    return "empty" if value is None else _KINDS.get(type(value), "an object")


def _text(field: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise Unusable(f"{field} is {_kind(value)}, not text")
    return value


def _texts(field: str, value: object) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unusable(f"{field} is {_kind(value)}, not a list")
    return [_text(f"{field}[{index}]", item) for index, item in enumerate(value)]


def _text_map(field: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Unusable(f"{field} is {_kind(value)}, not a map of texts")
    # VS Code writes null for a variable that is hidden from the server.
    return {
        str(key): _text(f"{field}.{safetext.for_terminal(str(key), 60)}", item)
        for key, item in value.items()
        if item is not None
    }


_ENTRY_KEYS = ("command", "args", "env", "cwd", "url", "headers")


def spec_of_entry(name: str, entry: Mapping[str, Any], environ: Mapping[str, str], cwd: Path) -> ServerSpec:
    """Check one entry; variables in it are filled in from this environment. Raises ConfigError.

    A filter is refused: nothing would apply it, and what it hides would be called.
    """
    given: dict[str, Any] = {key: entry.get(key) for key in _ENTRY_KEYS}
    raw = config_file.RawServer(
        merging.clean_name(name), transport=entry.get("type") or entry.get("transport"), **given
    )
    if not raw.name:
        raise errors.ConfigError("the server needs a name of letters, digits, - and _")
    if unread := next(iter(filter_of_entry(entry).keys), "") or unread_filter(entry):
        raise errors.ConfigError(f"{raw.name}: {unread} holds in config files only; leave it out here")
    try:
        return server_spec(
            raw, raw.name, variables.Scope(environ=environ, home=Path.home(), workspace=cwd), ""
        )
    except Unusable as error:
        raise errors.ConfigError(f"{raw.name}: {error}") from None


_NOT_IN_URLS: Final = re.compile(r"[\x00-\x20\x7f\s]")
_NOT_IN_HOSTS: Final = re.compile(r"[<>\"{}|\\^`%:\[\]]")
_BAD_HOST: Final = "its url has an invalid host"
_BAD_PORT: Final = "its url has a port that is not a number from 1 to 65535"
_LINE_BREAKS: Final = re.compile(r"[\r\n\0]")
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]*")  # ASCII: what every HTTP library sends unchanged


def fault_of_url(url: str) -> str:
    """What is wrong with a URL, in words that do not quote it; empty if it is valid."""
    if not url.lower().startswith(("http://", "https://")):
        return "its url does not begin with http:// or https://"
    if _NOT_IN_URLS.search(url):
        return "its url contains a blank or a control character"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return _BAD_PORT if "ort" in str(error) else _BAD_HOST
    if port == 0:
        return _BAD_PORT
    return "" if _is_host(parts) else _BAD_HOST if parts.hostname else "its url has no host"


def _is_host(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        if "[" in parts.netloc:
            return bool(ipaddress.IPv6Address(host))
        return bool(host.encode("idna")) and not _NOT_IN_HOSTS.search(host)
    except ValueError:  # UnicodeError is one: an empty label, or one over 63 characters
        return False


def fault_of_headers(headers: Mapping[str, str]) -> str:
    """What is wrong with these headers; neither a name nor a value is quoted."""
    if any(_LINE_BREAKS.search(text) for pair in headers.items() for text in pair):
        return "a header contains a line break"
    if not all(_HEADER_NAME.fullmatch(name) for name in headers):
        return "the name of a header is not plain ASCII without blanks"
    if not all(_HEADER_VALUE.fullmatch(value) for value in headers.values()):
        return "the value of a header is not plain ASCII"
    return ""


def redact_url(url: str) -> str:
    """A URL for a message: no password before the host, no query, no fragment."""
    scheme, slashes, rest = re.split(r"[?#]", url, maxsplit=1)[0].partition("//")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"
