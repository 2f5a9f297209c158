"""Texts that a reviewer misreads or misses: sentences as keywords, look-alike letters, blank space, comments."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.lookalikes import mixed_word
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule
from toolbooth.contracts.scan.texts import TextKind
from toolbooth.limits import SCAN_EVIDENCE

_MOST_WORDS: Final = 3  # `list of strings`


@text_rule(
    "words-as-keyword",
    Level.HIGH,
    "Validators pass over a strange type or format, models read it; so that is where sentences are hidden.",
)
def words_as_keyword(passage: Passage) -> Iterator[ScanHit]:
    if passage.kind is TextKind.KEYWORD and len(passage.plain.split()) > _MOST_WORDS:
        yield ScanHit(Level.HIGH, "a sentence in the place of a type or format", passage.text[:SCAN_EVIDENCE])


@text_rule(
    "mixed-scripts",
    Level.HIGH,
    "A Cyrillic or Greek letter among Latin ones makes a name another name, and a word unfindable for a filter.",
)
def mixed_scripts(passage: Passage) -> Iterator[ScanHit]:
    word = mixed_word(passage.text)
    if word:
        level = Level.HIGH if passage.kind.is_name else Level.MEDIUM
        foreign = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(word) if not sign.isascii())
        yield ScanHit(level, f"a word with look-alike letters ({foreign})", word)


_BLANKS: Final = re.compile(r"\s{15,}+")
_MOST_BLANKS: Final = 120  # docstrings are indented by some twenty
_MOST_LINES: Final = 12
_OPEN, _CLOSE = "<!--", "-->"
_PROSE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+[ ,:]{1,3}[^\W\d_]{1,40}+[ ,:]{1,3}[^\W\d_]{2,}")


@text_rule(
    "pushed-out-of-sight",
    Level.MEDIUM,
    "Much blank space moves the rest of a text out of the dialog in which a person approves it.",
)
def pushed_out_of_sight(passage: Passage) -> Iterator[ScanHit]:
    for run in _BLANKS.finditer(passage.text):
        lines = run[0].count("\n")
        inside = run.start() > 0 and run.end() < len(passage.text)
        if inside and (len(run[0]) - lines >= _MOST_BLANKS or lines >= _MOST_LINES):
            behind = passage.text[run.end() : run.end() + SCAN_EVIDENCE]
            yield ScanHit(Level.MEDIUM, f"text behind {len(run[0])} blanks", behind)


@text_rule(
    "hidden-comment",
    Level.MEDIUM,
    "A comment of HTML or Markdown is not shown to people and read by models.",
)
def hidden_comment(passage: Passage) -> Iterator[ScanHit]:
    at = passage.text.find(_OPEN)
    while at >= 0:
        end = passage.text.find(_CLOSE, at + len(_OPEN))
        if end < 0:
            return
        inside = passage.text[at + len(_OPEN) : end]
        if inside.strip():
            level = (
                Level.MEDIUM if _PROSE.search(inside) else Level.LOW
            )  # `<!-- wp:paragraph {…} -->` is markup
            yield ScanHit(level, "a comment", inside.strip()[:SCAN_EVIDENCE])
        at = passage.text.find(_OPEN, end + len(_CLOSE))
