"""The words of a tool: what its name says that it does, to what, and the significant words of its description."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

# Words with the same meaning; the first of a row represents all of them.
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
# To read a file is to read its contents, but to search contents is not to search files.
SAY_NO_MORE: Final = {"get": ("information", "content")}
FILLERS: Final = frozenset(("a", "an", "the", "tool", "mcp", "api", "take", "perform", "do"))
STOP_WORDS: Final = frozenset(_STOP.split())

_NAME_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")
_TEXT_WORD: Final = re.compile(r"[^\W_]+")
# A description begins with what the tool is for; later lines explain parameters and formats.
DESCRIPTION_START: Final = 600


class Purpose(NamedTuple):
    """What a tool does according to its name, and to what."""

    action: str
    things: tuple[str, ...]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without a plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def split_name(name: str) -> tuple[str, ...]:
    """The words of a name: the same for `createPullRequest`, `create_pull_request` and `create-pull-request`."""
    return tuple(word.lower() for word in _NAME_WORD.findall(name))


def purpose(words: Sequence[str], *, plurals: bool = False) -> Purpose:
    """Split the words of a name into its first verb and the rest.

    Across servers, singular and plural count as the same, and `get` of a plural is `list`; with `plurals` they differ.
    """
    relevant = [word for word in words if word not in FILLERS]
    verb = next((index for index, word in enumerate(relevant) if word in ACTIONS), None)
    named = [word for index, word in enumerate(relevant) if index != verb]
    action = "" if verb is None else ACTIONS[relevant[verb]]
    while len(named) > 1 and SYNONYMS.get(stem(named[-1])) in SAY_NO_MORE.get(action, ("information",)):
        named.pop()
    if not plurals and action == "get" and named and stem(named[-1]) != named[-1]:
        action = "list"
    return Purpose(action, tuple(SYNONYMS.get(stem(word), word if plurals else stem(word)) for word in named))


def description_words(text: str) -> frozenset[str]:
    """The significant words at the beginning of a description."""
    found = (stem(word.lower()) for word in _TEXT_WORD.findall(text[:DESCRIPTION_START]))
    return frozenset(SYNONYMS.get(word, word) for word in found if word not in STOP_WORDS)


def brands(names: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """Words that many names of a server begin with and none has later, such as `jira` in `jira_add_comment`."""
    firsts = Counter(words[0] for words in names if len(words) > 1)
    later = {word for words in names for word in words[1:]}
    enough = max(3, len(names) // 5)
    return frozenset(
        word
        for word, times in firsts.items()
        if times >= enough and word not in ACTIONS and word not in later
    )


def without_server(words: tuple[str, ...], whose: frozenset[str]) -> tuple[str, ...]:
    """A name without leading and trailing words that only identify the server. At least one thing is left."""
    start, end = 0, len(words)
    while words[start:end] and words[start] in whose and purpose(words[start + 1 : end]).things:
        start += 1
    while words[start:end] and words[end - 1] in whose and purpose(words[start : end - 1]).things:
        end -= 1
    return words[start:end]
