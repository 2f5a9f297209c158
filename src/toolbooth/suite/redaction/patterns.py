"""Secrets by their form: the patterns of well-known keys, and the patterns in the suite's `redact:`."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from toolbooth import catalog, errors, safetext
from toolbooth.suite.matchers import BadPattern, found_in
from toolbooth.suite.redaction.names import words_of

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
    """Each key becomes `mark`."""
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
