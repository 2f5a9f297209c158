"""A long description with its decisive words first, because some clients cut it.

A description is a row of sections: a heading with what follows it, or a paragraph. What tells when to use a tool, its
constraints and what it returns comes before examples, tables and code. Whole sections move, and none is lost.
"""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth import limits

_BETWEEN: Final = "\n\n"
_BLANK: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)*\n")
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_HEADING: Final = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]\S.*|\*\*[^*\n]+\*\*:?|<[A-Za-z][\w ]*>|[^\n]{1,80}:)[ \t]*"
)
_EXAMPLES: Final = re.compile(r"\W*(?:\w+ ){0,3}examples?\b", re.IGNORECASE)
_SHOWN: Final = re.compile(r"^[ \t]*(?:```.*?(?:```|\Z)|\|[^\n]*|>>>[^\n]*)", re.MULTILINE | re.DOTALL)
_DECISIVE: Final = re.compile(
    r"\b(?:must|only|never|always|requires?|required|mandatory|optional|defaults?|at (?:most|least)|max(?:imum)?|"
    r"min(?:imum)?|limits?|limited|up to|formats?|formatted|cannot|can't|do(?:es)? not|don't|not supported|instead of|"
    r"use (?:this|when|it|for)|when to use|best for|prefer|returns?|output|important|warning|before|exactly)\b",
    re.IGNORECASE,
)


def decisive_first(text: str) -> str:
    """The same paragraphs, decisive ones first; a text that no client cuts stays byte for byte.

    The first section stays, since it says what the tool does. Behind it stand the sections with the most decisive words
    for their length, as many as every client shows, and then the others; both in the order of the server.
    """
    if len(text) <= limits.LISTED_DESCRIPTION:
        return text
    first, *rest = _sections(text)
    left = limits.LISTED_DESCRIPTION - len(first)
    shown = set[int]()
    for at in sorted(range(len(rest)), key=lambda at: _worth(rest[at]), reverse=True):
        if len(rest[at]) + len(_BETWEEN) <= left:
            left -= len(rest[at]) + len(_BETWEEN)
            shown.add(at)
    order = sorted(
        range(len(rest)), key=lambda at: (at not in shown, at not in shown and _is_example(rest[at]))
    )
    return _BETWEEN.join([first, *(rest[at] for at in order)])


def _worth(section: str) -> float:
    """Decisive words by character; examples come last, whatever their code says."""
    return -1.0 if _is_example(section) else len(_DECISIVE.findall(section)) / len(section)


def _is_example(section: str) -> bool:
    shown = sum(len(match[0]) for match in _SHOWN.finditer(section))
    return _EXAMPLES.match(section) is not None or 2 * shown > len(section)


def _sections(text: str) -> Iterator[str]:
    """A heading alone belongs to what follows it, up to the end of that paragraph."""
    section: list[str] = []
    for paragraph in _paragraphs(text):
        section.append(paragraph)
        if not _HEADING.fullmatch(paragraph):
            yield _BETWEEN.join(section)
            section = []
    if section:
        yield _BETWEEN.join(section)


def _paragraphs(text: str) -> Iterator[str]:
    """Parts between blank lines; code between fences is one part, with the line that opens it."""
    paragraph: list[str] = []
    fenced = False
    for part in _BLANK.split(text.strip("\n")):
        paragraph.append(part)
        fenced ^= len(_FENCE.findall(part)) % 2 == 1
        if not fenced:
            yield _BETWEEN.join(paragraph)
            paragraph = []
    if paragraph:
        yield _BETWEEN.join(paragraph)
