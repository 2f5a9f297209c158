"""`words/synonyms.toml` → for a stem, the stems of the words that tool users mix up with it."""

import tomllib
from functools import cache

from toolbooth.search.analysis import WORDS, stem


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Every stem of the file with the others of its rows, sorted."""
    rows = tomllib.loads((WORDS / "synonyms.toml").read_text("utf-8"))
    found: dict[str, set[str]] = {}
    for row in [*rows["verbs"], *rows["nouns"]]:
        stems = {stem(word) for word in row.split()}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: tuple(sorted(others)) for each, others in found.items()}
