"""A passage × phrases → a hit for each phrase that stands in it, with the words around."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.phrases import PhraseBook
from toolbooth.contracts.scan.rule import Hit

_SHORTEST: Final = 8  # characters: no phrase is shorter


def phrase_hits(passage: Passage, book: PhraseBook) -> Iterator[Hit]:
    """Each phrase's every place."""
    if len(passage.text) < _SHORTEST:
        return
    for each, span in book.found_in(passage.words):
        yield Hit(each.level, each.message, passage.words.quoted(span))
