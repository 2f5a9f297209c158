"""Tools whose name or first sentence contradicts their annotations."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.lookalikes import as_it_looks
from toolbooth.contracts.scan.rule import ScanHit, ToolHit, tool_rule
from toolbooth.contracts.words import split_camel_case, word_set

_DESTROYS: Final = word_set("delete drop destroy erase purge wipe truncate overwrite")
_CHANGES: Final = _DESTROYS | word_set(  # to remove one thing from another mostly just detaches it
    "remove uninstall revoke kill terminate create add insert update edit modify write send post publish upload set "
    "move rename merge deploy restart stop start cancel archive transfer pay buy purchase sell grant invite assign "
    "approve commit push install enable disable"
)
_WORD: Final = re.compile(r"[A-Za-z]+")
_FIRST_SENTENCE: Final = 300
_FOR_GOOD: Final = re.compile(
    r"\b(?:permanently|irreversibl[ey])\b.{0,40}?\b(?:delet|remov|eras|destroy|wip)"
    r"|\b(?:delet|remov|eras|destroy|wip)\w*\b.{0,60}?\b(?:permanently|irreversibl[ey]"
    r"|cannot be undone|can't be undone)",
    re.IGNORECASE,
)
_REACHES_OUT: Final = re.compile(
    r"\b(?:fetch|download|scrape|crawl|brows)(?:e?s|es|ing)?\b.{0,40}?\b(?:url|urls|web|website|websites|internet|page|pages)\b"
    r"|\bsearch(?:es)?\b.{0,20}?\b(?:web|internet)\b|\bsend(?:s)?\b.{0,30}?\b(?:e-?mails?|sms|http requests?)\b",
    re.IGNORECASE,
)


class _Verb(NamedTuple):
    word: str
    where: str
    text: str


@tool_rule(
    "not-read-only",
    Level.MEDIUM,
    "Hosts run read-only tools without asking, so a tool that writes and claims the hint runs unnoticed.",
)
def not_read_only(tool: catalog.Tool) -> Iterator[ToolHit]:
    if not _claims(tool, "readOnlyHint", True):
        return
    verbs = [verb for verb in _verbs(tool) if verb.word in _CHANGES]
    if verbs:
        sure = len(verbs) > 1 or verbs[0].word in _DESTROYS
        words = f"it claims readOnlyHint, but its {verbs[0].where[1:]} begins with `{verbs[0].word}`"
        yield ToolHit(verbs[0].where, ScanHit(Level.MEDIUM if sure else Level.LOW, words, verbs[0].text))


@tool_rule(
    "destroys-all-the-same",
    Level.MEDIUM,
    "A tool that deletes and claims destructiveHint false runs without the question that it needs.",
)
def destroys_all_the_same(tool: catalog.Tool) -> Iterator[ToolHit]:
    if not _claims(tool, "destructiveHint", False) or _claims(tool, "readOnlyHint", True):
        return
    verb = next((each for each in _verbs(tool) if each.word in _DESTROYS), None)
    if verb:
        words = f"it claims destructiveHint false, but its {verb.where[1:]} begins with `{verb.word}`"
        yield ToolHit(verb.where, ScanHit(Level.MEDIUM, words, verb.text))
        return
    found = _FOR_GOOD.search(_first_words(tool))
    if found:
        yield ToolHit(
            "/description",
            ScanHit(Level.MEDIUM, "it claims destructiveHint false, but destroys permanently", found[0]),
        )


@tool_rule(
    "reaches-out-all-the-same",
    Level.LOW,
    "A tool that claims openWorldHint false and fetches from the web brings in text that nobody checked.",
)
def reaches_out_all_the_same(tool: catalog.Tool) -> Iterator[ToolHit]:
    if not _claims(tool, "openWorldHint", False):
        return
    found = _REACHES_OUT.search(_first_words(tool))
    if found:
        yield ToolHit(
            "/description", ScanHit(Level.LOW, "it claims openWorldHint false, but reaches the web", found[0])
        )


def _claims(tool: catalog.Tool, hint: str, value: bool) -> bool:
    return tool.annotations is not None and tool.annotations.get(hint) is value


def _first_words(tool: catalog.Tool) -> str:
    return as_it_looks(tool.description.strip()[:_FIRST_SENTENCE])


def _verbs(tool: catalog.Tool) -> Iterator[_Verb]:
    """What a tool says that it does: the first verb of its name, and the first word of its description."""
    words = [word.lower() for word in _WORD.findall(split_camel_case(as_it_looks(tool.name[:200])))]
    verb = next((word for word in words if word in _CHANGES or word in _READS), "")
    if verb:
        yield _Verb(verb, "/name", tool.name[: limits.SCAN_EVIDENCE])
    first = _WORD.search(_first_words(tool))
    if first:
        yield _Verb(_infinitive(first[0].lower()), "/description", _first_words(tool)[: limits.SCAN_EVIDENCE])


_READS: Final = word_set(
    "get list read fetch search find show describe query view check count lookup retrieve browse inspect can is has"
)


def _infinitive(word: str) -> str:
    for end, instead in (("", ""), ("s", ""), ("es", ""), ("es", "e")):
        if word.endswith(end) and word.removesuffix(end) + instead in _CHANGES:
            return word.removesuffix(end) + instead
    return word
