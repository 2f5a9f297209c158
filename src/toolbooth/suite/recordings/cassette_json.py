"""The file `….run-01-….json`: one recorded run, written as stable bytes with a digest, and read back."""

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from toolbooth import errors, limits, own_json
from toolbooth.suite import report
from toolbooth.suite.trace import Ended, Exchange, Trace, Turn

_TOO_DEEP = "[nested too deeply]"
_LONG_INTEGER = 900  # bits: our JSON reader takes 300 digits


def plain(value: Any, depth: int = 0) -> Any:
    """The value if it is JSON already, else the nearest JSON value."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _LONG_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth > limits.REDACT_DEPTH and isinstance(value, Mapping | list | tuple):
        return _TOO_DEEP
    if isinstance(value, Mapping):
        return {plain_text(str(key)): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]
    return plain_text(str(value))


def plain_text(text: str) -> str:
    """Text that can be encoded: surrogate pairs are joined, a lone surrogate becomes the replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


FORMAT = "toolbooth-cassette"
VERSION = 1
Variant = Literal["", "padded"]
Setting = bool | int | float | str | None
AGAIN = "record it again with --record"
_USAGE = ("input", "output", "cache_read", "cache_write", "counted")
_BLANKS = b" \n\r\t"
_NO_DIGEST = "0" * 64
# Only two keys come before it, and neither has an object, so the first match is the file's own digest.
_DIGEST = re.compile(rb'"digest":"sha256:([0-9a-f]{64})","ended":')
_HASH = re.compile(r"(?:sha256:[0-9a-f]{64})?")


@dataclass(frozen=True)
class Cassette:
    """One run of one cell; `padded` runs had look-alike tools beside the real ones.

    `settings` are the other settings of the run; a change of one is drift.
    """

    key: report.CellKey
    trace: Trace
    run: int = 1
    variant: Variant = ""
    servers: tuple[str, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class _File:
    format: str
    version: int
    test: str
    model: str
    surface: str
    answered_by: str
    run: int
    variant: Variant
    servers: tuple[str, ...]
    settings: dict[str, Setting]
    prompt: str
    system_prompt: str
    menu: str
    catalog: str
    turns: tuple[Turn, ...]
    ended: Ended
    error: str
    seconds: float
    made_at: str = ""  # not in recordings of 0.1
    made_by: str = ""


def cassette_bytes(cassette: Cassette) -> bytes:
    """The file's bytes. Equal runs give equal bytes: sorted keys, no time but that of the run, no machine name."""
    document = plain(_document(cassette))
    document["digest"] = f"sha256:{_NO_DIGEST}"
    data = own_json.encode(document, indent=1, sort=True)
    empty = f'"digest": "sha256:{_NO_DIGEST}"'.encode()
    return data.replace(empty, empty[:-65] + _digest(data.translate(None, _BLANKS)) + b'"', 1)


def read_cassette(data: bytes, path: Path) -> Cassette:
    """Read a recording. A file that is cut off, foreign, edited or of another version is refused."""
    try:
        file = _FILE.decode(data) if _is_untouched(data) else None
    except (ValueError, RecursionError):
        file = None
    if file is None or not _is_possible(file):
        raise errors.ConfigError(f"{_fault(data)}; {AGAIN}", path)
    trace = Trace(
        prompt=file.prompt,
        system_prompt=file.system_prompt,
        model=file.answered_by,
        surface=file.surface,
        menu=file.menu,
        catalog=file.catalog,
        turns=file.turns,
        ended=file.ended,
        error=file.error,
        seconds=file.seconds,
        made_at=file.made_at,
        made_by=file.made_by,
    )
    key = report.CellKey(file.test, file.model, file.surface)
    return Cassette(key, trace, file.run, file.variant, file.servers, file.settings)


def _is_possible(file: _File) -> bool:
    known = (file.format, file.version) == (FORMAT, VERSION)
    return known and file.run > 0 and all(map(_HASH.fullmatch, (file.menu, file.catalog)))


def _fault(data: bytes) -> str:
    try:
        header = own_json.decode(data, own_json.FileHeader)
    except msgspec.ValidationError:  # JSON, but not an object
        header = own_json.FileHeader()
    except (ValueError, RecursionError):
        return "this recording is cut off or damaged"
    if header.format != FORMAT:
        return "this is not a recording of toolbooth; move it away"
    if header.version != VERSION:
        return "this recording has a format that this version does not know; update toolbooth"
    return "this recording was edited, so it may not show what happened"


def _document(cassette: Cassette) -> dict[str, Any]:
    trace, key = cassette.trace, cassette.key
    return {
        "format": FORMAT,
        "version": VERSION,
        "test": key.test,
        "model": key.model,
        "surface": key.surface,
        "answered_by": trace.model,
        "run": cassette.run,
        "variant": cassette.variant,
        "servers": list(cassette.servers),
        "settings": dict(cassette.settings),
        "prompt": trace.prompt,
        "system_prompt": trace.system_prompt,
        "menu": trace.menu,
        "catalog": trace.catalog,
        "turns": [_turn(turn) for turn in trace.turns],
        "ended": trace.ended,
        "error": trace.error,
        "seconds": trace.seconds,
        **{key: value for key in ("made_at", "made_by") if (value := getattr(trace, key))},
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "text": turn.text,
        "exchanges": [_exchange(exchange) for exchange in turn.exchanges],
        "usage": {name: getattr(turn.usage, name) for name in _USAGE},
        "cost": turn.cost,
    }


def _exchange(exchange: Exchange) -> dict[str, Any]:
    made = [{"server": call.server, "name": call.name, "arguments": call.arguments} for call in exchange.made]
    return {
        "tool": exchange.tool,
        "arguments": exchange.arguments,
        "result": exchange.result,
        "is_error": exchange.is_error,
        "made": made,
    }


def _digest(stripped: bytes) -> bytes:
    return hashlib.sha256(stripped).hexdigest().encode()


def _is_untouched(data: bytes) -> bool:
    """Whether the digest matches. It ignores whitespace, so formatters and Windows line ends do no harm."""
    stripped = data.translate(None, _BLANKS)
    found = _DIGEST.search(stripped)
    if found is None:
        return False
    start, end = found.span(1)
    return _digest(stripped[:start] + _NO_DIGEST.encode() + stripped[end:]) == found[1]


_FILE = msgspec.json.Decoder(_File)
