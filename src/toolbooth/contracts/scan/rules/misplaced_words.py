"""A text → words where JSON Schema has room for one keyword only."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.rule import Hit, text_rule
from toolbooth.contracts.scan.texts import Kind
from toolbooth.limits import SCAN_EVIDENCE

_MOST_WORDS: Final = 3  # `list of strings`


@text_rule(
    "words-as-keyword",
    Level.HIGH,
    "Validators pass over a strange type or format, models read it; so that is where sentences are hidden.",
)
def words_as_keyword(passage: Passage) -> Iterator[Hit]:
    if passage.kind is Kind.KEYWORD and len(passage.plain.split()) > _MOST_WORDS:
        yield Hit(Level.HIGH, "a sentence in the place of a type or format", passage.text[:SCAN_EVIDENCE])
