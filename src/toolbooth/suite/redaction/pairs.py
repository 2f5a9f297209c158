"""Text → the same text without the values that stand behind a name that sounds secret."""

import re

from toolbooth.suite.redaction.names import STEMS, Sound, is_secret, sound_of

# A name is read once, from its beginning, and the signs between it and its value are few: no text is walked twice.
_NAME = r"(?<![\w.-])(?P<name>[\w.-]{2,128}+)"
_PAIR = re.compile(
    _NAME + r"(?P<sep>\\{0,4}+[\"']?[ \t]{0,8}+(?::=|=>|[:=])(?:[ \t]|\\?\n[ \t]*+){0,8}+|(?<=[A-Za-z0-9])[ \t]{1,4}+)"
    r"(?P<open>\\{0,4}+[\"'])?"
)  # fmt: skip
_TAG = re.compile(r"<(?P<name>[\w.-]{2,128}+)>(?P<value>[^<>]{1,4096}+)(?=</)")
_BARE = re.compile(r"[^\s,;&\"'<>(){}\[\]\\|`]++")
_LINE = re.compile(r"[^\r\n\"']++")
_WHOLE_LINE = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})


def without_pairs(text: str, mark: str) -> str:
    """`password: x`, `"api_key": "x"`, `--token x`, `<secret>x</secret>`: each `x` becomes `mark`."""
    lowered = text.lower()
    if not any(stem in lowered for stem in STEMS):
        return text
    if "</" in text:
        text = _TAG.sub(lambda hit: _tag(hit, mark), text)
    return "".join(_walk(text, mark))
