"""The synonyms: words that people who ask for a tool and people who name one use for one another.

`words/synonyms.toml` lists them in rows. A query is compared by stems; a client that compares whole words needs them
as they are written.
"""

import tomllib
from functools import cache

from toolbooth.search import analysis

__all__ = ["related_words", "synonyms"]


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    rows = tomllib.loads((analysis.WORDS / "synonyms.toml").read_text("utf-8"))
    return tuple(tuple(row.split()) for row in [*rows["verbs"], *rows["nouns"]])


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Every stem of the file with the others of its rows, sorted."""
    found: dict[str, set[str]] = {}
    for row in _rows():
        stems = {analysis.stem(word) for word in row}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: tuple(sorted(others)) for each, others in found.items()}


@cache
def _as_written() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for row in _rows():
        for word in row:
            others = (other for other in row if other != word)
            found.setdefault(analysis.stem(word), {}).update(dict.fromkeys(others))
    return {stem: tuple(others) for stem, others in found.items()}


def related_words(word: str) -> tuple[str, ...]:
    """The other words of its rows, as they are written and in their order."""
    return _as_written().get(analysis.stem(word), ())
