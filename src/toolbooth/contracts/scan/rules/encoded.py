"""Long encoded runs in a text, each judged by what it decodes to."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from toolbooth import limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule
from toolbooth.contracts.scan.texts import TextKind

_SHORTEST_TEXT: Final = 16  # decoded characters: shorter ones are ids and examples
_LONG_BINARY: Final = 200  # encoded characters: longer than any key, hash or token
_PICTURE: Final = re.compile(r"data:(?:image|font|audio|video)/[\w.+-]{1,40};base64,$", re.IGNORECASE)
_BEFORE: Final = 60
_RUNS: Final = re.compile(
    r"\b(?:curl|wget)\b.{0,200}?https?://|\|\s{0,3}(?:ba)?sh\b|/bin/(?:ba)?sh\b|\bos\.system\(|\bsubprocess\.|\beval\("
    r"|\bexec\(|\bpowershell\b|\brm -rf\b",
    re.IGNORECASE,
)
_JOIN: Final = re.compile(r"(?:\r?\n[ \t]*+)+")


class _Notation(NamedTuple):
    name: str
    hint: str
    pattern: re.Pattern[str]
    decode: Callable[[str], bytes]


def _from_base64(run: str) -> bytes:
    joined = _JOIN.sub("", run).rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(joined[: len(joined) // 4 * 4] + _padded(joined[len(joined) // 4 * 4 :]))


def _padded(rest: str) -> str:
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def _from_escapes(run: str) -> bytes:
    codes = re.findall(r"[0-9a-fA-F]+", run.replace("\\x", " ").replace("\\u", " ").replace("{", " "))
    return "".join(map(chr, (int(code, 16) for code in codes if int(code, 16) < 0x11000))).encode(
        "utf-8", "replace"
    )


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(run[: len(run) // 2 * 2])


def _from_entities(run: str) -> bytes:
    return unescape(run).encode("utf-8", "replace")


_BASE64: Final = r"(?<![\w+/#.-])[A-Za-z0-9+/_-]{24,}+(?:\n[ \t]*+[A-Za-z0-9+/_-]{24,}+)*+={0,2}"
_NOTATIONS: Final = (
    _Notation("base64", "", re.compile(_BASE64), _from_base64),
    _Notation(
        "hexadecimal digits", "", re.compile(r"(?<![\w-])(?:[0-9a-fA-F]{2}){16,}+(?![\w-])"), _from_hex
    ),
    _Notation("percent signs", "%", re.compile(r"(?:%[0-9a-fA-F]{2}){12,}+"), unquote_to_bytes),
    _Notation(
        "escapes", "\\", re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{4}\}?){12,}+"), _from_escapes
    ),
    _Notation("entities", "&#", re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};){12,}+"), _from_entities),
)


@text_rule(
    "encoded-payload",
    Level.HIGH,
    "A reviewer cannot read encoded text, but a model can; no definition needs it.",
)
def encoded_payload(passage: Passage) -> Iterator[ScanHit]:
    if len(passage.text) < _SHORTEST_TEXT or passage.kind is TextKind.META or passage.text.startswith("#/"):
        return
    for notation in _NOTATIONS:
        for run in notation.pattern.finditer(passage.text) if notation.hint in passage.text else ():
            if not _PICTURE.search(passage.text[max(0, run.start() - _BEFORE) : run.start()]):
                yield from _judged(run[0], notation, passage.kind)


def _judged(run: str, notation: _Notation, kind: TextKind) -> Iterator[ScanHit]:
    try:
        data = notation.decode(run)
    except (ValueError, binascii.Error):
        return
    read = _as_text(data)
    if read and _RUNS.search(read):
        yield ScanHit(Level.HIGH, f"a command in {notation.name}", read[: limits.SCAN_EVIDENCE], read)
    elif read and _is_prose(read):
        yield ScanHit(Level.MEDIUM, f"a text in {notation.name}", read[: limits.SCAN_EVIDENCE], read)
    elif read and len(read) >= _SHORTEST_TEXT:
        level = Level.NOTE if kind is TextKind.VALUE else Level.LOW
        yield ScanHit(level, f"data in {notation.name}", read[: limits.SCAN_EVIDENCE], read)
    elif len(run) >= _LONG_BINARY and _is_random(run):
        yield ScanHit(
            Level.MEDIUM,
            f"{len(run)} characters of {notation.name} that do not decode to text",
            run[: limits.SCAN_EVIDENCE],
        )


def _as_text(data: bytes) -> str:
    """The bytes as text, if all of it is printable; empty otherwise."""
    try:
        read = data.decode("utf-8").strip("\x00\r\n ")
    except UnicodeDecodeError:
        return ""
    return read if all(sign.isprintable() or sign in "\n\r\t" for sign in read) else ""


def _is_prose(read: str) -> bool:
    """Whether it is words with spaces between them, unlike an id or a cursor in JSON."""
    words = re.findall(r"[^\W\d_]{2,}", read)
    letters = sum(map(len, words))
    return len(words) >= 3 and letters >= len(read) * 0.55 and not read.startswith(("{", "["))


def _is_random(run: str) -> bool:
    """Whether upper and lower case are about equally frequent, as in base64 of bytes but not in paths or words."""
    capitals, small = sum(map(str.isupper, run)), sum(map(str.islower, run))
    return bool(small) and 0.5 < capitals / small < 2 and any(map(str.isdigit, run))
