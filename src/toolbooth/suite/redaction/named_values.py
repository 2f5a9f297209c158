"""Values that are secret because of their name, redacted in JSON fields, in `name: value` text, and in sentences."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolbooth.suite.redaction.names import (
    STEMS,
    Secrecy,
    is_ordinary,
    is_schema,
    is_schema_text,
    is_schema_word,
    is_secret,
    is_secret_inside,
    secrecy_inside,
    secrecy_of,
)


def without_named(names: tuple[str, ...], value: Any, mark: str) -> Any:
    """Redact a field called `names`; strings directly in an object or list are judged by its name, too."""
    secrecy = max(map(secrecy_of, names), default=Secrecy.NO)
    if isinstance(value, str):
        return mark if is_secret(secrecy, value) else value
    if secrecy < Secrecy.MAYBE or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return mark if secrecy is Secrecy.SURE else value
    if isinstance(value, list | tuple):
        return [_without_named_item(names, secrecy, inner, mark) for inner in value]
    return _without_named_fields(names, value, mark, Secrecy.SURE) if isinstance(value, Mapping) else value


def _without_named_item(names: tuple[str, ...], secrecy: Secrecy, value: Any, mark: str) -> Any:
    if isinstance(value, str):
        return mark if is_secret_inside(secrecy, value) else value
    # A list of objects is usually a list of descriptions: only what looks like a token is redacted.
    return _without_named_fields(names, value, mark, Secrecy.MAYBE) if isinstance(value, Mapping) else value


def _without_named_fields(
    names: tuple[str, ...], value: Mapping[Any, Any], mark: str, most: Secrecy
) -> dict[Any, Any]:
    schema = is_schema(value)

    def cleaned(key: Any, inner: Any) -> Any:
        if not isinstance(inner, str) or (schema and is_schema_word(key)):
            return inner
        secrecy = max(secrecy_inside(name, str(key)) for name in names)
        return mark if is_secret_inside(min(secrecy, most), inner) else inner

    return {key: cleaned(key, inner) for key, inner in value.items()}


# A name is read once, from its beginning, and few characters separate it from its value, so matching is linear.
_PAIR = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{1,128}+)"
    r"\\{0,32}+[\"']?[ \t]{0,8}+(?::=|=>|[:=])[ \t]{0,8}+(?P<open>\\{0,32}+[\"'])?"
)
_OPTION = re.compile(r"(?<![\w.-])(?P<name>--?[A-Za-z][\w-]{1,64}+)[ \t]{1,4}+(?P<open>\\{0,32}+[\"'])?(?!-)")
_TAG = re.compile(r"<(?P<name>[\w.-]{2,128}+)>(?P<open>)")
# Each run of backslashes is read once, from its beginning.
_QUOTES = {'"': re.compile(r'(?<!\\)(\\*+)"'), "'": re.compile(r"(?<!\\)(\\*+)'")}
_BARE = re.compile(r"[^\s,;&\"'<>`\\]++")
_OBJECT = re.compile(r"(?:\[\s{0,64}+)?\{[^{}\[\]]*+")
_LIST = re.compile(r"\[[^\[\]{}]{0,4096}+")
_LINE = re.compile(r"[^\r\n\"'\\]++")
_NO_VALUE = tuple("{[(")
_WHOLE_LINES = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})


class _Span(NamedTuple):
    start: int
    end: int


class _Object(NamedTuple):
    name: str
    end: int
    most: Secrecy
    is_schema: bool


_NOTHING = _Object("", 0, Secrecy.NO, is_schema=False)


def without_pairs(text: str, mark: str) -> str:
    """`password: x`, `"api_key": "x"`, `--token x`, `<secret>x</secret>`: each `x` becomes `mark`."""
    lowered = text.lower()
    if not any(stem in lowered for stem in STEMS):
        return text
    for pattern, hint in ((_PAIR, ""), (_OPTION, "-"), (_TAG, "</")):
        if hint in text:
            text = "".join(_walk_pairs(pattern, text, mark))
    return text


def _walk_pairs(pattern: re.Pattern[str], text: str, mark: str) -> Iterator[str]:
    done, around = 0, _NOTHING
    for hit in pattern.finditer(text):
        if hit.start() < done:
            continue
        secrecy = _secrecy(hit)
        span = _secret(hit, secrecy) or _secret_inside(hit, around)
        if span:
            yield text[done : span.start] + mark
            done = span.end
        elif secrecy >= Secrecy.MAYBE:
            around = _object(hit) or around
    yield text[done:]


def _secret(hit: re.Match[str], secrecy: Secrecy) -> _Span | None:
    if secrecy is Secrecy.NO:
        return None
    span = _value(hit, secrecy)
    return span if is_secret(secrecy, hit.string[span.start : span.end], in_prose=not hit["open"]) else None


def _secret_inside(hit: re.Match[str], around: _Object) -> _Span | None:
    """A quoted string in an object is judged by the object's name, too."""
    if hit.start() >= around.end or not hit["open"] or (around.is_schema and is_schema_word(hit["name"])):
        return None
    span = _quoted(hit.string, hit.end(), hit["open"])
    secrecy = min(secrecy_inside(around.name, hit["name"]), around.most)
    return span if is_secret_inside(secrecy, hit.string[span.start : span.end]) else None


