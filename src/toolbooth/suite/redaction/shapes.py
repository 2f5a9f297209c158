"""Text → the same text without anything that has the shape of a well-known key."""

import re
from collections.abc import Callable
from typing import NamedTuple

from toolbooth.catalog import KEY_SHAPES
from toolbooth.suite.redaction.names import words_of

_AFTER_SCHEME = words_of(
    "authentication authorization credential credentials certificate certificates security scheme schemes token "
    "tokens access header headers format string support method methods"
)


class Shape(NamedTuple):
    """`hint` stands, in lower case, in every text with such a key. Group `keep` of a hit is left."""

    hint: str
    pattern: re.Pattern[str]
    spares: Callable[[str], bool]


def _nothing(_key: str) -> bool:
    return False


def _is_ordinary(key: str) -> bool:
    return key.lower() in _AFTER_SCHEME


def _is_word(key: str) -> bool:
    return key.isalpha() and (key.islower() or key.isupper() or key.istitle())


def _shape(hint: str, pattern: str, spares: Callable[[str], bool] = _nothing) -> Shape:
    return Shape(hint, re.compile(pattern), spares)


SHAPES = (
    *(Shape(known.hint, known.pattern, _nothing) for known in KEY_SHAPES),
    _shape(
        "hooks.slack.com/", r"(?P<keep>hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]++"
    ),
    _shape("/api/webhooks/", r"(?P<keep>discord(?:app)?\.com/api/webhooks/)[A-Za-z0-9/_-]++"),
    _shape("bearer", r"(?i)(?<![a-z0-9_-])(?P<keep>bearer[ \t]{1,8}+)[a-z0-9._~+/=-]{6,}+", _is_ordinary),
    _shape("basic", r"(?i)(?<![a-z0-9_-])(?P<keep>basic[ \t]{1,8}+)[a-z0-9+/]{8,}+={0,2}+", _is_word),
    _shape("://", r"(?P<keep>://[^\s/?#@:\"'<>]{0,256}+:)[^\s/?#\"'<>]{1,512}(?=@)"),
    _shape("://", r"(?P<keep>://)[^\s/?#@:\"'<>]{16,256}+(?=@)"),
    _shape("accountkey=", r"(?i)(?P<keep>AccountKey=)[A-Za-z0-9+/=]{8,}+"),
    _shape("sig=", r"(?P<keep>[?&]sig=)[A-Za-z0-9%+/_-]{16,}+"),
)


def without_shapes(text: str, mark: str) -> str:
    """Each key becomes `mark`."""
    lowered = text.lower()
    for shape in SHAPES:
        if shape.hint in lowered:
            text = _without(shape, text, mark)
    return text


def _without(shape: Shape, text: str, mark: str) -> str:
    def put(hit: re.Match[str]) -> str:
        keep = hit.groupdict().get("keep") or ""
        return hit[0] if shape.spares(hit[0][len(keep) :]) else keep + mark

    return shape.pattern.sub(put, text)
