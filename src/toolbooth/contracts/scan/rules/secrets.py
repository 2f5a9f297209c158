"""Keys and passwords in texts and in the defaults of inputs."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbooth import catalog
from toolbooth.contracts.finding import Level, masked
from toolbooth.contracts.scan.rule import Passage, ScanHit, ToolHit, text_rule, tool_rule

_BLANK: Final = re.compile(
    r"x{4,}|\*{3,}|\.{3,}|_{3,}|your|example|sample|placeholder|dummy|redacted|secret|token|test_?key|abcdef|123456"
    r"|fake|demo|here\b|changeme",
    re.IGNORECASE,
)
_UUID_OR_HASH: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,}", re.IGNORECASE)
_KEY_SIGNS: Final = re.compile(r"[A-Za-z0-9_.~+/=-]{20,200}")
_PIECE: Final = re.compile(r"[A-Za-z0-9]{12,}")
_FEWEST_DIGITS: Final = 3
_LEAST_BITS: Final = 3.2  # for each character: words have about 3, keys over 4
_BLOCK: Final = "private key"
_BLOCK_BODY: Final = 64  # characters of content: less is only an example of the format


@text_rule(
    "holds-a-key", Level.HIGH, "A key in a definition is sent to every model and stored by every client."
)
def holds_a_key(passage: Passage) -> Iterator[ScanHit]:
    if len(passage.text) < 16:
        return
    for shape in catalog.KEY_SHAPES:
        if shape.hint not in passage.text.lower():
            continue
        for found in shape.pattern.finditer(passage.text):
            if _is_key(found[0], shape.hint):
                level = Level.MEDIUM if shape.hint == "eyj" else Level.HIGH
                yield ScanHit(level, f"it contains what looks like {shape.what}", masked(found[0]))


@tool_rule(
    "key-as-default",
    Level.MEDIUM,
    "Everybody who lists the tools sees a password or key that is the default of an input.",
)
def key_as_default(tool: catalog.Tool) -> Iterator[ToolHit]:
    properties = tool.input_schema.get("properties") if tool.input_schema else None
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        value = _preset(schema)
        if isinstance(name, str) and catalog.sounds_secret(name) and _is_random(value):
            path = f"/inputSchema/properties/{name.replace('~', '~0').replace('/', '~1')}"
            yield ToolHit(
                path,
                ScanHit(Level.MEDIUM, f"the default of `{name[:60]}` looks like a key", masked(value)),
            )


def _preset(schema: Any) -> str:
    value = schema.get("default", schema.get("const")) if isinstance(schema, Mapping) else None
    return value if isinstance(value, str) else ""


def _is_key(found: str, hint: str) -> bool:
    if hint == _BLOCK:
        return len(found.partition("-----\n")[2]) >= _BLOCK_BODY and not _BLANK.search(found[30:200])
    body = found[len(hint) :]
    return not _BLANK.search(body) and bits(body) >= _LEAST_BITS


def _is_random(value: str) -> bool:
    if not _KEY_SIGNS.fullmatch(value) or _BLANK.search(value) or _UUID_OR_HASH.fullmatch(value):
        return False
    return any(map(_is_mixed, _PIECE.findall(value))) and bits(value) >= _LEAST_BITS


def _is_mixed(piece: str) -> bool:
    """Whether it mixes letters with several digits; `created_at_descending_1` has no such piece."""
    return sum(map(str.isdigit, piece)) >= _FEWEST_DIGITS and any(map(str.isalpha, piece))


def bits(text: str) -> float:
    """The entropy of a text, in bits for each character."""
    counts = Counter(text).values()
    return -math.fsum(count / len(text) * math.log2(count / len(text)) for count in counts) if text else 0.0
