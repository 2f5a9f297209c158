"""A tool's name and description → what it does, to what, and the words that tell it from others."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

# Words that ask for the same thing; the first of a row stands for all of them.
_ACTIONS: Final = (
    "create add new insert make",
    "get read fetch retrieve load",
    "list show enumerate browse",
    "delete remove destroy drop erase",
    "search find query lookup",
    "update edit modify change patch",
    "run execute exec invoke",
    "send post publish",
    "write put set",
    "upload",
    "download",
    "copy clone duplicate",
    "move rename",
)
_THINGS: Final = (
    "repository repo",
    "document doc documentation",
    "directory folder dir",
    "message msg",
    "database db",
    "image picture photo img",
    "information info detail",
    "content contents text",
)
_STOP: Final = (
    "a an the of in to for by with from on and or is are be this that it its as at if when use using used not no "
    "you your can will which all any into than then only also may must should has have was were do does e g i s t "
    "via per"
)
ACTIONS: Final = {word: row.split()[0] for row in _ACTIONS for word in row.split()}
SYNONYMS: Final = ACTIONS | {word: row.split()[0] for row in _THINGS for word in row.split()}
# To read a file is to read its contents; to search contents is something else than to search files.
SAY_NO_MORE: Final = {"get": ("information", "content")}
FILLERS: Final = frozenset(("a", "an", "the", "tool", "mcp", "api", "take", "perform", "do"))
STOP_WORDS: Final = frozenset(_STOP.split())

_NAME_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")
_TEXT_WORD: Final = re.compile(r"[^\W_]+")
# Beyond its first lines a description explains parameters and formats; what the tool is for stands first.
DESCRIPTION_START: Final = 600


class Purpose(NamedTuple):
    """What the name of a tool says it does, and to what."""

    action: str
    things: tuple[str, ...]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def split_name(name: str) -> tuple[str, ...]:
    """`createPullRequest`, `create_pull_request` and `create-pull-request` → the same words."""
    return tuple(word.lower() for word in _NAME_WORD.findall(name))


def purpose(words: Sequence[str], *, plurals: bool = False) -> Purpose:
    """Read the words of a name: its first verb, and all else.

    Across servers one or many things are the same, and `get` of many is `list`; with `plurals` they differ.
    """
    telling = [word for word in words if word not in FILLERS]
    verb = next((index for index, word in enumerate(telling) if word in ACTIONS), None)
    named = [word for index, word in enumerate(telling) if index != verb]
    action = "" if verb is None else ACTIONS[telling[verb]]
    while len(named) > 1 and SYNONYMS.get(stem(named[-1])) in SAY_NO_MORE.get(action, ("information",)):
        named.pop()
    if not plurals and action == "get" and named and stem(named[-1]) != named[-1]:
        action = "list"
    return Purpose(action, tuple(SYNONYMS.get(stem(word), word if plurals else stem(word)) for word in named))


def description_words(text: str) -> frozenset[str]:
    """The telling words of a description's beginning."""
    found = (stem(word.lower()) for word in _TEXT_WORD.findall(text[:DESCRIPTION_START]))
    return frozenset(SYNONYMS.get(word, word) for word in found if word not in STOP_WORDS)


def brands(names: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """First words that many tools of a server begin with and no name of it has later: `jira_add_comment`."""
    firsts = Counter(words[0] for words in names if len(words) > 1)
    later = {word for words in names for word in words[1:]}
    enough = max(3, len(names) // 5)
    return frozenset(
        word
        for word, times in firsts.items()
        if times >= enough and word not in ACTIONS and word not in later
    )


def without_server(words: tuple[str, ...], whose: frozenset[str]) -> tuple[str, ...]:
    """A name without the words at its ends that only say whose tool it is; it keeps at least one thing."""
    start, end = 0, len(words)
    while words[start:end] and words[start] in whose and purpose(words[start + 1 : end]).things:
        start += 1
    while words[start:end] and words[end - 1] in whose and purpose(words[start : end - 1]).things:
        end -= 1
    return words[start:end]
