"""Text → the same text without the values that stand behind a name that sounds secret."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolbooth.suite.redaction.names import STEMS, Sound, is_secret, sound_of

# A name is read once, from its beginning, and the signs between it and its value are few: no text is walked twice.
_PAIR = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{2,128}+)"
    r"\\{0,4}+[\"']?[ \t]{0,8}+(?::=|=>|[:=])[ \t]{0,8}+(?P<open>\\{0,4}+[\"'])?"
)
_OPTION = re.compile(r"(?<![\w.-])(?P<name>--?[A-Za-z][\w-]{1,64}+)[ \t]{1,4}+(?P<open>\\{0,4}+[\"'])?(?!-)")
_TAG = re.compile(r"<(?P<name>[\w.-]{2,128}+)>(?P<open>)")
_QUOTED = {'"': re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL), "'": re.compile(r"(?:[^'\\]|\\.)*+", re.DOTALL)}
_BARE = re.compile(r"[^\s,;&\"'<>`\\]++")
_LIST = re.compile(r"\[[^\[\]{}]{0,4096}+")
_LINE = re.compile(r"[^\r\n\"'\\]++")
_NO_VALUE = tuple("{[(")
_WHOLE_LINES = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})


class _Span(NamedTuple):
    start: int
    end: int


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
    done = 0
    for hit in pattern.finditer(text):
        sound = _sound(hit) if hit.start() >= done else Sound.NO
        if sound is Sound.NO:
            continue
        span = _value(hit, sound)
        if is_secret(sound, text[span.start : span.end], in_prose=not hit["open"]):
            yield text[done : span.start] + mark
            done = span.end
    yield text[done:]


def _sound(hit: re.Match[str]) -> Sound:
    name = hit["name"]
    if name.lower() == "key":  # "invalid API key: x"
        name = f"{hit.string[max(0, hit.start() - 12) : hit.start()].rpartition(' ')[0][-11:]} {name}"
    return sound_of(name)


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
    return _Span(start, start + len(_trimmed(bare[0])) if bare else start)


def _trimmed(value: str) -> str:
    """Without what closes the sentence or the brackets around it."""
    return value.rstrip(".,:!?" if any(sign in value for sign in _NO_VALUE) else ")]}.,:!?")


def _quoted(text: str, start: int, opened: str) -> _Span:
    """Up to the quote that closes it; a text that was cut before has none."""
    if len(opened) == 1:
        inner = _QUOTED[opened].match(text, start)
        end = inner.end() if inner else start
    else:
        end = text.find(opened, start)
    if 0 <= end < len(text):
        return _Span(start, end)
    line = text.find("\n", start)
    return _Span(start, line if line >= 0 else len(text))


def _listed(text: str, start: int) -> _Span:
    found = _LIST.match(text, start)
    return (
        _Span(start + 1, found.end())
        if found and ('"' in found[0] or "'" in found[0])
        else _Span(start, start)
    )
