"""Requests to read files that contain keys, or to pass on their content."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.phrases import PhraseSet, phrase_hits, phrases
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule
from toolbooth.contracts.words import TextWords, WordSpan, excerpt, word_set

_KEYS: Final = (
    r"\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|/etc/(?:passwd|shadow|sudoers)\b|\.aws/(?:credentials|config)\b"
    r"|\.netrc\b|\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.pgpass\b|\.gnupg\b|\bwallet\.dat\b|\.docker/config\.json"
    r"|\.kube/config\b|\.(?:bash|zsh)_history\b|\bmcp(?:_config|_settings)?\.json\b|\bclaude_desktop_config\.json"
    r"|\.config/gcloud\b|\bcookies\.sqlite\b|\blogin\.keychain\b"
)
_PATH: Final = re.compile(rf"(?P<keys>{_KEYS})|(?<!\w)\.env(?:\.[a-z]{{1,12}})?\b", re.IGNORECASE)
# There are reasons to read a client's config other than its keys.
_CONFIG: Final = re.compile(r"\.ssh/(?:config|known_hosts)|.*(?:config|\.json|\.npmrc)$", re.IGNORECASE)
_READ: Final = word_set(
    "read open cat load access retrieve fetch copy collect reading opening loading accessing readfile verify verifying"
)
_HAND_OVER: Final = word_set(
    "pass send provide put attach append paste insert supply include forward upload give post transmit embed encode"
)
_SHOW: Final = word_set(
    "print show display dump quote return output share leak write echo head tail base64 curl"
)
_ORDERS: Final = (_READ | _HAND_OVER | _SHOW) - word_set("reading opening loading accessing verifying")
_LEADS: Final = word_set("and then please also must always now first run execute")
_CONTENT: Final = word_set("content contents it its them data value file files key keys credentials secrets")
_NOT: Final = word_set("not never dont cannot")
_REFUSED: Final = word_set("rejected blocked forbidden refuses disallowed denied prevented")
_TO_THE_MODEL: Final = word_set(
    "you your must before first please always otherwise silently required important parameter argument as also prior "
    "consider require requires recommended immediately automatically"
)
# A home folder, or a path that is the same on every machine: not an example of a project's own files.
_HOME: Final = re.compile(
    r"(?:~[\w.-]{0,32}|\$\{?HOME\}?|%USERPROFILE%|/root|/(?:home|Users)/[^\s/]{1,64})[/\\][\w./\\-]{0,64}$",
    re.IGNORECASE,
)
_PUBLIC: Final = re.compile(r"[\w/-]{0,64}+\.pub\b", re.IGNORECASE)
_FEW: Final = 7  # words from the order to the path: `include the whole content of $HOME/.ssh/id_rsa`
_REACH: Final = 24  # words on either side, which cover a sentence that reads and one that passes on
_ASKS: Final = "it asks for a file of keys to be read or passed on"
_IN_PROSE: Final = PhraseSet(
    phrases(
        Level.MEDIUM,
        _ASKS,
        "before|first|must|please|prior 10 read|reading|open|load 3 ssh|private 1 key|keys",
        unless="not|never|dont",
    )
)
_IN_NAMES: Final = PhraseSet(
    phrases(
        Level.HIGH,
        "the name asks for a file of keys",
        "content|contents|read|reading|file|data 4 id|etc|ssh|aws 1 rsa|ed25519|ecdsa|passwd|shadow|credentials|key",
        "id 0 rsa|ed25519|ecdsa 2 content|contents|data|file",
    )
)


@text_rule(
    "reads-sensitive-files",
    Level.HIGH,
    "No tool needs the model to read a private key, credentials or another client's config and pass it on.",
)
def reads_sensitive_files(passage: Passage) -> Iterator[ScanHit]:
    if passage.kind.is_name:
        yield from phrase_hits(passage, _IN_NAMES)
        return
    yield from phrase_hits(passage, _IN_PROSE)
    for found in _PATH.finditer(passage.plain):
        level = _level(passage.words, found)
        if level is not None:
            yield ScanHit(level, _ASKS, excerpt(passage.plain, found.start(), found.end(), 80))


def _level(words: TextWords, path: re.Match[str]) -> Level | None:
    at = bisect_right(words.starts, path.end() - 1) - 1
    if at < 0:
        return None
    sentence = words.sentence_around(WordSpan(at, at), _REACH)
    before = words.words[sentence.first : at + 1]
    around = frozenset(words.words[max(0, at - _REACH) : at + _REACH])
    if not _REFUSED.isdisjoint(words.words_in(sentence)) or _is_forbidden(before):
        return None
    if _is_ordered(before, path):
        return Level.HIGH
    addressed = not _TO_THE_MODEL.isdisjoint(around)
    reads = not _READ.isdisjoint(before)
    hands_over = not _HAND_OVER.isdisjoint(around) and not _CONTENT.isdisjoint(around)
    if addressed and reads and (hands_over or _holds_only_keys(path)):
        return Level.HIGH
    if (
        path["keys"]
        and "from" in before
        and not _HAND_OVER.isdisjoint(before)
        and not _CONTENT.isdisjoint(before)
    ):
        return Level.HIGH
    return Level.MEDIUM if path["keys"] and addressed and (reads or hands_over) else None


def _is_forbidden(before: list[str]) -> bool:
    """Whether it forbids, as in `do not read …` or `never include …`, but not `if it is not found, read …`."""
    verbs = [at for at, word in enumerate(before) if word in _READ | _HAND_OVER]
    return any(not _NOT.isdisjoint(before[max(0, at - 3) : at]) for at in verbs)


def _is_ordered(before: list[str], path: re.Match[str]) -> bool:
    """Whether a verb at the start of a sentence, or after `and`, takes a path of keys: `Attach ~/.ssh/id_rsa`."""
    if not _holds_only_keys(path) or not _is_whole(path):
        return False
    near = range(max(0, len(before) - 1 - _FEW), len(before))
    return any(before[at] in _ORDERS and (at == 0 or before[at - 1] in _LEADS) for at in near)


def _is_whole(path: re.Match[str]) -> bool:
    ahead = path.string[max(0, path.start() - 160) : path.start()]
    is_public = _PUBLIC.match(path.string, path.end()) is not None
    return not is_public and (path[0].startswith("/etc/") or _HOME.search(ahead) is not None)


def _holds_only_keys(path: re.Match[str]) -> bool:
    more = path.string[path.start() : path.end() + 12]
    return path["keys"] is not None and not _CONFIG.fullmatch(path[0]) and not _CONFIG.match(more)
