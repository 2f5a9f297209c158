"""A text → words in which letters of another script pose as Latin ones."""

from collections.abc import Iterator

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.lookalikes import mixed_word
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.rule import Hit, text_rule


@text_rule(
    "mixed-scripts",
    Level.HIGH,
    "A Cyrillic or Greek letter among Latin ones makes a name another name, and a word unfindable for a filter.",
)
def mixed_scripts(passage: Passage) -> Iterator[Hit]:
    word = mixed_word(passage.text)
    if word:
        level = Level.HIGH if passage.kind.is_name else Level.MEDIUM
        foreign = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(word) if not sign.isascii())
        yield Hit(level, f"a word with look-alike letters ({foreign})", word)