def _object(hit: re.Match[str]) -> _Object | None:
    """The object after a name, up to the first object or list in it, so that no character belongs to two objects."""
    found = None if hit["open"] else _OBJECT.match(hit.string, hit.end())
    if found is None:
        return None
    most = Secrecy.MAYBE if found[0].startswith("[") else Secrecy.SURE
    return _Object(hit["name"], found.end(), most, is_schema_text(found[0]))


def _secrecy(hit: re.Match[str]) -> Secrecy:
    return secrecy_of(full_name(hit))


def full_name(hit: re.Match[str]) -> str:
    """`API key` of "invalid API key: x"; all other names are one word."""
    name = hit["name"]
    if name.lower() != "key":
        return name
    return f"{hit.string[max(0, hit.start() - 12) : hit.start()].rpartition(' ')[0][-11:]} {name}"


def _value(hit: re.Match[str], secrecy: Secrecy) -> _Span:
    text, start, opened = hit.string, hit.end(), hit["open"]
    if opened:
        return _quoted(text, start, opened)
    if hit["name"].lower() in _WHOLE_LINES:
        line = _LINE.match(text, start)
        if line and ("=" in line[0] or " " in line[0].strip()):
            return _Span(start, line.end())
    if text.startswith(_NO_VALUE, start):
        return _listed(text, start) if secrecy is Secrecy.SURE else _Span(start, start)
    bare = _BARE.match(text, start)
    return _Span(start, start + len(trimmed(bare[0])) if bare else start)


def trimmed(value: str) -> str:
    """The value without the punctuation or brackets that close the sentence around it."""
    return value.rstrip(".,:!?" if any(sign in value for sign in _NO_VALUE) else ")]}.,:!?")


def _quoted(text: str, start: int, opened: str) -> _Span:
    """Up to the closing quote, or to the end of the line if the text was cut off before it."""
    for quote in _QUOTES[opened[-1]].finditer(text, start):
        if _closes(len(quote[1]), len(opened) - 1):
            # Backslashes of the value itself are part of it.
            return _Span(start, max(quote.start(), quote.end() - len(opened)))
    line = text.find("\n", start)
    return _Span(start, line if line >= 0 else len(text))


def _closes(slashes: int, opening: int) -> bool:
    """Whether a quote with this many backslashes closes the string.

    Quoting a text again turns n backslashes before a quote into 2n + 1, so inner quotes have more of them.
    """
    more, rest = divmod(slashes - opening, opening + 1)
    return slashes < opening or rest != 0 or more % 2 == 0


def _listed(text: str, start: int) -> _Span:
    found = _LIST.match(text, start)
    return (
        _Span(start + 1, found.end())
        if found and ('"' in found[0] or "'" in found[0])
        else _Span(start, start)
    )


# The value is matched by look-ahead, because it may be the name of the next sentence.
_SENTENCE = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{2,128}+)[ \t]{1,4}+(?:is|was|IS|WAS)(?::|[ \t]{1,2}(?:now|set[ \t]to))?"
    r"[ \t]{1,4}+(?=(?P<quote>\\{0,32}+[\"'])(?P<quoted>[^\"'\\\r\n]{1,256}+)|`?(?P<bare>[^\s,;\"'<>`\\]++))"
)
# `is SHA-256`, `was base64-encoded`, `is 8-32 characters long`, `is 3.11`: descriptions of a secret, not the secret.
_TECHNICAL = re.compile(
    r"(?:sha|md|base|aes|utf|rsa|ed|hmac|oauth|argon|hs|rs|es|pbkdf|v)-?[0-9]{1,5}(?:-[a-z]+)*"
    r"|[0-9]{1,3}(?:[-.+][a-z0-9]{0,9})*|[a-z]+\([^)]*\)?",
    re.IGNORECASE,
)
_LONG_WORD = 16


def without_prose(text: str, mark: str) -> str:
    """`the password is x`, `API key was "x"`: each `x` that is quoted or not an ordinary word becomes `mark`."""
    lowered = text.lower()
    if not any(f" {verb}" in lowered for verb in ("is", "was")) or not any(stem in lowered for stem in STEMS):
        return text
    return "".join(_walk_sentences(text, mark))


def _walk_sentences(text: str, mark: str) -> Iterator[str]:
    done = 0
    for hit in _SENTENCE.finditer(text):
        if hit.start() < done or secrecy_of(full_name(hit)) is not Secrecy.SURE:
            continue
        group = "quoted" if hit["quote"] else "bare"
        value = hit[group] if hit["quote"] else trimmed(hit[group])
        if is_secret(Secrecy.SURE, value, in_prose=True) and (hit["quote"] or not _is_description(value)):
            yield text[done : hit.start(group)] + mark
            done = hit.start(group) + len(value)
    yield text[done:]


def _is_description(value: str) -> bool:
    letters_only = value.isalpha() and len(value) < _LONG_WORD
    return letters_only or is_ordinary(value) or _TECHNICAL.fullmatch(value) is not None
