"""Text → the same text without the values that stand behind a name that sounds secret."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolbooth.suite.redaction.names import STEMS, Sound, is_secret, is_secret_inside, sound_inside, sound_of
from toolbooth.suite.redaction.schema_words import is_schema_text, is_schema_word

# A name is read once, from its beginning, and the signs between it and its value are few: no text is walked twice.
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
    most: Sound
    is_schema: bool


_NOTHING = _Object("", 0, Sound.NO, is_schema=False)


def without_pairs(text: str, mark: str) -> str:
    """`password: x`, `"api_key": "x"`, `--token x`, `<secret>x</secret>`: each `x` becomes `mark`."""
    lowered = text.lower()
    if not any(stem in lowered for stem in STEMS):
        return text
    for pattern, hint in ((_PAIR, ""), (_OPTION, "-"), (_TAG, "</")):
        if hint in text:
            text = "".join(_walk(pattern, text, mark))
    return text


def _walk(pattern: re.Pattern[str], text: str, mark: str) -> Iterator[str]:
    done, around = 0, _NOTHING
    for hit in pattern.finditer(text):
        if hit.start() < done:
            continue
        sound = _sound(hit)
        span = _secret(hit, sound) or _secret_inside(hit, around)
        if span:
            yield text[done : span.start] + mark
            done = span.end
        elif sound >= Sound.MAYBE:
            around = _object(hit) or around
    yield text[done:]


def _secret(hit: re.Match[str], sound: Sound) -> _Span | None:
    if sound is Sound.NO:
        return None
    span = _value(hit, sound)
    return span if is_secret(sound, hit.string[span.start : span.end], in_prose=not hit["open"]) else None


def _secret_inside(hit: re.Match[str], around: _Object) -> _Span | None:
    """A quoted text of an object goes by the object's name too."""
    if hit.start() >= around.end or not hit["open"] or (around.is_schema and is_schema_word(hit["name"])):
        return None
    span = _quoted(hit.string, hit.end(), hit["open"])
    sound = min(sound_inside(around.name, hit["name"]), around.most)
    return span if is_secret_inside(sound, hit.string[span.start : span.end]) else None


def _object(hit: re.Match[str]) -> _Object | None:
    """What stands behind the name, up to the first object or list in it: no sign belongs to two of these."""
    found = None if hit["open"] else _OBJECT.match(hit.string, hit.end())
    if found is None:
        return None
    most = Sound.MAYBE if found[0].startswith("[") else Sound.SURE
    return _Object(hit["name"], found.end(), most, is_schema_text(found[0]))


def _sound(hit: re.Match[str]) -> Sound:
    return sound_of(full_name(hit))


def full_name(hit: re.Match[str]) -> str:
    """`API key` of "invalid API key: x"; all other names are one word."""
    name = hit["name"]
    if name.lower() != "key":
        return name
    return f"{hit.string[max(0, hit.start() - 12) : hit.start()].rpartition(' ')[0][-11:]} {name}"


def _value(hit: re.Match[str], sound: Sound) -> _Span:
    text, start, opened = hit.string, hit.end(), hit["open"]
    if opened:
        return _quoted(text, start, opened)
    if hit["name"].lower() in _WHOLE_LINES:
        line = _LINE.match(text, start)
        if line and ("=" in line[0] or " " in line[0].strip()):
            return _Span(start, line.end())
    if text.startswith(_NO_VALUE, start):
        return _listed(text, start) if sound is Sound.SURE else _Span(start, start)
    bare = _BARE.match(text, start)
    return _Span(start, start + len(trimmed(bare[0])) if bare else start)


def trimmed(value: str) -> str:
    """Without what closes the sentence or the brackets around it."""
    return value.rstrip(".,:!?" if any(sign in value for sign in _NO_VALUE) else ")]}.,:!?")


def _quoted(text: str, start: int, opened: str) -> _Span:
    """Up to the quote that closes it; a text that was cut before has none."""
    for quote in _QUOTES[opened[-1]].finditer(text, start):
        if _closes(len(quote[1]), len(opened) - 1):
            # Backslashes of the value itself are part of it.
            return _Span(start, max(quote.start(), quote.end() - len(opened)))
    line = text.find("\n", start)
    return _Span(start, line if line >= 0 else len(text))


def _closes(slashes: int, opening: int) -> bool:
    """Each time a text is quoted, n backslashes before a quote become 2n + 1: inner quotes have an odd share more."""
    more, rest = divmod(slashes - opening, opening + 1)
    return slashes < opening or rest != 0 or more % 2 == 0


def _listed(text: str, start: int) -> _Span:
    found = _LIST.match(text, start)
    return (
        _Span(start + 1, found.end())
        if found and ('"' in found[0] or "'" in found[0])
        else _Span(start, start)
    )
