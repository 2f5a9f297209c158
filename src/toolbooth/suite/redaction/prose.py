"""Text → the same text without what a sentence says a password, or an API key, is."""

import re
from collections.abc import Iterator

from toolbooth.suite.redaction.names import STEMS, Sound, is_ordinary, is_secret, sound_of
from toolbooth.suite.redaction.pairs import full_name, trimmed

# What is said is only looked at, as it may be the name in the next sentence.
_SENTENCE = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{2,128}+)[ \t]{1,4}+(?:is|was|IS|WAS)(?::|[ \t]{1,2}(?:now|set[ \t]to))?"
    r"[ \t]{1,4}+(?=(?P<quote>\\{0,32}+[\"'])(?P<quoted>[^\"'\\\r\n]{1,256}+)|`?(?P<bare>[^\s,;\"'<>`\\]++))"
)
# `is SHA-256`, `was base64-encoded`, `is 8-32 characters long`, `is 3.11`: what is said of a secret, not the secret.
_TECHNICAL = re.compile(
    r"(?:sha|md|base|aes|utf|rsa|ed|hmac|oauth|argon|hs|rs|es|pbkdf|v)-?[0-9]{1,5}(?:-[a-z]+)*"
    r"|[0-9]{1,3}(?:[-.+][a-z0-9]{0,9})*|[a-z]+\([^)]*\)?",
    re.IGNORECASE,
)
_LONG_WORD = 16


def without_prose(text: str, mark: str) -> str:
    """`the password is x`, `API key was "x"`: each `x` in quotes, or that is no ordinary word, becomes `mark`."""
    lowered = text.lower()
    if not any(f" {verb}" in lowered for verb in ("is", "was")) or not any(stem in lowered for stem in STEMS):
        return text
    return "".join(_walk(text, mark))


def _walk(text: str, mark: str) -> Iterator[str]:
    done = 0
    for hit in _SENTENCE.finditer(text):
        if hit.start() < done or sound_of(full_name(hit)) is not Sound.SURE:
            continue
        group = "quoted" if hit["quote"] else "bare"
        value = hit[group] if hit["quote"] else trimmed(hit[group])
        if is_secret(Sound.SURE, value, in_prose=True) and (hit["quote"] or not _is_said_of_it(value)):
            yield text[done : hit.start(group)] + mark
            done = hit.start(group) + len(value)
    yield text[done:]


def _is_said_of_it(value: str) -> bool:
    letters_only = value.isalpha() and len(value) < _LONG_WORD
    return letters_only or is_ordinary(value) or _TECHNICAL.fullmatch(value) is not None
