"""`….run-01-….json`: one recorded run as a file of stable bytes with its digest, and back."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from toolbooth.catalog import NotJson, canonical, decode
from toolbooth.errors import ConfigError
from toolbooth.suite.cassette.plain_json import plain
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Exchange, Trace, Turn

FORMAT = "toolbooth-cassette"
VERSION = 1
Variant = Literal["", "padded"]
AGAIN = "record it again with --record"
_USAGE = ("input", "output", "cache_read", "cache_write", "counted")
_HASH = re.compile(r"(?:sha256:[0-9a-f]{64})?")


@dataclass(frozen=True)
class Cassette:
    """One run of one cell; `padded` runs had look-alike tools beside the real ones."""

    key: CellKey
    trace: Trace
    run: int = 1
    variant: Variant = ""
    servers: tuple[str, ...] = ()


@dataclass(frozen=True)
class _About:
    test: str
    model: str
    run: int
    variant: Variant
    servers: tuple[str, ...]


def cassette_bytes(cassette: Cassette) -> bytes:
    """The same run always gives the same bytes: sorted keys, no date, no machine."""
    document = plain(_document(cassette))
    document["digest"] = _digest(document)
    return (json.dumps(document, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def read_cassette(data: bytes, path: Path) -> Cassette:
    """Read a recording; one that is cut, foreign, edited or of another version is refused."""
    try:
        document = decode(data)
    except NotJson:
        raise ConfigError(f"this recording is cut off or damaged; {AGAIN}", path) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ConfigError(f"this is no recording of toolbooth; move it away, and {AGAIN}", path)
    if document.get("version") != VERSION:
        raise ConfigError(
            f"this recording has a format that this version does not know; update toolbooth, or {AGAIN}", path
        )
    cassette = _built(document)
    if cassette is None:
        raise ConfigError(f"this recording was edited, and may not be what happened; {AGAIN}", path)
    return cassette


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
        "prompt": trace.prompt,
        "system_prompt": trace.system_prompt,
        "menu": trace.menu,
        "catalog": trace.catalog,
        "turns": [_turn(turn) for turn in trace.turns],
        "ended": trace.ended,
        "error": trace.error,
        "seconds": trace.seconds,
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


def _digest(document: Mapping[str, Any]) -> str:
    """Of the values, not the bytes: a formatter or Windows line ends do no harm."""
    return f"sha256:{hashlib.sha256(canonical(document).encode()).hexdigest()}"


def _built(document: dict[str, Any]) -> Cassette | None:
    """None where the digest does not fit, or what is built would not be written so again."""
    digest = document.pop("digest", None)
    try:
        if digest != _digest(document):
            return None
        cassette = _cassette(document)
        whole = _document(cassette) == document
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return cassette if whole and _is_possible(cassette) else None


def _cassette(document: Mapping[str, Any]) -> Cassette:
    trace = msgspec.convert({**document, "model": document["answered_by"]}, Trace)
    about = msgspec.convert(document, _About)
    key = CellKey(about.test, about.model, trace.surface)
    return Cassette(key, trace, about.run, about.variant, about.servers)


def _is_possible(cassette: Cassette) -> bool:
    hashes = (cassette.trace.menu, cassette.trace.catalog)
    return cassette.run > 0 and all(map(_HASH.fullmatch, hashes))
