"""Text → the same text without anything that has the shape of a well-known key."""

import re
from collections.abc import Callable
from typing import NamedTuple

from toolbooth.suite.redaction.names import words_of

# Each begins where no run of its own signs goes on, and takes the run at once: no text is walked twice.
_START = r"(?<![A-Za-z0-9_-])"
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
    _shape(
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,16}-----"
        r"[^-]*+(?:-(?!----)[^-]*+)*+(?:-----END [A-Z0-9 ]{0,60}+-----)?",
    ),
    _shape("sk-", _START + r"sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}+"),
    _shape("sk_", _START + r"sk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("rk_", _START + r"rk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("whsec_", _START + r"whsec_[A-Za-z0-9+/=]{8,}+"),
    _shape("aiza", _START + r"AIza[A-Za-z0-9_-]{30,}+"),
    _shape("ya29.", _START + r"ya29\.[A-Za-z0-9_-]{16,}+"),
    _shape("gocspx-", _START + r"GOCSPX-[A-Za-z0-9_-]{16,}+"),
    _shape("gh", _START + r"gh[opsur]_[A-Za-z0-9]{16,}+"),
    _shape("github_pat_", _START + r"github_pat_[A-Za-z0-9_]{16,}+"),
    _shape("glpat-", _START + r"glpat-[A-Za-z0-9_-]{16,}+"),
    _shape("xox", _START + r"xox[abeoprs]-[A-Za-z0-9-]{8,}+"),
    _shape("xapp-", _START + r"xapp-[A-Za-z0-9-]{8,}+"),
    _shape("akia", _START + r"AKIA[A-Z0-9]{16,}+"),
    _shape("asia", _START + r"ASIA[A-Z0-9]{16,}+"),
    _shape("eyj", r"(?<![A-Za-z0-9_+/-])eyJ[A-Za-z0-9_-]{5,}+(?:\.[A-Za-z0-9_-]*+){1,4}+"),
    _shape("npm_", _START + r"npm_[A-Za-z0-9]{16,}+"),
    _shape("pypi-", _START + r"pypi-[A-Za-z0-9_-]{16,}+"),
    _shape("hf_", _START + r"hf_[A-Za-z0-9]{16,}+"),
    _shape("dop_v1_", _START + r"dop_v1_[a-f0-9]{16,}+"),
    _shape("sg.", _START + r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
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
