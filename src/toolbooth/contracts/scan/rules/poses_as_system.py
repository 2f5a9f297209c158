"""A text → markup in it that poses as a message of the system, or as the end of the tool's own words."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.rule import Hit, text_rule
from toolbooth.limits import SCAN_EVIDENCE

# Marks of chat templates: a model has learned that nobody but its own host writes them.
_TEMPLATE: Final = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|begin_of_text)\|>"
    r"|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
)
_TAG: Final = re.compile(
    r"<(?P<close>/?)(?P<name>important|system|system[-_ ](?:reminder|message|prompt|instructions?|override|note)"
    r"|critical|urgent|secret|hidden|admin|override|priority|assistant|internal|mandatory|security)>",
    re.IGNORECASE,
)
_SPEAKER: Final = re.compile(r"\[(?:SYSTEM|ADMIN)\]|\{\{ ?SYSTEM:|^[ \t]{0,40}+SYSTEM:", re.MULTILINE)
_HEADLINE: Final = re.compile(
    r"(?:^|[\n.!(\[*#])[ \t*#\[(]{0,8}+(?:(?:important|critical|urgent|new|hidden|secret)[ \t]{1,3})?system[ \t]{1,3}"
    r"(?:override|prompt|instructions?|notice|note|message|directive|alert|command|update)[ \t]?(?=[:\]*)])",
    re.IGNORECASE,
)


@text_rule(
    "poses-as-system",
    Level.HIGH,
    "Markup that only a host writes makes a model take a tool's text for an order of its own system.",
)
def poses_as_system(passage: Passage) -> Iterator[Hit]:
    for found in _TEMPLATE.finditer(passage.plain):
        yield Hit(Level.HIGH, f"a mark of chat templates, {found[0]}", _around(passage.plain, found))
    yield from _tags(passage.plain)
    for found in _SPEAKER.finditer(passage.plain):
        yield Hit(Level.MEDIUM, "a line as of the system's", _around(passage.plain, found))
    for found in _HEADLINE.finditer(passage.plain):
        yield Hit(Level.MEDIUM, "a headline as of a system message", _around(passage.plain, found))


def _tags(text: str) -> Iterator[Hit]:
    """A tag that is closed again, or shouts: `<secret>` alone is a blank to fill in."""
    found = list(_TAG.finditer(text))
    closed = {each["name"].lower() for each in found if each["close"]}
    for each in found:
        if not each["close"] and (each["name"].lower() in closed or each["name"].isupper()):
            yield Hit(Level.MEDIUM, f"a tag as of a system message, <{each['name']}>", _around(text, each))


def _around(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - 30) : found.start() + SCAN_EVIDENCE]
