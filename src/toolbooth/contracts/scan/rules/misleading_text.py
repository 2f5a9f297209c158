"""Texts that a reviewer misreads or misses: sentences as keywords, look-alike letters, long gaps, comments."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth import limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan import lookalikes, rule, texts

_MOST_WORDS: Final = 3  # `list of strings`


@rule.text_rule(
    "words-as-keyword",
    Level.HIGH,
    "Validators ignore an unknown type or format, but models read it, so sentences are hidden there.",
)
def words_as_keyword(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    if passage.kind is texts.TextKind.KEYWORD and len(passage.plain.split()) > _MOST_WORDS:
        yield rule.ScanHit(
            Level.HIGH, "a sentence where a type or format belongs", passage.text[: limits.SCAN_EVIDENCE]
        )


@rule.text_rule(
    "mixed-scripts",
    Level.HIGH,
    "A Cyrillic or Greek letter among Latin ones makes a different name, and hides a word from filters.",
)
def mixed_scripts(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    word = lookalikes.mixed_word(passage.text)
    if word:
        level = Level.HIGH if passage.kind.is_name else Level.MEDIUM
        foreign = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(word) if not sign.isascii())
        yield rule.ScanHit(level, f"a word with look-alike letters ({foreign})", word)


_BLANKS: Final = re.compile(r"\s{15,}+")
_MOST_BLANKS: Final = 120  # the indentation of docstrings is about twenty
_MOST_LINES: Final = 12
_OPEN, _CLOSE = "<!--", "-->"
_PROSE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+[ ,:]{1,3}[^\W\d_]{1,40}+[ ,:]{1,3}[^\W\d_]{2,}")


@rule.text_rule(
    "pushed-out-of-sight",
    Level.MEDIUM,
    "A long gap pushes the rest of a text out of the dialog in which a person approves it.",
)
def pushed_out_of_sight(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    for run in _BLANKS.finditer(passage.text):
        lines = run[0].count("\n")
        inside = run.start() > 0 and run.end() < len(passage.text)
        if inside and (len(run[0]) - lines >= _MOST_BLANKS or lines >= _MOST_LINES):
            behind = passage.text[run.end() : run.end() + limits.SCAN_EVIDENCE]
            yield rule.ScanHit(
                Level.MEDIUM, f"text after a gap of {len(run[0])} whitespace characters", behind
            )


@rule.text_rule(
    "hidden-comment",
    Level.MEDIUM,
    "A comment in HTML or Markdown is hidden from people, but models read it.",
)
def hidden_comment(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    at = passage.text.find(_OPEN)
    while at >= 0:
        end = passage.text.find(_CLOSE, at + len(_OPEN))
        if end < 0:
            return
        inside = passage.text[at + len(_OPEN) : end]
        if inside.strip():
            # `<!-- wp:paragraph {…} -->` is markup
            level = Level.MEDIUM if _PROSE.search(inside) else Level.LOW
            yield rule.ScanHit(level, "a comment", inside.strip()[: limits.SCAN_EVIDENCE])
        at = passage.text.find(_OPEN, end + len(_CLOSE))
