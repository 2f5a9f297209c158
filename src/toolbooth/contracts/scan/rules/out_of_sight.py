"""A text → parts of it that a person does not get to see: behind much blank space, or in a comment of markup."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.rule import Hit, text_rule
from toolbooth.limits import SCAN_EVIDENCE

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
def pushed_out_of_sight(passage: Passage) -> Iterator[Hit]:
    for run in _BLANKS.finditer(passage.text):
        lines = run[0].count("\n")
        inside = run.start() > 0 and run.end() < len(passage.text)
        if inside and (len(run[0]) - lines >= _MOST_BLANKS or lines >= _MOST_LINES):
            behind = passage.text[run.end() : run.end() + SCAN_EVIDENCE]
            yield Hit(Level.MEDIUM, f"text behind {len(run[0])} blanks", behind)


@text_rule(
    "hidden-comment",
    Level.MEDIUM,
    "A comment of HTML or Markdown is not shown to people and read by models.",
)
def hidden_comment(passage: Passage) -> Iterator[Hit]:
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
            yield Hit(level, "a comment", inside.strip()[:SCAN_EVIDENCE])
        at = passage.text.find(_OPEN, end + len(_CLOSE))
